import type { Context } from '../context.ts';
import { freshEvidence } from '../freshness.ts';
import { judged, type Verdict } from '../verdict.ts';

export type Share = 'none' | 'some' | 'majority' | 'all';

/**
 * At least `share` of the `of` expected voters say `outcome`. Voters are counted, never votes. Where `of` is a mark, the
 * voters are those remembered under it, and nobody else's voice counts.
 */
export interface Votes {
  readonly guard: 'votes';
  readonly kind: string;
  readonly outcome: string;
  readonly share: Exclude<Share, 'none'>;
  readonly of: number | string;
}

export const votes = (kind: string, outcome: string, share: Votes['share'], of: Votes['of']): Votes => ({
  guard: 'votes',
  kind,
  outcome,
  share,
  of,
});

export function checkVotes({ guard, kind, outcome, share, of }: Votes, { item }: Context): Verdict {
  const last = new Map(freshEvidence(item, kind).map((e) => [e.by, e.outcome]));
  if (typeof of === 'string')
    return ofMarked({ guard, kind, outcome, share, of }, item.marks[of] ?? [], last);
  const inFavour = [...last.values()].filter((o) => o === outcome).length;
  const needed = neededOf(share, of);
  const because = `${inFavour} of ${of} say ${outcome}, ${needed} needed`;
  return judged(
    guard,
    inFavour >= needed && needed > 0,
    because,
    `${kind} verdicts saying ${outcome} are needed`,
  );
}

const neededOf = (share: Votes['share'], of: number) =>
  ({ some: 1, majority: Math.floor(of / 2) + 1, all: of })[share];

function ofMarked(
  { guard, kind, outcome, share, of }: Votes,
  expected: readonly string[],
  last: ReadonlyMap<string, string>,
): Verdict {
  const voters = [...new Set(expected)];
  const others = voters.filter((voter) => last.get(voter) !== outcome);
  const inFavour = voters.length - others.length;
  const needed = neededOf(share, voters.length);
  const holds = voters.length > 0 && inFavour >= needed;
  const told = others.map((voter) => `${voter} ${last.get(voter) ?? 'nothing yet'}`).join(', ');
  const because =
    voters.length === 0
      ? `nobody is named as ${of}`
      : `${inFavour} of ${voters.length} say ${outcome} in their ${kind}, ${needed} needed`;
  return judged(
    guard,
    holds,
    holds || told === '' ? because : `${because}: ${told}`,
    voters.length === 0 ? `name at least one ${of}` : `${others.join(', ')}: ${kind} saying ${outcome}`,
  );
}
