import { expect, it } from 'vitest';
import { type Case, judged } from '../../../tests/fixtures/judged.ts';

const tests = {
  id: 'tests',
  kind: 'tests',
  run: ['node', '--test', '--test-reporter=tap', 'test/'],
  report: { format: 'node' },
  controls: [],
};
const checks = [tests, { id: 'mutants', kind: 'mutation', of: 'tests' }];
const suite = (...cases: readonly string[]) =>
  `const { test } = require('node:test');\nconst assert = require('node:assert');\nconst { clamp } = require('../clamp.js');\n${cases.join('\n')}\n`;
const low = "test('low', () => assert.strictEqual(clamp(-1, 0, 9), 0));";
const high = "test('high', () => assert.strictEqual(clamp(10, 0, 9), 9));";
const source = (upper: string) =>
  `exports.clamp = (x, from, to) => {\n  if (x < from) return from;\n${upper}  return x;\n};\n`;
const fixed = source('  if (x > to) return to;\n');

const mutants = async (given: Partial<Case>) => {
  const base = { 'clamp.js': source(''), 'test/clamp.test.js': suite(low) };
  const { checks: results } = await judged({ base, work: {}, checks, ...given });
  return results.find(({ id }) => id === 'mutants');
};

it('passes where a test misses each hunk and each operator', async () => {
  const found = await mutants({ work: { 'clamp.js': fixed, 'test/clamp.test.js': suite(low, high) } });
  expect(found).toMatchObject({ outcome: 'pass', reason: '', shows: ['mutation'] });
  expect(found?.explanation).toMatch(/^1 of 1 hunks and \d of \d changed operators were noticed$/);
  expect(found?.notes[0]).toMatch(/^noticed by "high": clamp\.js:3 taken back: if \(x > to\) return to;$/);
});

it('fails where the change can be taken back', async () => {
  const idle = "test('high', () => assert.ok(clamp(10, 0, 9) > 1));";
  const found = await mutants({ work: { 'clamp.js': fixed, 'test/clamp.test.js': suite(low, idle) } });
  expect(found).toMatchObject({ outcome: 'fail', reason: 'mutant-survived', shows: [] });
  expect(found?.explanation).toMatch(/taken back without a test failing/);
});

it('leaves a hunk without which nothing can be loaded to the operators', async () => {
  const module = (...lines: readonly string[]) => lines.map((line) => `export ${line}\n`).join('');
  const one = 'const one = () => 1;';
  const two = 'const two = (x) => x + 1;';
  const suiteOf = (assertion: string) =>
    `import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { two } from '../it.mjs';\ntest('two', () => ${assertion});\n`;
  const base = {
    'it.mjs': module(one),
    'test/a.test.mjs': "import { test } from 'node:test';\ntest('a', () => {});\n",
  };
  const tried = (assertion: string) =>
    mutants({ base, work: { 'it.mjs': module(one, two), 'test/it.test.mjs': suiteOf(assertion) } });
  const noticed = await tried('assert.strictEqual(two(1), 2)');
  expect(noticed).toMatchObject({ outcome: 'pass' });
  expect(noticed?.notes[0]).toMatch(/^the tests could not be loaded: it\.mjs:2 taken back/);
  expect(await tried('two(1)')).toMatchObject({ outcome: 'fail', reason: 'mutant-survived' });
});

it('asks for a part of the operators, as large as the criteria say', async () => {
  const loose = fixed.replace('return to;', 'return to + (x === 12345 ? 1 : 0) + (x === 54321 ? 1 : 0);');
  const work = { 'clamp.js': loose, 'test/clamp.test.js': suite(low, high) };
  const strict = [tests, { id: 'mutants', kind: 'mutation', of: 'tests', min_noticed: 100 }];
  expect(await mutants({ work, checks: strict })).toMatchObject({
    outcome: 'fail',
    reason: 'mutant-survived',
  });
  const lax = [tests, { id: 'mutants', kind: 'mutation', of: 'tests', min_noticed: 0 }];
  expect(await mutants({ work, checks: lax })).toMatchObject({ outcome: 'pass' });
});

it('counts no changed operator against the tests with which they come to no end', async () => {
  const careful = fixed.replace('  if (x > to)', '  if (to < from) process.exit();\n  if (x > to)');
  const strict = [tests, { id: 'mutants', kind: 'mutation', of: 'tests', min_noticed: 100 }];
  const work = { 'clamp.js': careful, 'test/clamp.test.js': suite(low, high) };
  const found = await mutants({ work, checks: strict });
  expect(found).toMatchObject({ outcome: 'pass' });
  expect(found?.notes.join()).toContain('the tests could not be loaded: clamp.js:3 if (to < from)');
});

it('has nothing to try where no behaviour was to change', async () => {
  const more = {
    'test/clamp.test.js': suite(low, "test('middle', () => assert.strictEqual(clamp(5, 0, 9), 5));"),
  };
  expect(await mutants({ work: more, kind: 'tests' })).toMatchObject({ outcome: 'pass', shows: [] });
  expect(await mutants({ work: {}, noChange: true })).toMatchObject({ outcome: 'pass', shows: [] });
});

it('is open where the tests do not pass by themselves', async () => {
  const failing = suite(low, high, "test('never', () => assert.fail());");
  const found = await mutants({ work: { 'clamp.js': fixed, 'test/clamp.test.js': failing } });
  expect(found).toMatchObject({ outcome: 'indeterminate', reason: 'not-told' });
});

it('ends a changed operator that never comes to its end long before the time of the tests is over', async () => {
  const climbing = fixed.replace('  return x;', '  let n = 0;\n  while (n < x) n = n + 1;\n  return n;');
  const slow = { ...tests, timeout: '1h' };
  const work = {
    'clamp.js': climbing,
    'test/clamp.test.js': suite(low, high, "test('in', () => assert.strictEqual(clamp(5, 0, 9), 5));"),
  };
  const found = await mutants({ work, checks: [slow, { id: 'mutants', kind: 'mutation', of: 'tests' }] });
  expect(found).toMatchObject({ outcome: 'pass' });
  expect(found?.notes.join()).toContain('n = n - 1');
});

it('takes no test for a witness that goes by the text of sources', async () => {
  const style =
    "test('short', () => assert.ok(require('node:fs').readFileSync('clamp.js', 'utf8').split('\\n').length < 8));";
  const idle = "test('high', () => assert.ok(clamp(10, 0, 9) > 1));";
  const base = {
    'clamp.js': source(''),
    'test/clamp.test.js': suite(low),
    'test/style.test.js': suite(style),
  };
  const lazy = { 'clamp.js': fixed, 'test/clamp.test.js': suite(low, idle) };
  expect(await mutants({ base, work: lazy })).toMatchObject({ outcome: 'fail', reason: 'mutant-survived' });
  const honest = { 'clamp.js': fixed, 'test/clamp.test.js': suite(low, high) };
  expect(await mutants({ base, work: honest })).toMatchObject({ outcome: 'pass', reason: '' });
});
