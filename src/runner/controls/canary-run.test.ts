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
  assert.equal(runs.length, 1);
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
