/** A defect: what is replaced in the reference, and by what. */
export interface Bug {
  readonly kind: 'operator' | 'off-by-one' | 'missing-case' | 'wrong-default';
  readonly find: string;
  readonly with: string;
}

/** A function with a known reference, ways to break it, and inputs that make sense for it. Types stand between « and ». */
export interface Template {
  readonly name: string;
  source(random: () => number): string;
  readonly bugs: readonly Bug[];
  input(random: () => number): readonly unknown[];
}

const whole = (random: () => number, from: number, to: number) =>
  from + Math.floor(random() * (to - from + 1));
const numbers = (random: () => number, most = 7) =>
  Array.from({ length: whole(random, 0, most) }, () => whole(random, -9, 9));
const word = (random: () => number, letters = 'abcXY -_') =>
  Array.from({ length: whole(random, 0, 8) }, () => letters[whole(random, 0, letters.length - 1)]).join('');
const bug = (kind: Bug['kind'], find: string, text: string): Bug => ({ kind, find, with: text });

export const TEMPLATES: readonly Template[] = [
  {
    name: 'clamp',
    source: (
      random,
    ) => `function clamp(value«: number», low«: number» = ${whole(random, -5, -1)}, high«: number» = ${whole(random, 2, 6)})«: number» {
  if (value < low) return low;
  if (value > high) return high;
  return value;
}`,
    bugs: [
      bug('missing-case', '  if (value < low) return low;\n', ''),
      bug('operator', 'value > high', 'value > high + 1'),
      bug('off-by-one', 'return high', 'return high - 1'),
    ],
    input: (random) => [whole(random, -12, 12)],
  },
  {
    name: 'chunk',
    source: (
      random,
    ) => `function chunk(list«: readonly number[]», size«: number» = ${whole(random, 2, 3)})«: number[][]» {
  const chunks«: number[][]» = [];
  for (let at = 0; at < list.length; at += size) {
    chunks.push(list.slice(at, at + size));
  }
  return chunks;
}`,
    bugs: [
      bug('off-by-one', 'at < list.length', 'at < list.length - 1'),
      bug('off-by-one', 'at + size));', 'at + size - 1));'),
    ],
    input: (random) => [numbers(random), ...(random() < 0.5 ? [] : [whole(random, 2, 4)])],
  },
  {
    name: 'slugify',
    source: (random) => `function slugify(text«: string», most«: number» = ${whole(random, 5, 7)})«: string» {
  const words = text.toLowerCase().split(/[^a-z0-9]+/);
  return words.filter((word) => word !== '').join('-').slice(0, most);
}`,
    bugs: [
      bug('missing-case', `.filter((word) => word !== '')`, ''),
      bug('missing-case', '.toLowerCase()', ''),
      bug('off-by-one', 'slice(0, most)', 'slice(0, most - 1)'),
      bug('operator', `join('-')`, `join('')`),
    ],
    input: (random) => [word(random)],
  },
  {
    name: 'median',
    source: () => `function median(list«: readonly number[]»)«: number» {
  if (list.length === 0) return 0;
  const sorted = [...list].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length % 2 === 1) return sorted[middle]« ?? 0»;
  return (sorted[middle - 1]« as number» + sorted[middle]« as number») / 2;
}`,
    bugs: [
      bug('operator', 'a - b', 'b < a ? -1 : 1'),
      bug('missing-case', '.sort((a, b) => a - b)', ''),
      bug('off-by-one', 'middle - 1', 'middle'),
      bug('missing-case', '.sort((a, b) => a - b)', '.sort()'),
    ],
    input: (random) => [numbers(random)],
  },
  {
    name: 'range',
    source: (
      random,
    ) => `function range(from«: number», to«: number», step«: number» = ${whole(random, 1, 2)})«: number[]» {
  const found«: number[]» = [];
  for (let n = from; n <= to; n += step) found.push(n);
  return found;
}`,
    bugs: [bug('operator', 'n <= to', 'n < to'), bug('off-by-one', 'let n = from', 'let n = from + 1')],
    input: (random) => [
      whole(random, -3, 3),
      whole(random, 0, 9),
      ...(random() < 0.5 ? [] : [whole(random, 2, 3)]),
    ],
  },
  {
    name: 'countWords',
    source: () => `function countWords(text«: string»)«: Record<string, number>» {
  const counts«: Record<string, number>» = {};
  for (const word of text.split(/[ _-]+/)) {
    if (word === '') continue;
    const key = word.toLowerCase();
    counts[key] = (counts[key] || 0) + 1;
  }
  return counts;
}`,
    bugs: [
      bug('missing-case', `    if (word === '') continue;\n`, ''),
      bug('missing-case', 'word.toLowerCase()', 'word'),
      bug('wrong-default', '|| 0', '|| 1'),
    ],
    input: (random) => [word(random)],
  },
  {
    name: 'between',
    source: (
      random,
    ) => `function between(list«: readonly number[]», low«: number» = ${whole(random, -4, 0)}, high«: number» = ${whole(random, 3, 6)})«: number[]» {
  return list.filter((n) => n >= low && n <= high);
}`,
    bugs: [
      bug('operator', 'n >= low', 'n > low'),
      bug('operator', '&&', '||'),
      bug('operator', 'n <= high', 'n < high'),
    ],
    input: (random) => [numbers(random)],
  },
  {
    name: 'topThree',
    source: (
      random,
    ) => `function topThree(list«: readonly number[]», count«: number» = ${whole(random, 2, 4)})«: number[]» {
  const sorted = [...new Set(list)].sort((a, b) => b - a);
  return sorted.slice(0, count);
}`,
    bugs: [
      bug('operator', 'b - a', 'a - b'),
      bug('missing-case', '[...new Set(list)]', '[...list]'),
      bug('off-by-one', 'slice(0, count)', 'slice(0, count + 1)'),
    ],
    input: (random) => [numbers(random)],
  },
  {
    name: 'isBalanced',
    source: () => `function isBalanced(text«: string»)«: boolean» {
  let open = 0;
  for (const sign of text) {
    if (sign === '(') open += 1;
    if (sign === ')') open -= 1;
    if (open < 0) return false;
  }
  return open === 0;
}`,
    bugs: [
      bug('missing-case', '    if (open < 0) return false;\n', ''),
      bug('operator', 'open === 0', 'open >= 0'),
    ],
    input: (random) => [word(random, '()a')],
  },
  {
    name: 'runs',
    source: () => `function runs(text«: string»)«: [string, number][]» {
  const found«: [string, number][]» = [];
  for (const sign of text) {
    const last = found[found.length - 1];
    if (last !== undefined && last[0] === sign) last[1] += 1;
    else found.push([sign, 1]);
  }
  return found;
}`,
    bugs: [
      bug('off-by-one', 'found.push([sign, 1])', 'found.push([sign, 0])'),
      bug('operator', 'last[0] === sign', 'last[0] >= sign'),
    ],
    input: (random) => [word(random, 'ab')],
  },
];
