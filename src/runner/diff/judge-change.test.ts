import { describe, expect, it } from 'vitest';
import { changeOf } from '../../../tests/change-of.ts';
import { defaultRules, filesToSign, judgeChange } from './judge-change.ts';

type Files = Readonly<Record<string, string>>;

const watched = { argv: ['node', '--test'], directory: '', watched: true };
const rules = { ...defaultRules, commands: [watched] };
const reasons = async (kind: string, before: Files, after: Files, noChange = false) => {
  const work = { change: changeOf(before, after), item: { kind, noChange }, signal: undefined };
  const findings = await judgeChange(rules, work);
  return findings === 'aborted' ? [findings] : [...new Set(findings.map(({ reason }) => reason))];
};

const source = { 'src/a.ts': 'export const a = 1;\n' };
const better = { 'src/a.ts': 'export const a = 2;\n' };

const rust = (body: string, test: string) => ({
  'src/lib.rs': `pub fn one() -> u8 {\n    ${body}\n}\n\n#[cfg(test)]\nmod t {\n    #[test]\n    fn a() { ${test} }\n}\n`,
});
const asserts = 'assert_eq!(super::one(), 1);';

describe('the kind of an item', () => {
  it.each([
    [
      'nothing but the tests inside of a source',
      rust('1', `${asserts} ${asserts}`),
      [],
      ['no-source-change'],
    ],
    ['the source around its tests as well', rust('2', `${asserts} ${asserts}`), ['out-of-scope'], []],
  ])('%s', async (_, after, ofTests, ofCode) => {
    expect(await reasons('tests', rust('1', asserts), after)).toEqual(ofTests);
    expect(await reasons('code', rust('1', asserts), after)).toEqual(ofCode);
  });

  describe.each([
    ['docs', 'docs/add.js'],
    ['research', 'docs/add.js'],
    ['tests', 'test/add.js'],
  ])('%s does not cover %s', (kind, path) => {
    const files = (text: string, more: Files) => ({ [path]: `exports.add = ${text};\n`, ...more });
    const found = (more: Files) => reasons(kind, files('plus', more), files('minus', more));

    it('where the product loads it', async () => {
      expect(await found({ 'src/a.js': `module.exports = require('../${path}');\n` })).toEqual([
        'out-of-scope',
      ]);
      expect(await found({ 'package.json': JSON.stringify({ main: path }) })).toEqual(['out-of-scope']);
    });

    it('which is taken where only scripts and tests do', async () => {
      const loads = {
        'scripts/a.js': `require('../${path}');\n`,
        'test/a.test.js': `require('../${path}');\n`,
      };
      expect(await found(loads)).toEqual([]);
    });

    it('while a fix of it is work on the product', async () => {
      const more = { 'src/a.js': `module.exports = require('../${path}');\n` };
      const all = await reasons('code', files('plus', more), files('minus', more));
      expect(all).not.toContain('no-source-change');
    });
  });

  it.each<[string, string, Files, Files, string[]]>([
    ['nothing', 'code', {}, {}, ['empty-diff']],
    ['nothing', 'refactor', {}, {}, ['empty-diff']],
    ['nothing', 'docs', {}, {}, ['empty-diff']],
    ['nothing', 'research', {}, {}, []],
    ['nothing', 'verification-only', {}, {}, []],
    ['a source file', 'code', source, better, []],
    ['a source file', 'refactor', source, better, []],
    ['a source file', 'docs', source, better, ['out-of-scope']],
    ['a source file', 'research', source, better, ['out-of-scope']],
    ['a source file', 'verification-only', source, better, ['out-of-scope']],
    ['a report', 'research', {}, { 'docs/found.md': 'x' }, []],
    ['a source file', 'tests', source, better, ['out-of-scope']],
    [
      'tests and documentation',
      'code',
      {},
      { 'README.md': 'x', 'test/a.test.ts': "it('a', f)" },
      ['no-source-change'],
    ],
    ['settings', 'code', { '.editorconfig.md': '' }, { 'CHANGELOG.md': 'x' }, ['no-source-change']],
    [
      'what consumers get',
      'code',
      { 'package.json': '{"main": "a.js"}' },
      { 'package.json': '{"main": "b.js"}' },
      [],
    ],
    ['documentation', 'docs', { 'README.md': 'a' }, { 'README.md': 'b', 'docs/a.png': 'x' }, []],
    ['requirements', 'docs', {}, { 'requirements.txt': 'x' }, ['out-of-scope']],
    ['texts of tests', 'docs', {}, { 'test/fixtures/a.md': 'x' }, ['out-of-scope']],
    ['tests', 'tests', {}, { 'src/a.test.ts': "it('a', () => expect(a).toBe(1))" }, []],
    [
      'a version and a changelog',
      'chore',
      { 'package.json': '{"version": "1.0.0"}' },
      { 'package.json': '{"version": "1.0.1"}', 'CHANGELOG.md': 'x' },
      [],
    ],
    ['a kind nobody knows', 'feature', {}, { 'README.md': 'x' }, ['no-source-change']],
  ])('with %s, %s', async (_, kind, before, after, expected) =>
    expect(await reasons(kind, before, after)).toEqual(expected),
  );

  it('takes a claim that nothing had to change at its word', async () => {
    expect(await reasons('code', {}, {}, true)).toEqual([]);
    expect(await reasons('code', source, better, true)).toEqual(['out-of-scope']);
    expect(await reasons('research', source, better, true)).toEqual(['out-of-scope']);
  });
});

describe('the files to sign', () => {
  const before = { ...source, 'vitest.config.ts': 'a', 'a.test.ts': "it('a', () => expect(1).toBe(f()))" };
  const after = { ...better, 'vitest.config.ts': 'b' };
  const work = (later: Files) => ({
    change: changeOf(before, later),
    item: { kind: 'code', noChange: false },
    signal: undefined,
  });

  it('are the protected ones and the tests that lost something', async () => {
    const files = await filesToSign(rules, work(after));
    expect(files).toEqual([
      { path: 'a.test.ts', status: 'deleted' },
      { path: 'vitest.config.ts', status: 'modified' },
    ]);
  });

  it('are none for work that needs no sign-off, and none that a sign-off could not let pass', async () => {
    expect(await filesToSign(rules, work({ ...before, ...better }))).toEqual([]);
    const elsewhere = { ...rules, allow: ['lib/**'] };
    expect(await filesToSign(elsewhere, work({ ...before, ...better }))).toEqual([]);
  });
});
