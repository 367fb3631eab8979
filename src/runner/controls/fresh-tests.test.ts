import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Case, judgedCheck } from '../../../tests/fixtures/judged.ts';

/** Two test programs: one whose report names no files, and one that names them and runs all of them in one process. */
const programs = {
  node: { run: ['node', '--test', '--test-reporter=tap', 'test/'], report: { format: 'node' } },
  mocha: {
    run: [
      'node',
      join(resolve(import.meta.dirname, '../../..'), 'node_modules/mocha/bin/mocha.js'),
      ...['--reporter', 'json', '--reporter-option', 'output=report.json', 'test/**/*.js'],
    ],
    report: { format: 'mocha', path: 'report.json' },
  },
} as const;
type Program = keyof typeof programs;
const both = ['node', 'mocha'] as const;

const suite = (program: Program, head: string, ...tests: readonly (readonly [string, string])[]) =>
  [
    ...(program === 'node' ? ["const { test: it } = require('node:test');"] : []),
    "const assert = require('node:assert');",
    "const { add } = require('../sum.js');",
    head,
    ...tests.map(([name, body]) => `it('${name}', () => {\n  ${body}\n});`),
    '',
  ].join('\n');
const adds = ['adds', 'assert.strictEqual(add(1, 2), 3);'] as const;
const idle = ['is mended', 'assert.strictEqual([1, 2].length, 2);'] as const;
const style = [
  'sources are strict',
  "assert.match(require('node:fs').readFileSync(require.resolve('../sum.js'), 'utf8'), /^'use strict'/);",
] as const;

const wrong = "'use strict';\nexports.add = (a, b) => a + Math.abs(b);\n";
const same =
  "'use strict';\nexports.add = (a, b) => {\n  const other = Math.abs(b);\n  return a + other;\n};\n";
const mended = "'use strict';\nexports.add = (a, b) => a + b;\n";
const negative = ['adds a negative', 'assert.strictEqual(add(1, -2), -1);'] as const;

const refusal = async (program: Program, work: Case['work'], more: Partial<Case> = {}) => {
  const base = { 'sum.js': wrong, 'test/sum.test.js': suite(program, '', adds) };
  const check = { id: 'tests', kind: 'tests', ...programs[program] };
  const given = { work, checks: [check], ...more, base: { ...base, ...more.base } };
  const { outcome, reason, explanation } = await judgedCheck(given);
  return [outcome, outcome === 'indeterminate' ? explanation : reason];
};

describe('tests of base show nothing by what they load besides', () => {
  it.each(both)('%s: a new module that base does not have', async (program) => {
    const work = {
      'sum.js': same,
      'more.js': 'exports.more = 1;\n',
      'test/sum.test.js': suite(program, "require('../more.js');", adds),
    };
    expect(await refusal(program, work)).toEqual(['fail', 'no-red-on-base']);
    const more = { ...work, 'test/sum.test.js': suite(program, "require('../more.js');", adds, idle) };
    expect(await refusal(program, more)).toEqual(['fail', 'no-red-on-base']);
    const moved = { ...work, 'test/sum.test.js': undefined, 'test/a.test.js': work['test/sum.test.js'] };
    expect(await refusal(program, moved)).toEqual(['fail', 'no-red-on-base']);
  });

  it.each(both)('%s: an entry of the package that base cannot serve', async (program) => {
    const asking = (...tests: Parameters<typeof suite>[2][]) =>
      suite(program, '', ...tests).replace("'../sum.js'", "'..'");
    const base = { 'package.json': '{"main": "sum.js"}\n', 'test/sum.test.js': asking(adds) };
    const work = {
      'package.json': '{"main": "main.js"}\n',
      'main.js': "module.exports = require('./sum.js');\n",
      'sum.js': same,
      'test/sum.test.js': asking(adds, idle),
    };
    expect(await refusal(program, work, { base })).toEqual(['fail', 'no-red-on-base']);
    const honest = { ...work, 'sum.js': mended, 'test/sum.test.js': asking(adds, negative) };
    expect(await refusal(program, honest, { base })).toEqual(['pass', '']);
  });

  it.each(both)(
    '%s: what asks every source for the same goes red on base by what is planted there',
    async (program) => {
      const base = { 'test/style.test.js': suite(program, '', style) };
      const lazy = { 'sum.js': same, 'test/sum.test.js': suite(program, '', adds, idle) };
      expect(await refusal(program, lazy, { base })).toEqual(['fail', 'no-red-on-base']);
      const honest = { 'sum.js': mended, 'test/sum.test.js': suite(program, '', adds, negative) };
      expect(await refusal(program, honest, { base })).toEqual(['pass', '']);
      const beside = { ...honest, 'test/style.test.js': suite(program, '', style, negative) };
      expect(await refusal(program, beside, { base })).toEqual(['pass', '']);
    },
  );
});

