import { describe, expect, it } from 'vitest';
import { png } from '../../../tests/fixtures/png.ts';
import { triedOn } from '../../../tests/fixtures/tried-criteria.ts';
import { checkKinds } from '../checks/index.ts';

const TEST = `const { test } = require('node:test');
const assert = require('node:assert');
const { sum } = require('../sum.js');
test('sums', () => assert.equal(sum(1, 2), 3));
`;
const reporters = ['tap', 'stdout', 'lcov', 'lcov.info'].map((word, n) =>
  n % 2 === 0 ? `--test-reporter=${word}` : `--test-reporter-destination=${word}`,
);
const tests = {
  id: 'tests',
  kind: 'tests',
  run: ['node', '--test', '--experimental-test-coverage', ...reporters, 'test/sum.test.js'],
  report: { format: 'node' },
};
const covered = { id: 'covered', kind: 'coverage', path: 'lcov.info', format: 'lcov' };
const mutants = { id: 'mutants', kind: 'mutation', of: 'tests' };
const EXAMPLES = '.countersign/acceptance/default.yaml';
const packed = { id: 'package', kind: 'artifact', pack: 'npm', examples: EXAMPLES };
const picture = png({
  width: 40,
  height: 30,
  line: (y) => Array.from({ length: 120 }, (_, x) => (x * y) % 251),
});
const shot = { id: 'shot', kind: 'image', path: 'shots/a.png', width: 40, height: 30 };
const take = {
  id: 'take',
  kind: 'command',
  run: ['node', '-e', `fs.mkdirSync('shots', {recursive: true}); fs.copyFileSync('sum.png', 'shots/a.png')`],
  report: { format: 'exit' },
};
const files = {
  'package.json': '{"name": "sum", "version": "1.0.0", "main": "sum.js"}',
  'sum.js': 'exports.sum = (a, b) => a + b;\n',
  'sum.png': picture,
  'test/sum.test.js': TEST,
  [EXAMPLES]: JSON.stringify({
    schema: 'countersign/acceptance/1',
    examples: [{ id: 'adds', call: { export: 'sum', args: [1, 2] }, returns: 3 }],
  }),
};

it('shows of each kind that it can fail, where the criteria are right', async () => {
  const all = [
    mutants,
    tests,
    { ...covered, changed_lines: 80 },
    { ...covered, id: 'lines', lines: 60 },
    take,
    shot,
    packed,
    { id: 'change', kind: 'diff' },
    { id: 'sum', kind: 'file', path: 'sum.js' },
    { id: 'reviewed', kind: 'review' },
    { id: 'approved', kind: 'approval' },
  ];
  expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(checkKinds));
  const told = await triedOn(files, all);
  expect(told.map(({ id, onHead, because }) => `${id}, ${onHead}: ${because}`)).toEqual([
    'mutants, not-run: fails with a function that no test runs',
    'tests, pass: fails with a test that must fail in every test file',
    'covered, pass: fails with a function that no test runs',
    'lines, pass: fails with a function that no test runs',
    'take, pass: fails with every file removed but the manifests, though it passes with every source file broken',
    'shot, pass: fails with a blank image at shots/a.png',
    'package, not-run: fails with a package that answers nothing',
    expect.stringMatching(/^change, not-run: fails with .* changed$/),
    'sum, pass: fails with sum.js removed',
    'reviewed, not-run: fails with nobody having said anything',
    'approved, not-run: fails with nobody having said anything',
  ]);
  expect(told.every(({ canFail, output }) => canFail === 'yes' && output.length === 0)).toBe(true);
});

describe('coverage cannot fail', () => {
  it('where nothing is asked of it', async () => {
    const told = await triedOn(files, [tests, { ...covered, changed_lines: 0 }]);
    expect(told[1]).toMatchObject({ canFail: 'no', because: 'passes with a function that no test runs' });
  });

  it('where the report is always the same', async () => {
    const kept = 'SF:sum.js\nDA:1,1\nend_of_record\n';
    const run = ['node', '-e', `fs.writeFileSync('lcov.info', ${JSON.stringify(kept)})`];
    const made = { id: 'made', kind: 'command', run, report: { format: 'exit' } };
    const told = await triedOn(files, [made, { ...covered, changed_lines: 80 }]);
    expect(told[1]).toMatchObject({ onHead: 'pass', canFail: 'no' });
  });

  it('and is not shown to where its patterns match nothing', async () => {
    const told = await triedOn(files, [tests, { ...covered, changed_lines: 80, in: ['scr/**'] }]);
    expect(told[1]).toMatchObject({ onHead: 'pass', canFail: 'not-told' });
  });
});

it('coverage of a language of which no function can be written goes by a report', async () => {
  const run = ['node', '-e', `fs.writeFileSync('c.xml', fs.readFileSync('kept.xml'))`];
  const kept =
    '<coverage><packages><package><classes><class filename="a/Sum.java"><lines><line number="1" hits="1"/></lines></class></classes></package></packages></coverage>';
  const checks = [
    { id: 'made', kind: 'command', run, report: { format: 'exit' } },
    { id: 'covered', kind: 'coverage', path: 'c.xml', format: 'cobertura', changed_lines: 1, lines: 1 },
  ];
  const told = await triedOn({ 'a/Sum.java': 'class Sum {}\n', 'kept.xml': kept }, checks);
  expect(told[1]).toMatchObject({
    canFail: 'yes',
    because: 'fails with a report that says that no line ran',
  });
});

