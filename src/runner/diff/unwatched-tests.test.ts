import { describe, expect, it } from 'vitest';
import { changeOf } from '../../../tests/change-of.ts';
import { defaultRules, filesToSign } from './judge-change.ts';

type Files = Readonly<Record<string, string>>;

const python = (expected: string, more = '', names = 'add') => ({
  'tests/test_calc.py': `import unittest\nfrom calc import ${names}\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), ${expected})\n${more}`,
});
const calc = { 'calc.py': 'def add(a, b):\n    return a - b\n' };
const mended = { 'calc.py': 'def add(a, b):\n    return a + b\n' };
const another = '\n    def test_zero(self):\n        self.assertEqual(add(0, 0), 0)\n';
const rust = (body: string, tests: string) => ({
  'src/lib.rs': `pub fn one() -> u8 {\n    ${body}\n}\n\n#[cfg(test)]\nmod t {\n    #[test]\n${tests}}\n`,
});
const asserts = (value: number) => `    fn a() { assert_eq!(super::one(), ${value}); }\n`;

const unwatched = { argv: ['python3', '-m', 'unittest'], directory: '', watched: false };

const signed = async (before: Files, after: Files, more: Partial<typeof defaultRules> = {}) => {
  const work = {
    change: changeOf(before, after),
    item: { kind: 'code', noChange: false },
    signal: undefined,
  };
  const files = await filesToSign({ ...defaultRules, commands: [unwatched], ...more }, work);
  return files.map(({ path }) => path);
};

describe('tests of base to which no check holds the work', () => {
  const base = { ...calc, ...python('3') };

  it('are to be signed off when they ask for something else, or are gone', async () => {
    const flipped = { ...calc, ...python('-1'), 'other.py': 'Z = 1\n' };
    expect(await signed(base, flipped)).toEqual(['tests/test_calc.py']);
    expect(await signed(base, mended)).toEqual(['tests/test_calc.py']);
    expect(await signed(base, flipped, { commands: [] })).toEqual(['tests/test_calc.py']);
    expect(await signed(base, flipped, { protect: ['ci.yaml'] })).toEqual(['tests/test_calc.py']);
    expect(await signed(base, flipped, { files: ['checks/**'] })).toEqual([]);
  });

  it('are left to a check that watches them, where there is one', async () => {
    const commands = [unwatched, { ...unwatched, watched: true }];
    expect(await signed(base, { ...calc, ...python('-1') }, { commands })).toEqual([]);
  });

  it('may grow, and take more names from a module that they took names from', async () => {
    const added = { 'tests/test_more.py': 'x = 1\n', 'tests/data.json': '1' };
    expect(await signed(base, { ...mended, ...python('3', another), ...added })).toEqual([]);
    expect(await signed(base, { ...mended, ...python('3', another, 'add, neg') })).toEqual([]);
    expect(await signed(base, { ...mended, ...python('3', another, 'neg') })).toEqual(['tests/test_calc.py']);
    const leaves = '\n    def test_off(self):\n        self.skipTest("later")\n        return\n';
    expect(await signed(base, { ...mended, ...python('3', leaves) })).toEqual(['tests/test_calc.py']);
  });

  it.each([
    ["const { a } = require('./a');", "const { a, b } = require('./a');", true],
    ["import { a } from './a';", "import { a, type B } from './a';", true],
    ["const { a, c } = require('./a');", "const { a, b } = require('./a');", false],
    ["const { a } = require('./a');", "const { a } = require('./b');", false],
    ["test('a', () => eq(f({ a }), 1));", "test('a', () => eq(f({ a, b }), 1));", false],
  ])('%s becomes %s', async (was, is, free) => {
    const found = await signed({ 'test/a.js': `${was}\n` }, { 'test/a.js': `${is}\nf();\n` });
    expect(found).toEqual(free ? [] : ['test/a.js']);
  });

  it('are protected with the data and helpers that support them', async () => {
    const test =
      "const rates = require('../data/rates.json');\nconst check = require('../support/check.js');\n";
    const files = { 'test/a.test.js': test, 'data/rates.json': '1\n', 'support/check.js': 'a\n' };
    const changed = { ...files, 'data/rates.json': '2\n', 'support/check.js': 'b\n' };
    expect(await signed(files, changed)).toEqual(['data/rates.json', 'support/check.js']);
  });

  it('are protected inside of sources, which may change around them', async () => {
    const before = rust('2', asserts(1));
    expect(await signed(before, rust('1', asserts(1)))).toEqual([]);
    expect(await signed(before, rust('1', asserts(1) + asserts(1).replace(' a()', ' b()')))).toEqual([]);
    expect(await signed(before, rust('2', asserts(2)))).toEqual(['src/lib.rs']);
    expect(await signed(before, {})).toEqual(['src/lib.rs']);
  });
});
