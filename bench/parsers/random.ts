/** A whole number from 0 up to but not including `below`; the same row of numbers for the same seed (mulberry32). */
export type Numbers = (below: number) => number;

export function numbersFrom(seed: number): Numbers {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** One of a list that is not empty. */
export function oneOf<T>(numbers: Numbers, list: readonly T[]): T {
  const [first] = list;
  if (first === undefined) throw new RangeError('nothing to choose from');
  return list[numbers(list.length)] ?? first;
}