describe('an artefact', () => {
  const only = async (more: Readonly<Record<string, string>>, check: object) => {
    const [told] = await triedOn({ ...files, ...more }, [{ ...packed, ...check }]);
    return told;
  };

  it('is not shown to be judged without the examples that the criteria name', async () => {
    const told = await only({}, { examples: 'none.yaml' });
    expect(told).toMatchObject({ canFail: 'not-told' });
    expect(told?.because).toMatch(/^stays open with a package that answers nothing: base has no none.yaml$/);
  });

  it('that only has to load, as modules of both kinds and as a program', async () => {
    const { examples: _, ...loads } = packed;
    const exports = { '.': { import: './sum.mjs', require: './sum.js' }, './sub': './sum.js' };
    const manifest = JSON.stringify({
      name: 'sum',
      version: '1.0.0',
      exports,
      bin: 'sum.js',
      type: 'commonjs',
    });
    const more = { 'package.json': manifest, 'sum.mjs': 'export const sum = (a, b) => a + b;' };
    const [told] = await triedOn({ ...files, ...more }, [loads]);
    expect(told).toMatchObject({ canFail: 'yes', because: 'fails with a package that cannot be loaded' });
  });

  it('is told apart by examples to which no answer is an answer', async () => {
    const examples = [{ id: 'nothing', call: { export: 'sum', args: [] }, returns: { $undefined: true } }];
    const told = await only(
      {
        'sum.js': 'exports.sum = () => {};',
        [EXAMPLES]: JSON.stringify({ schema: 'countersign/acceptance/1', examples }),
      },
      {},
    );
    expect(told?.because).toBe(
      'fails with a package that cannot be loaded, though it passes with a package that answers nothing',
    );
  });

  it('goes by examples of programs as well', async () => {
    const examples = [{ id: 'tool', bin: 'sum', exit: 0, stdout: { contains: '3' } }];
    const told = await only(
      {
        'package.json':
          '{"name": "sum", "version": "1.0.0", "bin": {"sum": "tool.js"}, "files": ["tool.js"]}',
        'tool.js': '#!/usr/bin/env node\nconsole.log(3);\n',
        [EXAMPLES]: JSON.stringify({ schema: 'countersign/acceptance/1', examples }),
      },
      {},
    );
    expect(told).toMatchObject({ canFail: 'yes', because: 'fails with a package that answers nothing' });
  });
});

describe('others cannot fail', () => {
  it('mutants of work that they have no part in, and of tests that notice nothing', async () => {
    const other = await triedOn(files, [tests, mutants], { applies_to: ['docs'] });
    expect(other[1]).toMatchObject({ canFail: 'no', because: 'passes with a function that no test runs' });
    const run = ['printf', 'TAP version 13\\nok 1 - a\\n1..1\\n'];
    const blind = await triedOn(files, [{ ...tests, run, report: { format: 'tap' } }, mutants]);
    expect(blind.map(({ canFail }) => canFail)).toEqual(['no', 'no']);
  });
});

it.each(['code', 'chore', 'docs', 'research'])(
  'a change is asked for something where nothing is protected or forbidden: %s',
  async (kind) => {
    const check = { id: 'change', kind: 'diff', protected: [], forbid: [] };
    const [told] = await triedOn(files, [check], { applies_to: [kind] });
    expect(told).toMatchObject({ canFail: 'yes' });
  },
);

it('a picture that is committed, and one that may be blank', async () => {
  const here = { ...shot, path: 'sum.png', from: 'commit' };
  const told = await triedOn(files, [
    here,
    { ...here, id: 'blank', allow_blank: true },
    { ...shot, path: 'sum.png', id: 'old' },
  ]);
  expect(told.map(({ onHead, because }) => `${onHead}: ${because}`)).toEqual([
    'pass: fails with a blank image at sum.png',
    'pass: fails with sum.png removed, though it passes with a blank image at sum.png',
    'fail: on the commit as it is: sum.png is the committed file: this run did not write it',
  ]);
});

it('asks without the build what a build keeps from being asked', async () => {
  const lint = {
    id: 'lint',
    kind: 'command',
    run: ['node', '--check', 'sum.js'],
    report: { format: 'exit' },
  };
  const setup = { install: 'none', build: [['node', 'sum.js']] };
  const [told, blind] = await triedOn(files, [lint, { ...lint, id: 'blind', run: ['true'] }], { setup });
  expect(told).toMatchObject({ canFail: 'yes', because: 'fails with every source file broken, not built' });
  expect(blind).toMatchObject({ onHead: 'pass', canFail: 'not-told' });
});

it('shows the end of what a check wrote that does not pass as things are', async () => {
  const said = `for (let n = 0; n < 30; n++) console.error('line ' + n); console.log('\\u001b[31mred\\u001b[0m'); process.exit(1)`;
  const run = { kind: 'command', run: ['node', '-e', said] };
  const told = await triedOn(files, [
    { ...run, id: 'report', report: { format: 'tap' } },
    { ...run, id: 'exit', report: { format: 'exit' } },
    { id: 'gone', kind: 'file', path: 'gone' },
  ]);
  expect(told.map(({ canFail, output }) => [canFail, output.length])).toEqual([
    ['not-told', 20],
    ['not-told', 20],
    ['not-told', 0],
  ]);
  expect(told[0]?.output.at(-1)).toBe('red');
  expect(told[0]?.output[0]).toBe('line 11');
});
