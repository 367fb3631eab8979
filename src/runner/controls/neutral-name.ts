/** So many random bytes, as of `randomBytes`. */
export type Random = (bytes: number) => Uint8Array;

/** A whole number from 0 up to but not including `below`, evenly enough to pick with. */
export const pick = (random: Random, below: number): number =>
  random(4).reduce((sum, byte) => sum * 256 + byte, 0) % below;

const VERBS = ['keeps', 'reads', 'returns', 'handles', 'accepts', 'joins', 'counts', 'finds', 'orders'];
const WHAT = ['the first', 'all', 'the last', 'a list of', 'no more than', 'the middle one of', 'each of'];
const THINGS = ['entries', 'keys', 'values', 'items', 'parts', 'words', 'rows', 'fields', 'pairs'];
const one = (random: Random, list: readonly string[]) => list[pick(random, list.length)] ?? '';

/** A test's name as anybody might write it; ten digits make it the only one of its kind. An identifier for Python and Rust. */
export function neutralName(random: Random, host: string): string {
  const digits = `${10_000 + pick(random, 90_000)}${10_000 + pick(random, 90_000)}`;
  const words = `${one(random, VERBS)} ${one(random, WHAT)} ${digits} ${one(random, THINGS)}`;
  return host === 'pytest' || host === 'cargo' ? `test_${words.replaceAll(' ', '_')}` : words;
}

/** A name for a variable that no file uses by chance. */
export const neutralVariable = (random: Random): string =>
  `v${Array.from({ length: 7 }, () => String.fromCharCode(97 + pick(random, 26))).join('')}`;
