import { availableParallelism } from 'node:os';
import type { Isolation } from '../isolate.ts';

/** Lets only so many pieces of work go on at once; the others wait in line, in the order in which they came. */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>;

/** As many as a small machine carries. */
const USUAL = 2;
/** Where each is over before the machine feels it. */
const SHORT = 4;
const SHORT_MS = 3_000;

/**
 * Side by side only where programs share no network and no disk: two runs of one suite may ask for the same port or
 * file, and a run that fails for that says something else. `knownMs`: how long one took, where that is known.
 */
export function slotsFor({ network, disk }: Pick<Isolation, 'network' | 'disk'>, knownMs?: number): Slots {
  if (network !== 'none' || disk !== 'covered') return slots(1);
  const isShort = knownMs !== undefined && knownMs < SHORT_MS;
  return slots(isShort ? Math.min(SHORT, Math.max(USUAL, availableParallelism())) : USUAL);
}

export function slots(most: number): Slots {
  let free = most;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
