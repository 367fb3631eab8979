import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshFolder } from '../../../tests/fixtures/scratch-repo.ts';
import type { Random } from './neutral-name.ts';
import { renameTests, withOwnNames } from './renamed-tests.ts';

const random: Random = (bytes) => crypto.getRandomValues(new Uint8Array(bytes));

/** What was renamed, and the texts after that. */
async function renamed(
  files: Readonly<Record<string, string>>,
  format: 'node' | 'vitest' | 'pytest',
  tests: readonly string[] = Object.keys(files).filter((path) => path.includes('test')),
) {
  const folder = freshFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const found = await renameTests(folder, tests, format, random);
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  return { names: found.flatMap(({ names }) => [...names.values()]), read };
}

const NODE = "const { it, describe } = require('node:test');\n";

describe('a word that is called as tests are declared', () => {
  it.each([
    ['a property', 'const rule = { test: (x) => x > 0 };\n'],
    ['a method', 'class Rule {\n  test(x) {\n    return x > 0;\n  }\n}\n'],
    [
      'a function inside of another one',
      'function all() {\n  const test = (x) => x > 0;\n  return test;\n}\n',
    ],
  ])('means not %s', async (_, text) => {
    const head = "const { test } = require('node:test');\n";
    const { names } = await renamed(
      { 'test/a.js': `${head}${text}test('the new one', () => {});\n` },
      'node',
    );
    expect(names).toEqual(['the new one']);
  });

  const inside = (loads: string) => `const load = () => {\n  ${loads};\n  return test;\n};\n`;
  const listed = (from: string) => `const { test } = require('${from}')`;

  it.each([
    ['one thing of a file', inside(listed('./none')), "const { test } = require('node:test');\n"],
    [
      'one thing of a file beside a whole program',
      inside(listed('./none')),
      "import test from 'node:test';\n",
    ],
    [
      'one thing of a file, and the program as a whole',
      inside(listed('./none')),
      "const test = require('node:test');\n",
    ],
    ['a whole file', inside("const test = require('./none')"), "const test = require('node:test').test;\n"],
    [
      'one thing of a file beside a program under a name',
      inside(listed('./none')),
      "import * as nt from 'node:test';\nconst { test } = nt;\n",
    ],
    ...[
      'const { test } = globalThis;\n',
      "const nt = await import('node:test');\nconst { test } = nt;\n",
      "import * as nt from 'node:test';\nconst test = nt.test;\n",
      "const { test } = process.getBuiltinModule('node:test');\n",
    ].map((head) => ['one thing of a file beside what a value has', inside(listed('./data.js')), head]),
    ...[
      "import find from '../unit.js';\nconst { test } = { ...globalThis };\n",
      "import find from '../unit.js';\nconst { test } = await import('node:test');\n",
      'let test;\ntest = nt.test;\n',
      'const a = 1, test = nt.test;\n',
      'const test: any = nt.test;\n',
      "const test = require('./data.js').none\n  ?? nt.test;\n",
      "import { test as run } from 'node:test';\nconst test = (name, body) => run(name, body);\n",
      "import run from 'node:test';\nconst test = (name, body) => run(name, body);\n",
      '',
    ].map((head) => ['one thing of a file beside what is told otherwise', inside(listed('./data.js')), head]),
    ...['({ test } = nt);\n', '[test] = [nt.test];\n', 'test ??= nt.test;\n'].map((head) => [
      'nothing, but the file changes what it means',
      `let ${listed('./data.js').slice(6)};\n`,
      head,
    ]),
    ['nothing, but a text says it', ['const text = `', listed('./data.js'), '`;\n'].join('\n'), ''],
    ['one thing of another helper', inside(listed('./data.js')), "import { test } from './support.js';\n"],
    ['one thing of the project', inside(listed('myself/x')), "import { test } from 'node:test';\n"],
  ])(
    'means the test program that a file loads, where a function of it loads %s by that name',
    async (_, before, head) => {
      const files = {
        'package.json': '{ "name": "myself" }',
        'test/data.js': 'exports.test = (name, body) => body({ name });\n',
        'test/support.js': "export { test } from 'node:test';\n",
        'test/a.js': `${before}${head}test('the new one', () => {});\n`,
      };
      expect((await renamed(files, 'vitest', ['test/a.js'])).names).toEqual(['the new one']);
    },
  );

  const using = (from: string) =>
    `${NODE}const { test } = require('${from}');\nit('the own one', () => {});\ntest('a, b', (parts) => parts);\n`;

  it.each([
    [
      'a helper of the file',
      {
        'test/a.js': `${NODE}function test(input, check) {\n  it('parses ' + input, () => check(input));\n}\nit('the own one', () => {});\ntest('a, b', (parts) => parts);\n`,
      },
    ],
    [
      'a helper of another file',
      {
        'test/a.js': using('./helpers/driver.js'),
        'test/helpers/driver.js': `${NODE}exports.test = (input, expected) => {\n  it('parses ' + input, () => expected(input));\n};\n`,
      },
    ],
    [
      'a helper behind an index',
      {
        'test/a.js': using('./helpers'),
        'test/helpers/index.js': "module.exports = require('./driver');\n",
        'test/helpers/driver.js': `${NODE}module.exports = {\n  test(input, expected) {\n    it('parses ' + input, () => expected(input));\n  },\n};\n`,
      },
    ],
    [
      'the product',
      {
        'test/a.js': using('../unit.js'),
        'unit.js': 'exports.test = curried((path, ending) => path.endsWith(ending));\n',
      },
    ],
    ['what is not there yet, by a place', { 'test/a.js': using('../dist/unit.js') }],
    ['the product by its place', { 'test/a.js': using('..'), 'package.json': '{"main": "lib/unit.js"}' }],
    ['the product by its name', { 'test/a.js': using('unit'), 'package.json': '{"name": "unit"}' }],
  ])('is given no name where it is one of %s', async (_, files) => {
    expect((await renamed(files, 'node')).names).toEqual(['the own one']);
  });

  it.each([
    ['the test program', { 'test/a.js': using('node:test') }],
    [
      'a helper that takes it for the name alone',
      {
        'test/a.js': using('./driver.js'),
        'test/driver.js': `${NODE}exports.test = (title, body) => it(title, { timeout: 9 }, body);\n`,
      },
    ],
    [
      'a test program that a file hands on which another one loads within brackets',
      {
        'test/a.js': using('./driver.js'),
        'test/driver.js': "try {\n  exports.test = require('./inner.js').test;\n} catch {}\n",
        'test/inner.js': "exports.test = require('node:test').test;\n",
      },
    ],
    [
      'a test program that is handed on',
      { 'test/a.js': using('./driver.js'), 'test/driver.js': "exports.test = require('node:test').test;\n" },
    ],
    [
      'a test program that is extended',
      {
        'test/a.js': using('./driver.js'),
        'test/driver.js': "const { test: base } = require('vitest');\nexports.test = base.extend({});\n",
      },
    ],
  ])('is given a name where it is one of %s', async (_, files) => {
    expect((await renamed(files, 'node')).names).toEqual(['the own one', 'a, b']);
  });
});

