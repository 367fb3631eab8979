import type { Context } from '../context.ts';
import { countOf } from '../counters.ts';
import { judged, type Verdict } from '../verdict.ts';

/** The counter stands at `atLeast` or more. */
export interface Count {
  readonly guard: 'count';
  readonly counter: string;
  readonly atLeast: number;
}

/** Counting this very row, the counter is at its limit: the third failure is one that reaches 3. */
export interface Reaches {
  readonly guard: 'reaches';
  readonly counter: string;
  readonly limit: number;
}

export const count = (counter: string, atLeast: number): Count => ({ guard: 'count', counter, atLeast });
export const reaches = (counter: string, limit: number): Reaches => ({ guard: 'reaches', counter, limit });

export function checkCount({ guard, counter, atLeast }: Count, { item, counters }: Context): Verdict {
  const n = countOf(counters, item.counters, counter, item.state);
  return judged(guard, n >= atLeast, `${counter} is ${n}, ${atLeast} needed`, '');
}

export function checkReaches({ guard, counter, limit }: Reaches, { item, counters }: Context): Verdict {
  const n = countOf(counters, item.counters, counter, item.state) + 1;
  return judged(guard, n >= limit, `this is ${counter} number ${n} of ${limit}`, '');
}
