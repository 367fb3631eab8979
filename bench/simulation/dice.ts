/** Numbers that look random and are the same for the same seed. */
export interface Dice {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number from 0 to below `n`. */
  below(n: number): number;
  chance(share: number): boolean;
  /** One of them. Throws RangeError where there is none. */
  pick<T>(of: readonly T[]): T;
  bytes(count: number): Buffer;
}

/** The generator mulberry32: good enough to play with, and four lines long. */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number) => Math.floor(next() * n);
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick(of) {
      const at = below(of.length);
      if (at >= of.length) throw new RangeError('there is nothing to pick from');
      return of[at] as (typeof of)[number];
    },
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => below(256))),
  };
}
