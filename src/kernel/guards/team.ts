import { pairsOfEyes, related } from '../actor.ts';
import { type Context, marked } from '../context.ts';
import { satisfied, unsatisfied, type Verdict } from '../verdict.ts';

/**
 * So many pairs of eyes hold the role ('' = any). Related actors are one pair. With `apart`, only actors outside
 * the lineage of those marked count, or, by identity, all but those themselves.
 */
export interface Team {
  readonly guard: 'team';
  readonly role: string;
  readonly atLeast: number;
  /** '' = everybody counts. */
  readonly apart: string;
  readonly bond: 'identity' | 'lineage';
  /** 'agent' = people are not counted. */
  readonly kind: 'any' | 'agent';
  /** With no one role: the roles of which one has to be held. Empty = whatever role. Tables of before have none. */
  readonly among?: readonly string[];
}

/** So many agents that hold one of some roles: people are not counted, nor are helpers and those with other roles. */
export const agents = (atLeast: number, among: readonly string[]): Team => ({
  ...team(atLeast),
  kind: 'agent',
  among,
});

export const team = (atLeast: number, role = '', apart = '', bond: Team['bond'] = 'lineage'): Team => ({
  guard: 'team',
  role,
  atLeast,
  apart,
  bond,
  kind: 'any',
});

export function checkTeam(
  { guard, role, atLeast, apart, bond, kind, among = [] }: Team,
  context: Context,
): Verdict {
  const others = apart === '' ? [] : marked(context, apart);
  const counted = context.world.roster.filter(
    (a) =>
      (kind !== 'agent' || a.kind === 'agent') &&
      (among.length === 0 || a.roles.some((r) => among.includes(r))) &&
      !others.some((o) => (bond === 'identity' ? o.id === a.id : related(o, a))),
  );
  const n = pairsOfEyes(counted, role);
  const holders =
    role === ''
      ? kind === 'agent'
        ? 'independent agents'
        : 'independent actors'
      : `independent holders of ${role}`;
  const who = apart === '' ? holders : `${holders} apart from the ${apart}`;
  return n >= atLeast
    ? satisfied(guard, `there are ${n} ${who}`)
    : unsatisfied(guard, `${n} ${who}, ${atLeast} needed`, `register more ${who}`);
}
