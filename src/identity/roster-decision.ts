import { type Actor, ENGINE } from '../kernel/actor.ts';
import type { IssuedToken, Roster } from './roster.ts';
import type { RosterChange, RosterEvent } from './roster-event.ts';

/**
 * In whose name something is asked of the roster. The success of `authenticate` is one; a person has no token
 * (`undefined`), and the caller has already seen the proof of the human channel.
 */
export interface Authority {
  readonly actor: Actor;
  readonly token: IssuedToken | undefined;
}

export type RosterRefusalCode =
  | 'bad-id'
  | 'reserved'
  | 'taken'
  | 'bad-roles'
  | 'bad-parent'
  | 'bad-token'
  | 'bad-time'
  | 'unknown'
  | 'retired'
  | 'revoked'
  | 'not-allowed'
  | 'exceeds'
  | 'person';

export interface RosterRefusal {
  readonly ok: false;
  readonly code: RosterRefusalCode;
  readonly because: string;
  /** The next step, where the code alone does not tell it. */
  readonly hint?: string;
}

export type RosterDecision = { readonly ok: true; readonly events: readonly RosterEvent[] } | RosterRefusal;

export function refuse(code: RosterRefusalCode, because: string): RosterRefusal {
  return { ok: false, code, because };
}

export function accept(by: Authority, at: string, change: RosterChange): RosterDecision {
  return { ok: true, events: [{ ...change, at, by: by.actor.id }] };
}

/**
 * Why this authority may change nothing here, undefined when it may try. An agent must be an active agent of the
 * roster; a person must not bear the name of an agent or of someone who left; of the product's own parts only the engine
 * may, for the runs that it starts (`beyondEngine`).
 */
export function barred(roster: Roster, { actor }: Authority): RosterRefusal | undefined {
  const member = roster.members.get(actor.id);
  if (actor.kind === 'system')
    return actor.id === ENGINE.id
      ? undefined
      : refuse('not-allowed', 'only people and agents change the roster');
  if (actor.kind === 'agent' && member === undefined)
    return refuse('unknown', `${actor.id} is not registered`);
  if (member !== undefined && member.kind !== actor.kind) {
    return refuse('not-allowed', `${actor.id} is registered as ${member.kind}, not as ${actor.kind}`);
  }
  return member?.retired ? refuse('retired', `${actor.id} is retired`) : undefined;
}

/** Roles of the runs that the engine starts: nothing else can be given by it (PHASE-103). */
export const RUN_ROLES: readonly string[] = ['phase-agent', 'phase-reviewer'];

/** Why the engine may not register this; undefined for an agent of a run, and for whoever is not the engine. */
export function beyondEngine(
  { actor: by }: Authority,
  { kind, roles }: { readonly kind: string; readonly roles: readonly string[] },
): RosterRefusal | undefined {
  if (by.kind !== 'system') return undefined;
  if (kind === 'agent' && surplus(roles, RUN_ROLES) === undefined) return undefined;
  return refuse('not-allowed', 'the engine registers nobody but agents of the runs that it starts');
}

/** The first of `wanted` that `had` lacks. */
export function surplus(wanted: readonly string[], had: readonly string[]): string | undefined {
  return wanted.find((one) => !had.includes(one));
}
