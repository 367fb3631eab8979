import { describe, expect, it } from 'vitest';
import { changeOf } from '../../../tests/change-of.ts';
import { parseCriteria } from '../criteria.ts';
import type { RunCommand } from '../diff/started/started-files.ts';
import { toSign } from '../sign-off.ts';
import { testPatterns } from '../test-files.ts';
import { testSupport } from './test-support.ts';

type Files = Readonly<Record<string, string>>;

/** What counts as support when all of base but the manifest changes. */
const support = async (base: Files, commands: readonly RunCommand[] = [], patterns = testPatterns) => {
  const head = Object.fromEntries(
    Object.entries(base).map(([path, text]) => [path, path.endsWith('package.json') ? text : `${text}\n`]),
  );
  return [...(await testSupport(changeOf(base, head), patterns, commands))].sort();
};

const main = { 'package.json': '{"main":"src/index.js"}', 'src/index.js': 'exports.sum = (a, b) => a + b;' };
const uses = (...paths: readonly string[]) => paths.map((path) => `require('${path}');`).join('\n');
const check =
  "const assert = require('node:assert');\nexports.same = (a, b) => { assert.strictEqual(a, b); };";

describe('support of tests', () => {
  it.each<[string, Files, readonly string[]]>([
    [
      'a helper that asserts',
      { 'support/check.js': check, 'test/a.test.js': uses('../support/check.js', '../src') },
      ['support/check.js'],
    ],
    ['one that lies at the top', { 'same.js': check, 'test/a.test.js': uses('../same') }, ['same.js']],
    [
      'one that uses a test library',
      {
        'src/render.ts': "import { render } from '@testing-library/react';",
        'src/a.test.ts': "import './render.ts'",
      },
      ['src/render.ts'],
    ],
    [
      'a mock by its folder',
      { 'mocks/server.js': 'exports.a = 1', 'test/a.test.js': uses('../mocks/server.js') },
      ['mocks/server.js'],
    ],
    [
      'expected values',
      { 'data/sum.json': '3', 'test/a.test.js': uses('../data/sum.json') },
      ['data/sum.json'],
    ],
    [
      'expected values by their name',
      { 'data/sum.json': '3', 'test/a.test.js': "read(join(root, 'data', 'sum.json'))" },
      ['data/sum.json'],
    ],
    ['a plain text', { 'data/sum.txt': '3', 'test/a.test.js': "read('data/sum.txt')" }, ['data/sum.txt']],
    [
      'a folder of them',
      { 'cases/a.json': '', 'cases/b/c.yaml': '', 'test/a.test.js': "readdirSync('../cases')" },
      ['cases/a.json', 'cases/b/c.yaml'],
    ],
    [
      'what helpers use',
      {
        'support/check.js': `${check}require('./near.js')`,
        'support/near.js': 'exports.near = 1',
        'support/a.json': '',
        'test/a.test.js': uses('../support/check.js'),
      },
      ['support/check.js', 'support/near.js'],
    ],
    [
      'helpers that use each other',
      {
        'support/a.js': uses('./b.js'),
        'support/b.js': uses('./a.js'),
        'test/a.test.js': uses('../support/a.js'),
      },
      ['support/a.js', 'support/b.js'],
    ],
    [
      'of Python',
      { 'checks/near.py': 'import unittest\n', 'tests/test_a.py': 'from checks.near import same\n' },
      ['checks/near.py'],
    ],
    [
      'what only a script writes besides',
      {
        'data/sum.json': '3',
        'scripts/write.js': "write('data/sum.json')",
        'test/a.test.js': uses('../data/sum.json'),
      },
      ['data/sum.json'],
    ],
    [
      'what the settings of a runner load',
      { 'near.js': check, 'jest.config.js': "module.exports = { setupFilesAfterEnv: ['./near.js'] }" },
      ['near.js'],
    ],
  ])('is %s', async (_, files, found) => expect(await support({ ...main, ...files })).toEqual(found));

  it.each<[string, Files]>([
    ['a module that tests import', { 'test/a.test.js': uses('../src/index.js') }],
    [
      'a module without a manifest',
      { 'package.json': '{}', 'sum.js': 'exports.sum = 1', 'test/a.test.js': uses('../sum.js') },
    ],
    [
      'a module that says what it expects',
      {
        'package.json': '{}',
        'parse.js': "const assert = require('assert'); assert(a > 1);",
        'test/a.test.js': uses('../parse.js'),
      },
    ],
    [
      'an assertion library of the product',
      { 'src/index.js': uses('./same.js'), 'src/same.js': check, 'test/a.test.js': uses('../src/same.js') },
    ],
    [
      'data of the product',
      {
        'src/index.js': uses('./table.json'),
        'src/table.json': '',
        'test/a.test.js': uses('../src/table.json'),
      },
    ],
    [
      'data that the product finds by a template',
      {
        'src/index.js': 'import(`./words/\x24{language}.json`)',
        'src/words/de.json': '',
        'test/a.test.js': uses('../src/words/de.json'),
      },
    ],
    [
      'data that is published',
      {
        'package.json': '{"files":["schemas"]}',
        'schemas/a.json': '',
        'test/a.test.js': uses('../schemas/a.json'),
      },
    ],
    [
      'an entry',
      {
        'package.json': '{"exports":{".":"./data/a.json"}}',
        'data/a.json': '',
        'test/a.test.js': uses('../data/a.json'),
      },
    ],
    [
      'words for people',
      { 'README.md': '', 'docs/a.txt': '', 'test/a.test.js': "read('../README.md', '../docs/a.txt')" },
    ],
    [
      'helpers of the product',
      {
        'src/index.js': uses('./helpers/format.js'),
        'src/helpers/format.js': 'x',
        'test/a.test.js': uses('../src/helpers/format.js'),
      },
    ],
    ['what nobody mentions', { 'support/check.js': check, 'data/a.json': '' }],
  ])('is not %s', async (_, files) => expect(await support({ ...main, ...files })).toEqual([]));

  it('is what a command hands to a test runner', async () => {
    const files = { ...main, 't/neg.js': "test('negates', () => {})", 't/all.js': '', 't/data.js': '' };
    const run = (...argv: readonly string[]) => [{ argv, directory: '', watched: true }];
    expect(await support(files, run('node', '--test', 't/neg.js', 't/all.js'))).toEqual([
      't/all.js',
      't/neg.js',
    ]);
    expect(await support(files, run('npx', 'tape', 't/*.js'))).toEqual(['t/neg.js']);
    expect(await support(files, run('npx', 'tap', 't'))).toEqual(['t/neg.js']);
  });

  it('is none of what is new, nor of what the patterns cover', async () => {
    const test = { 'test/a.test.js': uses('../support/check.js', '../fixtures/a.json') };
    const base = { ...main, ...test, 'fixtures/a.json': '1' };
    const change = changeOf(base, { ...base, 'fixtures/a.json': '2', 'support/check.js': check });
    expect([...(await testSupport(change, testPatterns, []))]).toEqual([]);
    expect([...(await testSupport(change, ['test/**'], []))]).toEqual(['fixtures/a.json']);
  });

  it('can be signed off, with the files that checks start', async () => {
    const criteria = await parseCriteria(
      Buffer.from(
        JSON.stringify({
          schema: 'countersign/criteria/1',
          name: 'default',
          checks: [
            { id: 'tests', kind: 'tests', run: ['node', '--test'], report: { format: 'node' } },
            { id: 'lint', kind: 'command', run: ['node', 'scripts/lint.js'], report: { format: 'exit' } },
            { id: 'change', kind: 'diff' },
          ],
        }),
      ),
      'criteria.json',
    );
    const base = {
      ...main,
      'support/check.js': check,
      'scripts/lint.js': 'a',
      'data/a.json': '1',
      'test/a.test.js': uses('../support/check.js', '../data/a.json'),
    };
    const change = changeOf(base, {
      ...base,
      'support/check.js': '',
      'scripts/lint.js': '',
      'data/a.json': '2',
      'src/index.js': '',
    });
    const sign = await toSign(criteria, change, { kind: 'code', noChange: false });
    expect(sign?.files.map(({ path }) => path)).toEqual([
      'data/a.json',
      'scripts/lint.js',
      'support/check.js',
    ]);
  });
});