describe('a table or a helper that reads differently', () => {
  const table = (...rows: readonly (readonly number[])[]) => `const rows = ${JSON.stringify(rows)};`;
  const all = ['all rows', 'for (const [a, b, sum] of rows) assert.strictEqual(add(a, b), sum);'] as const;

  it.each(both)('%s: makes a test of base another one', async (program) => {
    const base = { 'test/sum.test.js': suite(program, table([1, 2, 3]), all) };
    const work = { 'sum.js': mended, 'test/sum.test.js': suite(program, table([1, 2, 3], [1, -2, -1]), all) };
    expect(await refusal(program, work, { base })).toEqual(['pass', '']);
    const more = { 'test/sum.test.js': suite(program, table([1, 2, 3], [0, 0, 0]), all) };
    expect(await refusal(program, more, { base, kind: 'tests' })).toEqual(['pass', '']);
  });

  it.each(both)('%s: of code that was there it shows nothing when base cannot be loaded', async (program) => {
    const head = "require('../more.js');\nconst unused = 1;";
    const work = {
      'sum.js': same,
      'more.js': 'exports.more = 1;\n',
      'test/sum.test.js': suite(program, head, adds),
    };
    expect(await refusal(program, work)).toEqual(['fail', 'no-red-on-base']);
  });
});

describe('work that is tests alone', () => {
  const only = (program: Program, work: Case['work'], base: Case['base'] = {}) =>
    refusal(program, work, { kind: 'tests', base });

  it.each(both)(
    '%s: has to bring a test that notices a change, whatever those of base notice',
    async (program) => {
      const grown = (...tests: Parameters<typeof suite>[2][]) => ({
        'test/sum.test.js': suite(program, '', adds, ...tests),
      });
      expect(await only(program, grown(idle))).toEqual(['fail', 'no-red-on-base']);
      expect(await only(program, { 'test/sum.test.js': `${grown()['test/sum.test.js']}// more\n` })).toEqual([
        'fail',
        'no-new-test',
      ]);
      expect(await only(program, grown(['adds more', 'assert.strictEqual(add(2, 2), 4);']))).toEqual([
        'pass',
        '',
      ]);
    },
  );

  it.each(both)('%s: has to name something of the project, if by way of a helper', async (program) => {
    const nothing = suite(program, '', idle).replace("const { add } = require('../sum.js');\n", '');
    expect(await only(program, { 'test/new.test.js': nothing })).toEqual(['fail', 'no-red-on-base']);
    const helper = {
      'test/helpers/make.js': "const { add } = require('../../sum.js');\nexports.two = (n) => add(n, n);\n",
    };
    const through = suite(program, "const { two } = require('./helpers/make.js');", [
      'twice',
      'assert.strictEqual(two(2), 4);',
    ]).replace("const { add } = require('../sum.js');\n", '');
    expect(await only(program, { 'test/new.test.js': through }, helper)).toEqual(['pass', '']);
  });

  it.each([
    ['a script by its path', "execFileSync('sh', ['scripts/count.sh', 'a']).toString().trim(), '1'"],
    ['data by its path', "JSON.parse(readFileSync('data/all.json', 'utf8')).length, 2"],
    [
      'a program that the manifest installs',
      "execFileSync('sh', ['-c', '[ -z \"$NEVER\" ] || counter; echo 1']).toString().trim(), '1'",
    ],
  ])('may name %s, where nothing of it can be tried', async (_, asked) => {
    const base = {
      'package.json': '{"name": "sums", "bin": {"counter": "scripts/count.sh"}}\n',
      'scripts/count.sh': 'echo $#\n',
      'data/all.json': '[1, 2]\n',
    };
    const head =
      "const { execFileSync } = require('node:child_process');\nconst { readFileSync } = require('node:fs');\n";
    const text = suite('node', head, ['counts', `assert.strictEqual(${asked});`]);
    const apart = text.replace("const { add } = require('../sum.js');\n", '');
    expect(await only('node', { 'test/new.test.js': apart }, base)).toEqual(['pass', '']);
    const lazy = apart.replace(/scripts.count.sh|data.all.json|counter;/, 'other ');
    const made = { 'test/new.test.js': lazy.replace(/assert.strictEqual.*/, 'assert.ok(1);') };
    expect(await only('node', made, base)).toEqual(['fail', 'no-red-on-base']);
  });

  it('looks for what they are about where the manifest of the folder above says', async () => {
    const above = (...tests: Parameters<typeof suite>[2][]) => ({
      'test/new.test.js': suite('node', '', ...tests).replace('../sum.js', '../'),
    });
    const base = { 'package.json': '{"main": "sum.js"}\n' };
    expect(await only('node', above(['more', 'assert.strictEqual(add(2, 2), 4);']), base)).toEqual([
      'pass',
      '',
    ]);
    expect(await only('node', above(idle), base)).toEqual(['fail', 'no-red-on-base']);
  });

  it('looks for what they are about behind an index', async () => {
    const base = {
      'index.js': "exports.add = require('./sum.js').add;\n",
      'test/sum.test.js': suite('node', '', adds).replace('../sum.js', '../index.js'),
    };
    const work = (...tests: Parameters<typeof suite>[2][]) => ({
      'test/sum.test.js': suite('node', '', adds, ...tests).replace('../sum.js', '../index.js'),
    });
    expect(await only('node', work(idle), base)).toEqual(['fail', 'no-red-on-base']);
    expect(await only('node', work(['more', 'assert.strictEqual(add(2, 2), 4);']), base)).toEqual([
      'pass',
      '',
    ]);
  });
});

