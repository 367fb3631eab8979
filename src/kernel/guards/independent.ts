import { atLeast, demandedLevel, type Independence } from '../actor.ts';
import { an } from '../an.ts';
import type { Context } from '../context.ts';
import { latestEvidence } from '../freshness.ts';
import { judged, unsatisfied, type Verdict } from '../verdict.ts';

/** The latest evidence of the kind stands at least this far from the work; '@pinned' = what the item demands. */
export interface Independent {
  readonly guard: 'independent';
  readonly kind: string;
  readonly atLeast: Independence | '@pinned';
}

export const independent = (kind: string, level: Independent['atLeast'] = '@pinned'): Independent => ({
  guard: 'independent',
  kind,
  atLeast: level,
});

export function checkIndependent({ guard, kind, atLeast: asked }: Independent, { item }: Context): Verdict {
  const latest = latestEvidence(item, kind);
  if (latest === undefined) return unsatisfied(guard, `there is no ${kind}`, '');
  const minimum = asked === '@pinned' ? demandedLevel(item.settings.independence) : asked;
  const because = `independence is ${latest.independence}, ${minimum} needed`;
  return judged(
    guard,
    atLeast(latest.independence, minimum),
    because,
    `${an(kind)} asked for at level ${minimum} is needed`,
  );
}
