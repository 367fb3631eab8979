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
}

/** So many agents with some role, whatever it is: people are not counted, nor are helpers without one. */
export const agents = (atLeast: number): Team => ({ ...team(atLeast), kind: 'agent' });

export const team = (atLeast: number, role = '', apart = '', bond: Team['bond'] = 'lineage'): Team => ({
  guard: 'team',
  role,
  atLeast,
  apart,
  bond,
  kind: 'any',
});

export function checkTeam({ guard, role, atLeast, apart, bond, kind }: Team, context: Context): Verdict {
  const others = apart === '' ? [] : marked(context, apart);
  const counted = context.world.roster.filter(
    (a) =>
      (kind !== 'agent' || a.kind === 'agent') &&
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
