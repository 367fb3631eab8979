import { expect, it } from 'vitest';
import { judgedCheck } from '../../../tests/fixtures/judged.ts';

const base = {
  'lib/a.js': 'exports.a = (x) => x + 1;\n',
  'locales/en.json': '{"a": "A"}\n',
  'test/a.test.js': "require('node:test').test('a', () => {});\n",
};
const check = {
  id: 'tests',
  kind: 'tests',
  run: ['node', '--test', '--test-reporter=tap', 'test/'],
  report: { format: 'node' },
};

it('tests alone that name code and data have to notice a change of either', async () => {
  const told = async (asserts: string) => {
    const text = [
      "const { test } = require('node:test');",
      "const assert = require('node:assert');",
      "const { readFileSync } = require('node:fs');",
      "const path = require('node:path');",
      "const { a } = require('../lib/a.js');",
      "test('texts', () => {",
      "  const read = JSON.parse(readFileSync(path.join(__dirname, '..', 'locales', 'en.json'), 'utf8'));",
      `  ${asserts}`,
      '});\n',
    ].join('\n');
    const given = { base, work: { 'test/b.test.js': text }, checks: [check], kind: 'tests' };
    const { outcome, reason } = await judgedCheck(given);
    return [outcome, reason];
  };
  expect(await told("assert.deepStrictEqual(read, { a: 'A' });")).toEqual(['pass', '']);
  expect(await told('assert.ok(read); assert.ok(a);')).toEqual(['fail', 'no-red-on-base']);
});
