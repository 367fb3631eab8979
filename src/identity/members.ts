import { isName, RESERVED_IDS } from './name.ts';
import { actorFrom, type Member, type Roster } from './roster.ts';
import {
  type Authority,
  accept,
  barred,
  beyondEngine,
  type RosterDecision,
  type RosterRefusal,
  refuse,
  surplus,
} from './roster-decision.ts';
import type { Registration } from './roster-event.ts';

/**
 * Registers an actor. A person may register anybody; an agent only agents that are its own children, with no role
 * that the agent does not hold itself. An id is used once: not again after retirement, not in another case.
 */
export function registerActor(
  roster: Roster,
  by: Authority,
  at: string,
  actor: Registration,
): RosterDecision {
  return (
    barred(roster, by) ??
    badId(roster, actor.id) ??
    badRoles(actor.roles) ??
    badParent(roster, actor) ??
    beyondAgent(by, actor) ??
    beyondEngine(by, actor) ??
    accept(by, at, { type: 'actor-registered', actor: { ...actor, roles: [...new Set(actor.roles)] } })
  );
}

/** Retires an actor for good. A person may retire anybody; an agent only those that descend from it. */
export function retireActor(roster: Roster, by: Authority, at: string, id: string): RosterDecision {
  const member = active(roster, id);
  if ('code' in member) return member;
  const bar = barred(roster, by);
  if (bar !== undefined) return bar;
  if (by.actor.kind === 'agent' && !descends(roster, member, by.actor.id)) {
    return refuse('not-allowed', `${by.actor.id} may retire only its own descendants, and ${id} is none`);
  }
  return accept(by, at, { type: 'actor-retired', actor: id });
}

/** Gives an actor exactly these roles. Only a person may. */
export function changeRoles(
  roster: Roster,
  by: Authority,
  at: string,
  change: { readonly actor: string; readonly roles: readonly string[] },
): RosterDecision {
  const bar = barred(roster, by) ?? badRoles(change.roles);
  if (bar !== undefined) return bar;
  if (by.actor.kind !== 'human') return refuse('not-allowed', 'only a person changes roles');
  const member = active(roster, change.actor);
  if ('code' in member) return member;
  return accept(by, at, { type: 'roles-changed', actor: member.id, roles: [...new Set(change.roles)] });
}

/** The active member of that id, or why there is none. */
export function active(roster: Roster, id: string): Member | RosterRefusal {
  const member = roster.members.get(id);
  if (member === undefined) return refuse('unknown', `${JSON.stringify(id)} is not registered`);
  return member.retired ? refuse('retired', `${id} is retired`) : member;
}

/** True when `ancestor` stands above the member in its line of agents. */
export function descends(roster: Roster, member: Member, ancestor: string): boolean {
  return actorFrom(roster, member, []).ancestors.includes(ancestor);
}

function badId(roster: Roster, id: string): RosterRefusal | undefined {
  const lower = id.toLowerCase();
  if (RESERVED_IDS.includes(lower)) return refuse('reserved', `the id ${lower} is the product's own`);
  if (roster.members.has(lower))
    return refuse('taken', `the id ${lower} was used before, and an id is used once`);
  if (isName(id)) return undefined;
  return refuse('bad-id', 'an id is 1 to 64 of a-z 0-9 . _ - and begins with a letter or a digit');
}

/** '' would mean "any role" to a guard. */
function badRoles(roles: readonly string[]): RosterRefusal | undefined {
  return roles.some((role) => role.trim() === '') ? refuse('bad-roles', 'a role has a name') : undefined;
}

function badParent(roster: Roster, { kind, parent }: Registration): RosterRefusal | undefined {
  if (parent === '') return undefined;
  if (kind === 'human') return refuse('bad-parent', 'a person has no parent here');
  const member = active(roster, parent);
  return 'code' in member ? refuse('bad-parent', `the parent will not do: ${member.because}`) : undefined;
}

function beyondAgent(
  { actor: by }: Authority,
  { kind, parent, roles }: Registration,
): RosterRefusal | undefined {
  if (by.kind !== 'agent') return undefined;
  if (kind !== 'agent') return refuse('person', 'only a person can register a person');
  if (parent !== by.id) return refuse('not-allowed', `${by.id} may register only its own children`);
  const role = surplus(roles, by.roles);
  return role === undefined
    ? undefined
    : refuse('exceeds', `${by.id} cannot hand on the role ${role}: it does not hold it`);
}
