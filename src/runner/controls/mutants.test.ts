import { expect, test } from 'vitest';
import { changeOf } from '../../../tests/fixtures/judged.ts';
import { revertedHunks } from './hunks.ts';
import { mutantsOf, turns } from './mutants.ts';

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
