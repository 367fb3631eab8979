import { expect, test } from 'vitest';
import { type Case, changeOf, headOf, judgedCheck } from '../../../tests/fixtures/judged.ts';
import { parseCriteria } from '../criteria.ts';
import { toSign } from '../sign-off.ts';

const check = {
  id: 'tests',
  kind: 'tests',
  run: ['node', '--test', '--test-reporter=tap', 'test/'],
  report: { format: 'node' },
};
const asking = (...tests: readonly string[]) =>
  ["const { test } = require('node:test');", "const lib = require('../lib.js');", ...tests].join('\n');
const named = (name: string) => `test('${name}', () => { if (lib.one() !== 1) throw new Error(); });`;

const base = {
  'lib.js': 'exports.one = () => 1;\nexports.old = () => 0;\n',
  'test/one.test.js': asking(named('one')),
  'test/old.test.js': asking(named('old')),
  'test/if.test.js': asking(`if (lib.old) ${named('while there is an old one')}`),
};

/** The outcome of work whose changed tests somebody outside the lineage signed off. */
const signed = (work: Case['work']) => signedBy(base, work, check);

async function signedBy(base: Case['base'], work: Case['work'], check: object): Promise<readonly string[]> {
  const given = { base, work, checks: [check], kind: 'refactor' };
  const text = JSON.stringify({ schema: 'countersign/criteria/1', name: 'default', checks: [check] });
  const criteria = await parseCriteria(Buffer.from(text), 'criteria.json');
  const sign = await toSign(criteria, changeOf(base, headOf(given)), { kind: 'refactor', noChange: false });
  const statement = { kind: 'sign-off', by: 'ada', role: 'reviewer', human: false, outside: true } as const;
  const statements = [{ ...statement, outcome: 'approve' as const, digest: sign?.digest ?? '' }];
  const { outcome, reason, explanation } = await judgedCheck({ ...given, statements });
  return [outcome, reason, explanation];
}

test('a removed test file is gone for good only when that was signed off', async () => {
  const work = { 'test/old.test.js': undefined };
  const alone = await judgedCheck({ base, work, checks: [check], kind: 'refactor' });
  expect([alone.outcome, alone.reason]).toEqual(['fail', 'test-missing']);
  expect((await signed(work)).slice(0, 2)).toEqual(['pass', '']);
});

test('what was signed off excuses the tests of these files, no others', async () => {
  const [outcome, reason, explanation] = await signed({
    'lib.js': 'exports.one = () => 1;\n',
    'test/old.test.js': undefined,
  });
  expect([outcome, reason]).toEqual(['fail', 'test-missing']);
  expect(explanation).toMatch(/^1 tests .*"while there is an old one"/);
});

test('where base cannot end with what was signed off, nothing is excused but what stands there', async () => {
  // All in one process: one import that base lacks ends them all, without a report.
  const run = [
    'node',
    '-e',
    "for (const f of ['neg', 'sum']) require('./test/' + f + '.js'); console.log('1..' + global.n)",
  ];
  const tap = { id: 'tests', kind: 'tests', run, report: { format: 'tap' }, files: ['test/**'] };
  const ok = (name: string) =>
    `global.n = (global.n ?? 0) + 1; console.log('ok ' + global.n + ' - ${name}');`;
  const before = {
    'lib.js': 'exports.ready = true;\n',
    // It has the word, and not the test of that name.
    'test/neg.js': `const sum = 0; ${ok('neg')}`,
    'test/sum.js': `if (require('../lib.js').ready) { ${ok('sum')} }`,
  };
  const work = {
    'lib.js': 'exports.ready = false;\n',
    'minus.js': 'exports.minus = 1;\n',
    'test/neg.js': `require('../minus.js'); const sum = 0; ${ok('neg')}`,
  };
  const [outcome, reason, explanation] = await signedBy(before, work, {
    ...tap,
    controls: ['census', 'base-tests'],
  });
  expect([outcome, reason]).toEqual(['fail', 'test-missing']);
  expect(explanation).toContain('"sum"');
});

test('a signed helper excuses no test of another file that cannot be loaded with it', async () => {
  const before = {
    ...base,
    'test/support/one.js': 'exports.one = (lib) => { if (lib.one() !== 1) throw new Error(); };\n',
    'test/helped.test.js': asking(
      "const { one } = require('./support/one.js').made();",
      "test('with help', () => one(lib));",
    ),
  };
  const made = `${before['test/support/one.js']}exports.made = () => exports;\n`;
  const [outcome, reason] = await signedBy(
    { ...before, 'test/support/one.js': made },
    {
      'test/support/one.js': before['test/support/one.js'],
      // Still there, and no longer about anything.
      'lib.js': `${base['lib.js']}if (process.argv[1].endsWith('helped.test.js')) process.exit(0);\n`,
    },
    { ...check, controls: ['census'] },
  );
  expect([outcome, reason]).toEqual(['fail', 'test-missing']);
});

test('a signed removal of a file from which tests are made excuses these tests', async () => {
  const each =
    "for (const file of require('node:fs').readdirSync('test/cases')) test(file.slice(0, 3), () => { if (lib.one() !== 1) throw new Error(); });";
  const before = {
    ...base,
    'test/each.test.js': asking(each),
    'test/cases/one.txt': '1',
    'test/cases/two.txt': '2',
  };
  const [outcome, reason] = await signedBy(before, { 'test/cases/two.txt': undefined }, check);
  expect([outcome, reason]).toEqual(['pass', '']);
});
