import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Case, changeOf, headOf, judgedCheck } from '../../../tests/fixtures/judged.ts';
import type { CheckContext } from '../checks/check.ts';
import { readCommandCheck } from '../checks/command.ts';
import { searchPath } from '../environment.ts';
import { fieldsOf } from '../fields.ts';
import { noIsolation } from '../isolate.ts';
import { baseTests } from './base-tests.ts';
import { slotsFor } from './slots.ts';
import type { Suite } from './suite.ts';
import { workOf } from './work.ts';

const run = ['node', '--test', '--test-reporter=tap', 'test/'];
const check = { id: 'tests', kind: 'tests', run, report: { format: 'node' } };
const asking = (...tests: readonly string[]) =>
  ["const { test } = require('node:test');", "const lib = require('../lib.js');", ...tests].join('\n');
const asks = (name: string, condition: string) =>
  `test('${name}', () => { if (!(${condition})) throw new Error('no'); });`;

const sums = asks('sums', 'lib.sum(1, 2) === 3');
const base = { 'lib.js': 'exports.sum = (a, b) => a - b;\n', 'test/sum.test.js': asking(sums) };
const work = {
  'lib.js': 'exports.sum = (a, b) => a - b;\nexports.zero = () => 0;\n',
  'test/zero.test.js': asking(asks('zero', 'lib.zero() === 0')),
};
const refusal = async (given: Case) => {
  const { outcome, reason } = await judgedCheck(given);
  return [outcome, reason];
};

test('the test that defines the task cannot be rewritten until it passes, whatever else the work shows', async () => {
  for (const rewritten of ['lib.sum(1, 2) === -1', 'lib.sum(1, 2) === lib.sum(1, 2)']) {
    const files = { ...work, 'test/sum.test.js': asking(asks('sums', rewritten)) };
    expect(await refusal({ base, work: files, checks: [check] })).toEqual(['fail', 'base-test-failed']);
  }
  const moved = { ...work, 'test/sum.test.js': undefined, 'test/add.test.js': asking(asks('sums', 'true')) };
  expect(await refusal({ base, work: moved, checks: [check] })).toEqual(['fail', 'base-test-failed']);
});

test('a failing test of base that the work makes pass may be added to', async () => {
  const files = {
    'lib.js': 'exports.sum = (a, b) => a + b;\n',
    'test/sum.test.js': asking(sums, asks('sums below zero', 'lib.sum(1, -2) === -1')),
  };
  expect(await refusal({ base, work: files, checks: [check] })).toEqual(['pass', '']);
});

test('a test of base that fails now and then is asked twice', async () => {
  const flaky = "test('now and then', () => { require('node:fs').readFileSync('again'); });";
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'twice-')));
  const work = { 'test/sum.test.js': asking(asks('now and then', 'true')) };
  const before = { 'lib.js': '', 'test/sum.test.js': asking(flaky) };
  const change = changeOf(before, headOf({ base: before, work }));
  let count = 0;
  const fresh: CheckContext['trees']['fresh'] = async (_, edit) => {
    const checkout = join(root, `n${++count}`);
    mkdirSync(checkout);
    writeFileSync(join(checkout, 'lib.js'), '');
    // There from the second tree on.
    if (count > 1) writeFileSync(join(checkout, 'again'), '');
    await edit(checkout);
    return { checkout, env: { PATH: searchPath } };
  };
  const fields = fieldsOf({ run, report: check.report }, '', []);
  if (fields === undefined) throw new Error('no fields');
  const suite = {
    ...{
      command: readCommandCheck('t', fields),
      files: ['test/**'],
      work: workOf(change, ['test/**'], new Set()),
      slots: slotsFor(noIsolation),
    },
    context: {
      trees: { builds: false, fresh },
      isolation: noIsolation,
      signal: undefined,
      signed: new Set(),
    },
  } as unknown as Suite;
  const report = (outcome: 'passed') => ({
    tests: [{ id: 'now and then', name: 'now and then', outcome }],
    complete: true,
  });
  const notes: string[] = [];
  expect(await baseTests(suite, report('passed'), report('passed'), new Set(), notes)).toBeUndefined();
  expect(notes).toEqual(['tests of base, as they were: 1 failed, 0 of them twice']);
  rmSync(root, { recursive: true, force: true });
});

test('tests that lie where no pattern looks leave it open', async () => {
  const away = { 'lib.js': 'exports.sum = (a, b) => a + b;\n', 't/sum.js': asking(sums) };
  const given = { base: { ...away, 'lib.js': base['lib.js'] }, work: { 'lib.js': away['lib.js'] } };
  const command = { ...check, run: ['node', '--test', '--test-reporter=tap', 't/sum.js'] };
  expect(await refusal({ ...given, checks: [command] })).toEqual(['indeterminate', 'not-told']);
  expect(await refusal({ ...given, checks: [{ ...command, files: ['t/**'] }] })).toEqual(['pass', '']);
});

test('new tests may be about any function of a file, and have to ask something of it', async () => {
  const many = Array.from({ length: 20 }, (_, n) => `exports.f${n} = (x) => x + ${n};`).join('\n');
  const given = (name: string, condition: string): Case => ({
    base: { 'lib.js': many, 'test/sum.test.js': asking(asks('first', 'lib.f0(1) === 1')) },
    work: { 'test/more.test.js': asking(asks(name, condition)) },
    checks: [check],
    kind: 'tests',
  });
  expect(await refusal(given('last', 'lib.f19(1) === 20'))).toEqual(['pass', '']);
  expect(await refusal(given('idle', 'lib.f19'))).toEqual(['fail', 'no-red-on-base']);
});
