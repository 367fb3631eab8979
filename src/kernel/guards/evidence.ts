import { related } from '../actor.ts';
import { an } from '../an.ts';
import { actorOf, type Context, marked } from '../context.ts';
import { latestEvidence } from '../freshness.ts';
import { satisfied, unsatisfied, type Verdict } from '../verdict.ts';

/**
 * The latest evidence of the kind, on the present subject, says `outcome`. With `apart`, whoever gave it
 * must be outside the lineage of those marked at the moment of use, not only when it was given.
 */
export interface EvidenceGuard {
  readonly guard: 'evidence';
  readonly kind: string;
  readonly outcome: string;
  /** '' = anybody's evidence counts. */
  readonly apart: string;
}

export const evidence = (kind: string, outcome: string, apart = ''): EvidenceGuard => ({
  guard: 'evidence',
  kind,
  outcome,
  apart,
});

export function checkEvidence({ guard, kind, outcome, apart }: EvidenceGuard, context: Context): Verdict {
  const latest = latestEvidence(context.item, kind);
  const stale = context.item.evidence.some((e) => e.kind === kind) ? ' (an earlier one is stale)' : '';
  if (latest === undefined)
    return unsatisfied(guard, `there is no ${kind}${stale}`, `${an(kind)} saying ${outcome} is needed`);
  if (latest.outcome !== outcome) {
    return unsatisfied(
      guard,
      `the ${kind} says ${latest.outcome}`,
      `${an(kind)} saying ${outcome} is needed`,
    );
  }
  if (apart !== '') {
    const giver = actorOf(context.world, latest.by);
    if (marked(context, apart).some((m) => related(m, giver))) {
      return unsatisfied(
        guard,
        `the ${kind} was given by the lineage of the ${apart}`,
        `${an(kind)} from outside it is needed`,
      );
    }
  }
  return satisfied(guard, `the ${kind} says ${outcome}`);
}
