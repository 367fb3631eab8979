import type { TrustedKey } from '../attestation/key.ts';
import type { Actor } from '../kernel/actor.ts';
import { IdentityError } from './identity-error.ts';
import type { Issue, Registration, RosterEvent } from './roster-event.ts';

export interface Member extends Registration {
  readonly retired: boolean;
}

export interface IssuedToken extends Issue {
  readonly revoked: boolean;
}

export interface KnownKey extends TrustedKey {
  readonly purpose: string;
  readonly retired: boolean;
}

/** Who belongs here, by which credentials. Nothing ever leaves it: retired and revoked entries keep their place. */
export interface Roster {
  /** Id of the repository, '' before it was opened. */
  readonly repository: string;
  readonly members: ReadonlyMap<string, Member>;
  readonly tokens: ReadonlyMap<string, IssuedToken>;
  readonly keys: ReadonlyMap<string, KnownKey>;
}

export const EMPTY_ROSTER: Roster = {
  repository: '',
  members: new Map(),
  tokens: new Map(),
  keys: new Map(),
};

interface Draft {
  repository: string;
  readonly members: Map<string, Member>;
  readonly tokens: Map<string, IssuedToken>;
  readonly keys: Map<string, KnownKey>;
}

/**
 * The roster after these events, beginning with `start`. An id, token or key that is already there is never
 * replaced. Throws UNKNOWN_EVENT for a type it does not know: it could be the one that takes something away.
 */
export function foldRoster(events: Iterable<RosterEvent>, start: Roster = EMPTY_ROSTER): Roster {
  const draft: Draft = {
    repository: start.repository,
    members: new Map(start.members),
    tokens: new Map(start.tokens),
    keys: new Map(start.keys),
  };
  for (const event of events) apply(draft, event);
  return draft;
}

function apply(draft: Draft, event: RosterEvent): void {
  switch (event.type) {
    case 'repository-opened':
      draft.repository ||= event.repository;
      return;
    case 'actor-registered':
      add(draft.members, event.actor.id, { ...event.actor, retired: false });
      return;
    case 'actor-retired':
      change(draft.members, event.actor, { retired: true });
      return;
    case 'roles-changed':
      change(draft.members, event.actor, { roles: event.roles });
      return;
    case 'token-issued': {
      const { id, actor, token, expiresAt, items, roles, under } = event;
      add(draft.tokens, id, { id, actor, token, expiresAt, items, roles, under, revoked: false });
      return;
    }
    case 'token-revoked':
      change(draft.tokens, event.id, { revoked: true });
      return;
    case 'key-added': {
      const { keyid, publicPem, purpose } = event;
      add(draft.keys, keyid, { keyid, publicPem, purpose, retired: false });
      return;
    }
    case 'key-retired':
      change(draft.keys, event.keyid, { retired: true });
      return;
    default:
      throw new IdentityError(
        'UNKNOWN_EVENT',
        'the roster holds an event that only a newer version can read',
      );
  }
}

function add<T>(map: Map<string, T>, id: string, value: T): void {
  if (!map.has(id)) map.set(id, value);
}

function change<T>(map: Map<string, T>, id: string, fields: Partial<T>): void {
  const before = map.get(id);
  if (before !== undefined) map.set(id, { ...before, ...fields });
}

/** The actors that may act now, in the order of their registration. */
export function actorsOf(roster: Roster): readonly Actor[] {
  return [...roster.members.values()].filter((m) => !m.retired).map((m) => actorFrom(roster, m, m.roles));
}

/**
 * Those who left: without roles, with their lineage. A judge of independence needs them, or the parent of a retired
 * builder would pass for a stranger.
 */
export function formerActorsOf(roster: Roster): readonly Actor[] {
  return [...roster.members.values()].filter((m) => m.retired).map((m) => actorFrom(roster, m, []));
}

/** The kernel's actor for a member, with the roles that count in this place. */
export function actorFrom(roster: Roster, member: Member, roles: readonly string[]): Actor {
  return { id: member.id, kind: member.kind, roles, ancestors: ancestorsOf(roster, member) };
}

/** Agents above this member, nearest first, retired ones too. A person ends the line and is not part of it. */
function ancestorsOf(roster: Roster, member: Member): readonly string[] {
  const line = new Set<string>();
  let above = roster.members.get(member.parent);
  while (above?.kind === 'agent' && above.id !== member.id && !line.has(above.id)) {
    line.add(above.id);
    above = roster.members.get(above.parent);
  }
  return [...line];
}

/** Keys whose signatures are believed: retired ones too, so that what they signed in their time stays checkable. */
export function trustedKeys(roster: Roster, purpose = ''): readonly TrustedKey[] {
  return keysOf(roster, purpose).map(({ keyid, publicPem }) => ({ keyid, publicPem }));
}

/** Keys that may sign something new for a purpose. A retired key never comes back. */
export function currentKeys(roster: Roster, purpose: string): readonly TrustedKey[] {
  return keysOf(roster, purpose)
    .filter((key) => !key.retired)
    .map(({ keyid, publicPem }) => ({ keyid, publicPem }));
}

function keysOf(roster: Roster, purpose: string): readonly KnownKey[] {
  return [...roster.keys.values()].filter((key) => purpose === '' || key.purpose === purpose);
}
