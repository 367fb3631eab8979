import type { Actor } from './actor.ts';
import type { Facts } from './event.ts';

/** A person decided: issued once by the human channel, bound to the digest of what was shown. */
export interface HumanProof {
  readonly id: string;
  readonly digest: string;
  readonly purpose: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly channel: string;
}

/**
 * What somebody wants. It carries neither its evidence nor a result, and its actor comes from the
 * credential, never from an argument. Time and id come in with it.
 */
export interface Command {
  readonly id: string;
  readonly name: string;
  readonly actor: Actor;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly reason: string;
  /** Declared arguments of the row: names of actors, the state aimed at. */
  readonly arguments: { readonly [name: string]: string };
  readonly proof: HumanProof | undefined;
}

/** What a probe saw outside. A probe that could not look says `error`, which closes the gate. */
export interface Finding {
  readonly status: 'satisfied' | 'unsatisfied' | 'error';
  readonly because: string;
  readonly fix: string;
}

/** What the engine gathered outside for one command; recorded with the event that it helped to decide. */
export interface Gathered {
  readonly probes: { readonly [name: string]: Finding };
  /** New digests for the subjects that the row moves. */
  readonly subjects: { readonly [name: string]: string };
  readonly facts: Facts;
}

export const NOTHING_GATHERED: Gathered = { probes: {}, subjects: {}, facts: {} };
