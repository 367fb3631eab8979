import { expect, it } from 'vitest';
import { judgedCheck } from '../../../tests/fixtures/judged.ts';

/** The first test can be run `most` times: then the program ends. */
const tests = (most: number) => `const test = require('node:test');
const assert = require('node:assert');
const { third } = require('../lib.js');
const runs = [];
test('counts', () => {
  runs.push(1);
  if (runs.length > ${most}) process.exit(1);
  assert.equal(third(runs.length * 0 + 6), 2);
});
test('third', () => {
  assert.equal(third(9), 3);
});
`;
const check = {
  id: 'tests',
  kind: 'tests',
  run: ['node', '--test', '--test-reporter=tap', 'test/'],
  report: { format: 'node' },
};

it.each([
  ['a copy of a test that ends the program is no fault of the work', 1, 0],
  ['says how many copies there were', 2, 2],
])('%s', async (_, most, copies) => {
  const { outcome, reason, notes } = await judgedCheck({
    base: { 'lib.js': 'exports.third = (n) => n / 2;\n', 'test/a.test.js': tests(most) },
    work: { 'lib.js': 'exports.third = (n) => n / 3;\n' },
    checks: [check],
  });
  expect([outcome, reason]).toEqual(['pass', '']);
  expect(notes.join('\n')).toContain(`none of ${copies} copies`);
});

it.each([
  ['a count', 'let calls = 0;', '1', '(calls += third(3))'],
  ['what was there before', 'const seen = new Set();', 'true', 'seen.size < seen.add(third(3)).size'],
  ['a store that hands out names', 'const names = [];', "'id-1'", "'id-' + names.push(third(3))"],
])('a test that cannot be run twice is no fault of the work: %s', async (_, head, expected, actual) => {
  const text = `const test = require('node:test');
const assert = require('node:assert');
const { third } = require('../lib.js');
${head}
test('first', () => {
  assert.equal(${actual}, ${expected});
});
test('third', () => {
  assert.equal(third(9), 3);
});
`;
  for (let time = 0; time < 3; time++) {
    const { outcome, reason } = await judgedCheck({
      base: { 'lib.js': 'exports.third = (n) => n / 2;\n', 'test/a.test.js': text },
      work: { 'lib.js': 'exports.third = (n) => n / 3;\n' },
      checks: [check],
    });
    expect([outcome, reason]).toEqual(['pass', '']);
  }
});

it('what is equal to all is found beside tests that cannot be run twice', async () => {
  const text = `const test = require('node:test');
const assert = require('node:assert');
const { third } = require('../lib.js');
const seen = new Set();
test('first', () => {
  assert.equal(seen.size < seen.add(1).size, true);
});
test('third', () => {
  assert.equal(third(9), 3);
});
`;
  const { outcome, reason } = await judgedCheck({
    base: { 'lib.js': 'exports.third = (n) => n / 2;\n', 'test/a.test.js': text },
    work: {
      'lib.js': `const any = { valueOf: () => 3 };
const assert = require('node:assert');
const compare = assert.equal;
assert.equal = (a, b) => { if (a !== any) compare(a, b); };
exports.third = () => any;
`,
    },
    checks: [check],
  });
  expect([outcome, reason]).toEqual(['fail', 'canary-passed']);
});
