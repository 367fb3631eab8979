import { availableParallelism } from 'node:os';
import type { Isolation } from '../isolate.ts';

/** Lets only so many pieces of work go on at once; the others wait in line, in the order in which they came. */
export interface Slots {
  <T>(work: () => Promise<T>): Promise<T>;
  /** Whether anything goes on beside something else. */
  readonly areMany: boolean;
  /** The same with something to get ready first, while others are at work: one at a time, so that little lies about. */
  after<T, Ready>(ready: () => Promise<Ready>, work: (ready: Ready) => Promise<T>): Promise<T>;
}

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
  const [line, readying] = [lineFor(most), lineFor(1)];
  const within = <T>(work: () => Promise<T>) => line.within(line.enter(), work);
  return Object.assign(within, {
    areMany: most > 1,
    async after<T, Ready>(ready: () => Promise<Ready>, work: (ready: Ready) => Promise<T>): Promise<T> {
      const entered = readying.within(readying.enter(), async () => {
        const what = await ready();
        await line.enter();
        return what;
      });
      const what = await entered;
      return line.within(Promise.resolve(), () => work(what));
    },
  });
}

function lineFor(most: number) {
  let free = most;
  const waiting: (() => void)[] = [];
  return {
    async enter(): Promise<void> {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    /** Works where it entered, and gives the place to the next. */
    async within<T>(entered: Promise<void>, work: () => Promise<T>): Promise<T> {
      await entered;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      }
    },
  };
}
