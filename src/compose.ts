import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import { agents } from './agents-port.ts';
import { ownFiles } from './caller-files.ts';
import {
  type Composition,
  type Credentials,
  KEY_PURPOSES,
  type KeyPurpose,
  type Opened,
  type StagedKey,
} from './engine/composition.ts';
import { readConfig } from './engine/config.ts';
import { EngineError } from './engine/engine-error.ts';
import { renewHint } from './engine/keys.ts';
import type { Ports } from './engine/ports.ts';
import { knownRoles } from './engine/roles.ts';
import { found } from './engine/setup.ts';
import { evidenceFiles, stateFiles } from './files.ts';
import { git } from './git-port.ts';
import { askOnTerminal, passphraseAtTerminal } from './identity/human.ts';
import { isPassphrase, keepPassphrase } from './identity/passphrase.ts';
import {
  createSigner,
  loadSigner,
  type Place,
  placeOf,
  readToken,
  stageSigner,
  stateHome,
  writeToken,
} from './identity/places.ts';
import { pooledBytes, uuidv7 } from './ids.ts';
import { startFiles } from './installed.ts';
import { type AnyStore, createStore, openStore, placesOf } from './open-store.ts';
import { thisProcess } from './process-owner.ts';
import { runner } from './runner-port.ts';
import { assertOwnFolder } from './store-choice.ts';
import { noPast } from './workspace/history.ts';
import { locateRepository, type Repository } from './workspace/repository.ts';
import { workspace } from './workspace-port.ts';

declare const __COUNTERSIGN_VERSION__: string;

/** The version of the package; 'development' where it was not built. */
export const VERSION =
  typeof __COUNTERSIGN_VERSION__ === 'undefined' ? 'development' : __COUNTERSIGN_VERSION__;

/** What tests replace: nothing of the product's environment does. */
export interface Seams {
  readonly clock: () => Date;
  readonly random: (bytes: number) => Buffer;
  readonly env: NodeJS.ProcessEnv;
  readonly wrap: (ports: Ports) => Ports;
}

export const SEAMS: Seams = {
  clock: () => new Date(),
  random: randomBytes,
  env: process.env,
  wrap: (ports) => ports,
};

/** Adapters for the repository around `cwd`: the store, git, files and processes of this machine. */
export function compose(cwd: string, given: Partial<Seams> = {}): Composition {
  const seams = { ...SEAMS, ...given };
  const { clock, random, env } = seams;
  let here: Repository | undefined;
  const repository = () => {
    here ??= locateRepository(cwd, env);
    return here;
  };
  return {
    version: VERSION,
    program: startFiles(),
    locate: () => placesOf(repository()),
    stores: async () => (await import('./other-store.ts')).storeDesk(repository(), env),
    config: () => readConfig({ git: git(repository()) }),
    files: ownFiles(cwd),
    protection: () => ({ level: 'cooperative', served: false, reached: undefined }),
    askPassphrase: passphraseAtTerminal,
    ask: (question) => askOnTerminal({ ...question, clock, random }),
    async open() {
      const repo = repository();
      const store = await openStore(repo, env);
      const place = placeOf(stateHome(env), await store.repositoryId());
      return adaptersFor({ cwd, seams, repo, store, place });
    },
    async create(owner) {
      const repo = repository();
      const repositoryId = uuidv7(clock().getTime(), random);
      const store = await createStore(repo, env, repositoryId);
      const id = await store.repositoryId();
      const place = placeOf(stateHome(env), id);
      const opened = adaptersFor({ cwd, seams, repo, store, place });
      if ((await store.head('roster')).version > 0) return { ...opened, created: false };
      // A person who works alone holds all roles; a project with more actors hands them out (`actor roles`).
      const founding = { repository: id, owner, roles: knownRoles(), keys: newKeys(place) };
      return { ...opened, created: await found(opened.ports, founding) };
    },
  };
}

/** What the adapters of one caller are made from. */
export interface Ground {
  /** Where the caller stands. */
  readonly cwd: string;
  readonly seams: Seams;
  readonly repo: Repository;
  readonly store: AnyStore;
  readonly place: Place;
}

