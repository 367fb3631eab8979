import { expect, test } from 'vitest';
import { changeOf } from '../../../tests/fixtures/judged.ts';
import { revertedHunks } from './hunks.ts';
import { allAtOnce, mutantsOf, spread, turns } from './mutants.ts';

const all = () => true;
const what = (path: string, text: string) => mutantsOf(path, text, all).map((m) => m.what);

test('operators of a line are turned around one at a time', () => {
  expect(what('a.js', 'if (a === b && c < d) return a + 1;')).toEqual([
    'if (a === b && c < d) return a + 1; -> if (a !== b && c < d) return a + 1;',
    'if (a === b && c < d) return a + 1; -> if (a === b && c >= d) return a + 1;',
    'if (a === b && c < d) return a + 1; -> if (a === b || c < d) return a + 1;',
    'if (a === b && c < d) return a + 1; -> if (a === b && c < d) return a - 1;',
    'if (a === b && c < d) return a + 1; -> if (a === b && c < d) return undefined;',
    'if (a === b && c < d) return a + 1; -> if (a === b && c < d) return a + 7919;',
  ]);
  expect(what('a.py', '    return x')).toEqual(['return x -> return None']);
  expect(what('a.js', 'const f = (x) => x >= 1;')[0]).toBe(
    'const f = (x) => x >= 1; -> const f = (x) => x < 1;',
  );
});

test('numbers, texts and answers are changed where a line has no operator', () => {
  expect(what('a.js', 'export const g = () => 2')).toEqual([
    'export const g = () => 2 -> export const g = () => 7919',
  ]);
  expect(what('a.js', 'export const g = () => name;')).toEqual([
    'export const g = () => name; -> export const g = () => undefined;',
  ]);
  expect(what('a.ts', 'const m = { a: b(c) };\n  key: other,')).toEqual(['key: other, -> key: undefined,']);
  expect(what('a.py', '    x = y')).toEqual(['x = y -> x = None']);
  expect(what('a.js', 'return call(')).toEqual([]);
});

test('conditions are turned that have no operator, and a compiler takes what stands for an answer', () => {
  expect(what('a.py', '    if not isinstance(x, str):')).toEqual([
    'if not isinstance(x, str): -> if isinstance(x, str):',
  ]);
  expect(what('a.py', '    if x is not None:')).toEqual(['if x is not None: -> if x is None:']);
  expect(what('a.py', '    if known(x):')).toEqual(['if known(x): -> if None:']);
  expect(what('a.js', '  if (!known(x)) {')).toEqual(['if (!known(x)) { -> if (known(x)) {']);
  expect(what('a.js', '  if (known(x)) {')).toEqual(['if (known(x)) { -> if (undefined) {']);
  expect(what('a.ts', '  return call(x);')).toEqual(['return call(x); -> return undefined as never;']);
  expect(what('a.rs', '    vec![x];').filter((one) => !one.includes('vec!'))).toEqual([]);
});

test('what a compiler takes stands for an answer, and tests inside of a source are left alone', () => {
  const source = `pub fn f(x: u8) -> u8 { x }\n\n#[cfg(test)]\nmod t {\n    #[test]\n    fn a() { assert_eq!(1, 2); }\n}\n`;
  expect(what('a.rs', source)).toEqual([
    'pub fn f(x: u8) -> u8 { x } -> pub fn f(x: u8) -> u8 { Default::default() }',
  ]);
  expect(what('a.rs', '    f(7)')).toEqual(['f(7) -> f(97)']);
  expect(what('a.go', 'return x')).toEqual([]);
});

test('a hunk that is taken back leaves the tests inside of its source', async () => {
  const tests = '#[cfg(test)]\nmod t {\n    #[test]\n    fn a() {}\n}\n';
  const change = changeOf({ 'a.rs': 'fn one() {}\n' }, { 'a.rs': `fn one() {}\nfn two() {}\n${tests}` });
  const mutants = await revertedHunks(change, [{ path: 'a.rs', status: 'modified' }], 9);
  expect(mutants.map(({ content }) => content)).toEqual([`fn one() {}\n${tests}`]);
});

test('comments and imports are left alone, and so are lines that nobody asked for', () => {
  expect(what('a.js', "// a === b\nimport { x } from 'y';\n * a === b\n")).toEqual([]);
  expect(mutantsOf('a.js', 'a === b;\nc === d;', (line) => line === 2).map((m) => m.line)).toEqual([2]);
});

test('every list has its turn before one has a second', () => {
  expect(turns([[1, 2, 3], [4], []])).toEqual([1, 4, 2, 3]);
});

test('each hunk is taken back by itself', async () => {
  const base = { 'a.js': 'one\ntwo\nthree\nfour\nfive\n' };
  const head = { 'a.js': 'ONE\ntwo\nthree\nnew\nfour\n' };
  const mutants = await revertedHunks(changeOf(base, head), [{ path: 'a.js', status: 'modified' }], 9);
  expect(mutants.map((m) => [m.line, m.content])).toEqual([
    [1, 'one\ntwo\nthree\nnew\nfour\n'],
    [4, 'ONE\ntwo\nthree\nfour\n'],
    [6, 'ONE\ntwo\nthree\nnew\nfour\nfive\n'],
  ]);
});

test('all lines of a file are turned at once, each by its first way; a list is sampled from end to end', () => {
  const text = 'exports.a = (x) => x + 1;\nexports.b = (x) => x === 2;\n';
  const [both, ...more] = allAtOnce(mutantsOf('a.js', text, all));
  expect(both?.content).toBe('exports.a = (x) => x - 1;\nexports.b = (x) => x !== 2;\n');
  expect(more).toEqual([]);
  expect(spread([...'abcdefgh'], 3)).toEqual(['a', 'c', 'f']);
  expect(spread(['a'], 3)).toEqual(['a']);
});
