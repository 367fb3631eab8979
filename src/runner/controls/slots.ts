/** Lets only so many pieces of work go on at once; the others wait in line, in the order in which they came. */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>;

/** As many as a small machine carries. */
const USUAL = 2;
/** Where each is over before the machine feels it. */
const SHORT = 4;
const SHORT_MS = 3_000;

/** `knownMs`: how long one run of the same command took, where that is known. */
export const slotsFor = (knownMs: number | undefined): Slots =>
  slots(knownMs !== undefined && knownMs < SHORT_MS ? SHORT : USUAL);

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