/** Every adapter for one caller of an open store. */
export function adaptersFor({ cwd, seams, repo, store, place }: Ground): Opened {
  const { clock, random, wrap } = seams;
  const places = placesOf(repo);
  const past = noPast();
  const trees = workspace(repo, cwd, past);
  const ports: Ports = {
    store,
    clock,
    random,
    newId: () => uuidv7(clock().getTime(), random === randomBytes ? pooledBytes : random),
    git: git(repo, past),
    workspace: trees,
    evidence: evidenceFiles(join(places.state, 'evidence'), () => assertOwnFolder(places.state, seams.env)),
    files: stateFiles(places.state, repo, cwd),
    runner: runner({
      repo,
      state: places.state,
      clock,
      version: VERSION,
      labels: labelsIn(seams.env),
      signer: () => signerIn(place, 'runner'),
    }),
    process: thisProcess(),
    agents: agents({ state: places.state, store: basename(place.directory), main: trees.main }),
    signer: (purpose) => signerIn(place, purpose),
    protectionLevel: 'cooperative',
  };
  return {
    ports: wrap(ports),
    driver: store.driver,
    storePlace: store.path,
    places,
    credentials: credentialsIn(place, seams.env),
    stageKey: (purpose) => stagedIn(place, purpose),
  };
}

/** COUNTERSIGN_LABELS: what this machine is said to have, by commas. */
const labelsIn = ({ COUNTERSIGN_LABELS: labels = '' }: NodeJS.ProcessEnv): readonly string[] =>
  labels
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '');

function credentialsIn(place: Place, env: NodeJS.ProcessEnv): Credentials {
  const write = (actor: string, token: string) => {
    writeToken(place, actor, token);
    return join(place.directory, 'tokens', actor);
  };
  return {
    folder: place.directory,
    here: true,
    vouch: () => {},
    isPassphrase: (person, passphrase) => isPassphrase(place, person, passphrase),
    keepPassphrase: (person, passphrase) => keepPassphrase(place, person, passphrase),
    read(actor) {
      assertOfThisStore(place, actor, env);
      return credential(place, actor);
    },
    write,
    hand: write,
  };
}

function newKeys(place: Place) {
  return KEY_PURPOSES.map((purpose) => {
    const { keyid, publicPem } = signerFor(place, purpose);
    return { keyid, publicPem, purpose };
  });
}

/** An interrupted `init` has made keys already: they are taken up, never replaced. */
function signerFor(place: Place, purpose: KeyPurpose) {
  try {
    return createSigner(place, purpose);
  } catch (error) {
    if ((error as { code?: string }).code === 'EXISTS') return loadSigner(place, purpose);
    throw error;
  }
}

/** The key in use. A lost one is no dead end: the error names the command that makes another. */
function signerIn(place: Place, purpose: KeyPurpose) {
  try {
    return loadSigner(place, purpose);
  } catch (cause) {
    const { code, message } = cause as { code?: string; message: string };
    if (code !== 'MISSING' && code !== 'BAD_KEY') throw cause;
    throw new EngineError('NO_CREDENTIAL', message, renewHint(purpose), { cause });
  }
}

function stagedIn(place: Place, purpose: KeyPurpose): StagedKey {
  const { signer, use, drop } = stageSigner(place, purpose);
  return { keyid: signer.keyid, publicPem: signer.publicPem, use, drop };
}

/**
 * An agent that was started for a store may outlive it. Names are given anew in the next one: what it says would be taken for
 * the word of another. Throws NO_CREDENTIAL.
 */
function assertOfThisStore({ directory }: Place, actor: string, env: NodeJS.ProcessEnv): void {
  const { COUNTERSIGN_ACTOR: name, COUNTERSIGN_STORE: store = '' } = env;
  if (store === '' || store === basename(directory) || actor !== name) return;
  throw new EngineError(
    'NO_CREDENTIAL',
    `this process was started as ${actor} of another store (${store}), and is not heard here`,
    'end it',
  );
}

function credential(place: Place, actor: string): string {
  try {
    return readToken(place, actor);
  } catch (cause) {
    const { code, message } = cause as { code?: string; message: string };
    if (code !== 'MISSING') throw cause;
    const hint = `a person runs: countersign token issue ${actor}`;
    throw new EngineError('NO_CREDENTIAL', `there is no token for ${actor} here (${message})`, hint, {
      cause,
    });
  }
}
