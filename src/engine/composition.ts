import type { TrustedKey } from '../attestation/key.ts';
import type { HumanProof } from '../kernel/command.ts';
import type { Config } from './config.ts';
import type { Protection } from './doctor-level.ts';
import type { Ports } from './ports.ts';
import type { StoreDesk } from './store-desk.ts';

/** The places of one repository. */
export interface Places {
  /** Top of the caller's working tree. */
  readonly top: string;
  /** Where the engine keeps its state: shared by all worktrees, part of no commit. */
  readonly state: string;
}

export interface HumanQuestion {
  readonly title: string;
  readonly shown: string;
  readonly digest: string;
  readonly purpose: string;
}

export type HumanAnswer =
  | { readonly ok: true; readonly proof: HumanProof }
  | { readonly ok: false; readonly code: string; readonly because: string; readonly fix: string };

/** Files of whoever calls, by the paths that they name: on this machine, or as a client of a server brought them. */
export interface CallerFiles {
  /** The folder that relative paths start from, for people. */
  readonly folder: string;
  /** '-' is standard input. Throws as node:fs does (ENOENT where there is none). */
  read(path: string): Buffer;
  has(path: string): boolean;
  /** False where a client writes the file, whole, when it is told. */
  readonly local: boolean;
  /** Writes a file that was not there. Throws as node:fs does (EEXIST). */
  write(path: string, content: Uint8Array | string): void;
}

/** Credentials of this user on this machine, outside the repository. */
export interface Credentials {
  /** The folder of this user's keys and tokens for the repository. */
  readonly folder: string;
  /** Whether tokens lie on the machine of the store; those of a server's clients lie with them. */
  readonly here: boolean;
  /** Throws NO_CREDENTIAL where nothing shows that this person calls; on their own machine their user does. */
  vouch(person: string): void;
  /** Throws NO_CREDENTIAL when there is none for the actor. */
  read(actor: string): string;
  write(actor: string, token: string): string;
  /** Gives a new token to whoever asked for it, and answers where it is kept. */
  hand(actor: string, token: string): string;
  /** Whether a person is known to servers by this passphrase. */
  isPassphrase(person: string, passphrase: string): Promise<boolean>;
  /** Throws BAD_TOKEN where it is too short. */
  keepPassphrase(person: string, passphrase: string): Promise<void>;
}

export const KEY_PURPOSES = ['runner', 'checkpoint'] as const;
export type KeyPurpose = (typeof KEY_PURPOSES)[number];

/** A new private key that signs nothing yet. */
export interface StagedKey extends TrustedKey {
  /** Puts it in the place of the key in use, which is kept beside it. */
  use(): void;
  drop(): void;
}

/** What `compose` hands to a face: adapters for the repository around a folder. */
export interface Composition {
  readonly version: string;
  /** The folder of the start files of this program: countersign.cjs, countersign-hook.cjs. */
  readonly program: string;
  /** Throws NOT_INITIALISED with the next step where the repository has no store, STORE_GONE where it had one. */
  open(): Promise<Opened>;
  /** Makes the store and its keys where there are none, and begins the log with its first person. */
  create(owner: string): Promise<Opened & { readonly created: boolean }>;
  locate(): Places;
  /** The store as a thing of its own: what it is, its form, a copy elsewhere. */
  stores(): Promise<StoreDesk>;
  /** The committed configuration, also where there is no store. Throws BAD_CONFIG. */
  config(): Promise<Config>;
  readonly files: CallerFiles;
  /** How much the store is kept from whoever calls. */
  protection(): Protection;
  /** Asks the person at the controlling terminal for a passphrase; undefined where nobody gave one. */
  askPassphrase(person: string): Promise<string | undefined>;
  /** Asks the person at the controlling terminal. */
  ask(question: HumanQuestion): Promise<HumanAnswer>;
}

export interface Opened {
  readonly ports: Ports;
  /** The library or the server that keeps the store, for people. */
  readonly driver: string;
  /** The file or the database of the store, for people: without a password. */
  readonly storePlace: string;
  readonly places: Places;
  readonly credentials: Credentials;
  /** Makes a private key beside the one in use. */
  readonly stageKey: (purpose: KeyPurpose) => StagedKey;
}
