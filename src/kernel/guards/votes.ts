import type { Context } from '../context.ts';
import { freshEvidence } from '../freshness.ts';
import { judged, type Verdict } from '../verdict.ts';

export type Share = 'none' | 'some' | 'majority' | 'all';

/** At least `share` of the `of` expected voters say `outcome`. Voters are counted, never votes. */
export interface Votes {
  readonly guard: 'votes';
  readonly kind: string;
  readonly outcome: string;
  readonly share: Exclude<Share, 'none'>;
  readonly of: number;
}

export const votes = (kind: string, outcome: string, share: Votes['share'], of: number): Votes => ({
  guard: 'votes',
  kind,
  outcome,
  share,
  of,
});

export function checkVotes({ guard, kind, outcome, share, of }: Votes, { item }: Context): Verdict {
  const last = new Map(freshEvidence(item, kind).map((e) => [e.by, e.outcome]));
  const inFavour = [...last.values()].filter((o) => o === outcome).length;
  const needed = { some: 1, majority: Math.floor(of / 2) + 1, all: of }[share];
  const because = `${inFavour} of ${of} say ${outcome}, ${needed} needed`;
  return judged(
    guard,
    inFavour >= needed && needed > 0,
    because,
    `${kind} verdicts saying ${outcome} are needed`,
  );
}