it('a variable that is called as a snapshot keeps no name', async () => {
  const text = `${NODE}it('a', () => {\n  const snapshot = 1;\n});\nit('b', (t) => {\n  t.assert.snapshot(1);\n});\n`;
  expect((await renamed({ 'test/a.js': text }, 'node')).names).toEqual(['a']);
  const python = 'def test_a(snapshot):\n    assert 1 == snapshot\n';
  expect((await renamed({ 'tests/test_a.py': python }, 'pytest')).names).toEqual([]);
});

describe('a test of Python', () => {
  it('is what pytest collects, and no method of a fake', async () => {
    const text =
      'class Fake:\n    def test_connection(self):\n        return 1\n\nclass TestDouble:\n    def __init__(self, up):\n        self.up = up\n\n    def test_up(self):\n        return self.up\n\nif True:\n    def test_a():\n        assert 1\n\nclass TestB:\n    class TestInner:\n        def test_b(\n            self,\n        ):\n            assert 1\n';
    expect((await renamed({ 'tests/test_a.py': text }, 'pytest')).names).toEqual(['test_a', 'test_b']);
  });

  const contract =
    'class Contract:\n    def test_get(self):\n        assert 1\n\n    def test_none(self):\n        assert 1\n';
  const heirs =
    'class TestOne(Contract):\n    pass\n\nclass TestTwo(Contract):\n    def test_none(self):\n        assert 1\n';

  it('has one name in all classes that take from each other', async () => {
    const { names, read } = await renamed({ 'tests/test_a.py': `${contract}\n${heirs}` }, 'pytest');
    expect(names).toEqual(['test_get', 'test_none']);
    const given = [...read('tests/test_a.py').matchAll(/def (\w+)\(/g)].map(([, name]) => name);
    expect(new Set(given).size).toBe(2);
    expect(given[1]).toBe(given[2]);
  });

  it('keeps its name where a class takes from one that has it, in a file that is not renamed', async () => {
    const files = {
      'tests/contract.py': contract,
      'tests/test_a.py': `from contract import Contract\n\n${heirs}`,
    };
    expect((await renamed(files, 'pytest')).names).toEqual([]);
    expect((await renamed(files, 'pytest', ['tests/test_a.py'])).names).toEqual([]);
  });
});

describe('where every test is to have a name of its own', () => {
  const every = async (files: Readonly<Record<string, string>>, format: 'node' | 'cargo') => {
    const folder = freshFolder();
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
    const found = await renameTests(folder, Object.keys(files), format, random, { isEvery: true });
    return { found, text: readFileSync(join(folder, Object.keys(files)[0] ?? ''), 'utf8') };
  };

  it('tables and names that are put together get a text before them, which a report does not have', async () => {
    const text = `${NODE}for (const n of [1]) {\n  it(\`finds \${n}\`, () => {});\n  it('a ' + n, () => {});\n  it(n.title, () => {});\n}\nit('whole', () => {});\nit(function named() {});\n`;
    const { found, text: now } = await every({ 'a.test.js': text }, 'node');
    const [first = '', second = '', third = '', last = ''] = found[0]?.names.keys() ?? [];
    expect(now).toContain(
      `it(\`${first} finds \${n}\`, () => {});\n  it('${second} a ' + n, () => {});\n  it('${third} ' + n.title, () => {});\n}\nit('${last}', () => {});\nit(function named() {});`,
    );
    const tests = [`${first} finds 1`, `${third} b > ${last}`].map((id) => ({
      ...{ id, name: id, outcome: 'passed' as const },
    }));
    const ids = withOwnNames({ tests, complete: true }, found).tests.map(({ id }) => id);
    expect(ids).toEqual(['finds 1', 'b > whole']);
  });

  it('so have functions of Rust, but for those that something calls', async () => {
    const text = '#[test]\nfn works() {\n    called();\n}\n\n#[test]\nfn called() {}\n';
    const { found, text: now } = await every({ 'a.rs': text }, 'cargo');
    expect([...(found[0]?.names.values() ?? [])]).toEqual(['works']);
    expect(now).toMatch(/^#\[test\]\nfn test_\w*\d{10}\w*\(\) \{\n {4}called/);
  });
});

it('a text with the name of a test of Python keeps it no name, and a fixture keeps its own', async () => {
  const fixture =
    "import pytest\n\n\n@pytest.fixture\ndef test_client():\n    return 1\n\n\n@pytest.mark.usefixtures('test_client')\n";
  const text = `TESTS = ['test_new']\n\n\ndef test_new():\n    assert 1\n`;
  const { names, read } = await renamed(
    { 'test_a.py': text, 'test_b.py': `${fixture}def test_with():\n    assert 1\n` },
    'pytest',
  );
  expect(names).toEqual(['test_new', 'test_with']);
  expect(read('test_b.py')).toContain('def test_client():');
});