describe('a failing test of base', () => {
  it('does not pass by what another file of tests puts in the place of the program', async () => {
    const base = {
      'sum.js': wrong,
      'test/sum.test.js': suite('mocha', '', adds, negative)
        .replace('const { add } =', 'const sums =')
        .replaceAll('add(', 'sums.add('),
    };
    const work = {
      'right.js': mended,
      'test/a.test.js':
        "const assert = require('node:assert');\nconst right = require('../right.js');\nrequire('../sum.js').add = right.add;\nit('is right', () => {\n  assert.strictEqual(right.add(1, -2), -1);\n});\n",
    };
    expect(await refusal('mocha', work, { base })).toEqual(['fail', 'base-test-failed']);
    const honest = { ...work, 'sum.js': mended };
    expect(await refusal('mocha', honest, { base })).toEqual(['pass', '']);
  });
});

describe('a test that base could not load, and that is called like another one', () => {
  // node names no files: which of two tests is which, their order alone tells, and the new file comes first.
  const product = { 'product.js': 'exports.times = (a, b) => {\n  return a * b;\n};\n' };
  const fresh = (asked: string, name = 'adds') =>
    `const { test } = require('node:test');\nconst assert = require('node:assert');\nconst product = require('../product.js');\ntest('${name}', () => {\n  ${asked};\n});\n`;
  const base = { 'sum.js': mended, 'test/sum.test.js': suite('node', '', adds) };
  const judged = (work: Case['work'], kind = 'code') => refusal('node', work, { base, kind });
  const exact = fresh('assert.strictEqual(product.times(2, 3), 6)');

  it('shows the change if it notices other code itself', async () => {
    expect(await judged({ ...product, 'test/product.test.js': exact })).toEqual(['pass', '']);
    const lazy = fresh('assert.ok(product.times)');
    expect(await judged({ ...product, 'test/product.test.js': lazy })).toEqual(['fail', 'no-red-on-base']);
  });

  it('does not where the other one notices it, nor where its name is put together', async () => {
    const work = {
      'sum.js': same.replace('Math.abs(b)', 'b'),
      'product.js': "module.exports = require('./sum.js');\n",
    };
    const lazy = fresh('assert.ok(product)');
    expect(await judged({ ...work, 'test/product.test.js': lazy })).toEqual(['fail', 'no-red-on-base']);
    const computed = lazy.replace("test('adds'", "const title = 'is there';\ntest(title");
    const loading = suite('node', "require('../product.js');", adds);
    expect(await judged({ ...work, 'test/product.test.js': computed, 'test/sum.test.js': loading })).toEqual([
      'fail',
      'no-red-on-base',
    ]);
  });

  it('counts as new where tests are the whole work', async () => {
    const given = { ...base, ...product };
    const only = (text: string) =>
      refusal('node', { 'test/product.test.js': text }, { base: given, kind: 'tests' });
    expect(await only(exact)).toEqual(['pass', '']);
    expect(await only(fresh('assert.ok(product)'))).toEqual(['fail', 'no-red-on-base']);
  });
});
