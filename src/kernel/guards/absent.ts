import type { Context } from '../context.ts';
import { latestEvidence } from '../freshness.ts';
import { judged, type Verdict } from '../verdict.ts';

/** Nothing of the kind stands on the present subject: it moved since, or was never judged. */
export interface Absent {
  readonly guard: 'absent';
  readonly kind: string;
}

export const absent = (kind: string): Absent => ({ guard: 'absent', kind });

export function checkAbsent({ guard, kind }: Absent, { item }: Context): Verdict {
  const latest = latestEvidence(item, kind);
  const because = latest === undefined ? `there is no ${kind}` : `the ${kind} says ${latest.outcome}`;
  return judged(guard, latest === undefined, because, `the subject must change after the ${kind}`);
}
