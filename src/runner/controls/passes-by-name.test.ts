import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { judgedCheck } from '../../../tests/fixtures/judged.ts';
import { freshFolder } from '../../../tests/fixtures/scratch-repo.ts';
import type { Random } from './neutral-name.ts';
import { renameTests, withOwnNames } from './renamed-tests.ts';

const HEAD =
  "const test = require('node:test');\nconst assert = require('node:assert');\nconst unit = require('../unit.js');\n";
const asks = (name: string, wanted: string) =>
  `test('${name}', () => {\n  assert.strictEqual(unit.price(2), ${wanted});\n});\n`;
const check = {
  id: 'tests',
  kind: 'tests',
  run: ['node', '--test', '--test-reporter=tap'],
  report: { format: 'node' },
};
const base = {
  'package.json': '{"name":"unit","version":"1.0.0","main":"unit.js"}',
  'unit.js': 'exports.price = (pieces) => {\n  return pieces * 2;\n};\n',
  'test/old.test.js': `${HEAD}${asks('the old one', '4')}`,
};

test('a program that knows a test of base by its name does not pass it', async () => {
  const knowing =
    "let name = '';\nrequire('node:test').beforeEach((t) => {\n  name = t.name;\n});\nexports.price = (pieces) => {\n  return pieces * (name === 'the old one' ? 2 : 3);\n};\n";
  const { outcome, reason, explanation } = await judgedCheck({
    base,
    work: { 'unit.js': knowing, 'test/new.test.js': `${HEAD}${asks('the new one', '6')}` },
    checks: [check],
  });
  expect([outcome, reason]).toEqual(['fail', 'base-test-failed']);
  expect(explanation).toContain('by their names alone');
});

test('nor does one that knows the new test, or one that failed on base', async () => {
  const knowing =
    "let name = '';\nrequire('node:test').beforeEach((t) => {\n  name = t.name;\n});\nexports.price = (pieces) => {\n  return pieces * (name === 'the new one' ? 3 : 2);\n};\n";
  const fresh = { 'test/new.test.js': `${HEAD}${asks('the new one', '6')}` };
  const work = { 'unit.js': knowing };
  for (const story of [
    { base, work: { ...work, ...fresh } },
    { base: { ...base, ...fresh }, work },
  ]) {
    const { outcome, reason } = await judgedCheck({ ...story, checks: [check] });
    expect([outcome, reason]).toEqual(['fail', 'base-test-failed']);
  }
});

test('nor where a run leaves its report, with the names of all tests, in the folder of the work', async () => {
  const mocha = join(resolve(import.meta.dirname, '../../..'), 'node_modules/mocha/bin/mocha.js');
  const whole = HEAD.replace(/^.*\n/, '');
  const written = (asked: string) => `${whole}${asked.replace('test(', 'it(')}`;
  const { outcome, reason, explanation } = await judgedCheck({
    base: { ...base, 'test/old.test.js': written(asks('the old one', '4')) },
    work: {
      'unit.js':
        "exports.state = {};\nexports.price = (pieces) => {\n  return pieces * (exports.state.title === 'the new one' ? 3 : 2);\n};\n",
      'test/new.test.js': `${written(asks('the new one', '6'))}beforeEach(function () {\n  unit.state.title = this.currentTest.title;\n});\n`,
    },
    checks: [
      {
        ...check,
        run: ['node', mocha, '--reporter', 'json', '--reporter-option', 'output=report.json', 'test/*.js'],
        report: { format: 'mocha', path: 'report.json' },
      },
    ],
  });
  expect([outcome, reason]).toEqual(['fail', 'base-test-failed']);
  expect(explanation).toContain('by their names alone');
});

test.each([
  ['compares a title of its own', 'the new one', 'assert.strictEqual({ title: unit.price(2) }.title, 6)'],
  ['is called by a word of the manifest', 'goods', 'assert.strictEqual(unit.price(2), 6)'],
])('nor does one that %s', async (_, name, asked) => {
  const { outcome, reason } = await judgedCheck({
    base: { ...base, 'package.json': '{"name":"unit","version":"1.0.0","keywords":["goods"]}' },
    work: {
      'unit.js': `exports.state = {};\nexports.price = (pieces) => {\n  return pieces * (exports.state.name === '${name}' ? 3 : 2);\n};\n`,
      'test/new.test.js': `${HEAD}test.beforeEach((t) => {\n  unit.state.name = t.name;\n});\ntest('${name}', () => {\n  ${asked};\n});\n`,
    },
    checks: [check],
  });
  expect([outcome, reason]).toEqual(['fail', 'base-test-failed']);
});

test('a helper of a test file that is called as tests are, and gets a text and what is expected, is none', async () => {
  const { outcome, explanation } = await judgedCheck({
    base,
    work: {
      'unit.js': "exports.price = (pieces) => {\n  return pieces === 'a pair' ? 6 : pieces * 2;\n};\n",
      'test/new.test.js': `const { it } = require('node:test');\nconst assert = require('node:assert');\nconst unit = require('../unit.js');\nfunction test(pieces, price) {\n  it(\`takes \${pieces}\`, () => {\n    assert.strictEqual(unit.price(pieces), price);\n  });\n}\ntest('a pair', 6);\n`,
    },
    checks: [check],
  });
  expect([outcome, explanation]).toEqual(['pass', '2 of 2 tests passed']);
});

test('nor does one whose name merely stands in a file that it does not need', async () => {
  const { outcome, reason } = await judgedCheck({
    base,
    work: {
      'unit.js':
        "let name = '';\nrequire('node:test').beforeEach((t) => {\n  name = t.name;\n});\nexports.price = (pieces) => {\n  return pieces * (name === 'the new one' ? 3 : 2);\n};\n",
      'test/new.test.js': `${HEAD}${asks('the new one', '6')}`,
      'test/fixtures/prices.json': '{"the new one": 6}\n',
    },
    checks: [check],
  });
  expect([outcome, reason]).toEqual(['fail', 'base-test-failed']);
});

test('nor where that is a file without which nothing runs', async () => {
  const reading = "exports.words = require('./data/list.json');\n";
  const { outcome, reason } = await judgedCheck({
    base: { ...base, 'data/list.json': '["the new one"]\n', 'unit.js': `${reading}${base['unit.js']}` },
    work: {
      'unit.js': `${reading}let name = '';\nrequire('node:test').beforeEach((t) => {\n  name = t.name;\n});\nexports.price = (pieces) => {\n  return pieces * (name === 'the new one' ? 3 : 2);\n};\n`,
      'test/new.test.js': `${HEAD}${asks('the new one', '6')}`,
    },
    checks: [check],
  });
  expect([outcome, reason]).toEqual(['fail', 'base-test-failed']);
});

test('a new test that has a recording of its name is let be', async () => {
  const helper =
    "const fs = require('node:fs');\nexports.recorded = (t) => JSON.parse(fs.readFileSync('test/recordings/' + t.name.replaceAll(' ', '-') + '.json', 'utf8'));\n";
  const { outcome, explanation } = await judgedCheck({
    base: { ...base, 'test/helper.js': helper },
    work: {
      'unit.js': base['unit.js'].replace(
        'pieces * 2',
        'pieces === 0 ? 0 : pieces * 2 + (pieces > 2 ? 1 : 0)',
      ),
      'test/recordings/the-new-one.json': '7',
      'test/new.test.js': `${HEAD}const { recorded } = require('./helper.js');\ntest('the new one', (t) => {\n  assert.strictEqual(unit.price(3), recorded(t));\n});\n`,
    },
    checks: [check],
  });
  expect([outcome, explanation]).toEqual(['pass', '2 of 2 tests passed']);
});

test('tests that keep something by their own names pass on base by no other either, and are let be', async () => {
  const recorded = `${HEAD}test('the old one', (t) => {\n  const wanted = { 'the old one': 0, 'one more': 0 }[t.name];\n  assert.strictEqual(unit.price(0), wanted);\n});\n`;
  const { outcome, explanation } = await judgedCheck({
    base: { ...base, 'test/old.test.js': recorded },
    work: {
      'unit.js': base['unit.js'].replace('* 2', '* 3'),
      'test/new.test.js': `${HEAD}${asks('the new one', '6')}`,
    },
    checks: [check],
  });
  expect([outcome, explanation]).toEqual(['pass', '2 of 2 tests passed']);
});

describe('renameTests', () => {
  const random: Random = (bytes) => crypto.getRandomValues(new Uint8Array(bytes));
  const renamed = async (files: Readonly<Record<string, string>>, format: 'node' | 'vitest' | 'pytest') => {
    const folder = freshFolder();
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const found = await renameTests(folder, Object.keys(files), format, random);
    const read = (path: string) => readFileSync(join(folder, path), 'utf8');
    return { found, read };
  };
  const kept = (found: Awaited<ReturnType<typeof renameTests>>) =>
    found.flatMap(({ names }) => [...names.values()]);

  it('gives each test another name, which a report does not have', async () => {
    const text = `import { it } from 'vitest';\nit('one', () => {});\nit("two's", () => {});\nit(\`three\`, () => {});\n`;
    const { found, read } = await renamed({ 'a.test.ts': text }, 'vitest');
    expect(kept(found)).toEqual(['one', "two's", 'three']);
    expect(read('a.test.ts')).not.toMatch(/one'|two|three/);
    const ids = [...(found[0]?.names.keys() ?? [])].map((name) => `a.test.ts > ${name} #2`);
    const tests = ids.map((id) => ({ id, name: id, outcome: 'passed' as const }));
    expect(withOwnNames({ tests, complete: true }, found).tests.map(({ id }) => id)).toEqual([
      'a.test.ts > one #2',
      "a.test.ts > two's #2",
      'a.test.ts > three #2',
    ]);
  });

  it.each([
    [
      'names that are put together',
      `it('a ' + n, () => {});\nit(\`b \${n}\`, () => {});\nit('c\\\\'s', () => {});`,
    ],
    ['tables', "it.each([1])('a %s', () => {});\nit.for([1, 2])('b', () => {});"],
    ['snapshots', "it('a', () => { expect(1).toMatchSnapshot(); });"],
    ['what does nothing', "function test(a, b) { it(a + '!', () => {}); }\ntest('a', 'b');"],
    ['names that are asked for', "it('a', () => { expect.getState().currentTestName; });"],
  ])('leaves be %s', async (_, text) => {
    const { found, read } = await renamed({ 'a.test.ts': text }, 'vitest');
    expect(found).toEqual([]);
    expect(read('a.test.ts')).toBe(text);
  });

  it('tells apart those that were called the same', async () => {
    const text = "import { it } from 'vitest';\nit('one', () => {});\nit('one', () => {});\n";
    const { found } = await renamed({ 'a.test.ts': text }, 'vitest');
    const names = [...(found[0]?.names.keys() ?? [])];
    expect(new Set(names).size).toBe(2);
    const tests = names.map((id) => ({ id, name: id, outcome: 'passed' as const }));
    const ids = withOwnNames({ tests, complete: true }, found).tests.map(({ id }) => id);
    expect(ids).toEqual(['one', 'one#2']);
  });

  it('finds a name also below other names with as many digits', async () => {
    const { found } = await renamed({ 'a.test.ts': "it('one', () => {});\n" }, 'vitest');
    const [name = ''] = [...(found[0]?.names.keys() ?? [])];
    const id = `at 1700000000 > ${name}`;
    const { tests } = withOwnNames({ tests: [{ id, name: id, outcome: 'passed' }], complete: true }, found);
    expect(tests.map((test) => test.name)).toEqual(['at 1700000000 > one']);
  });

  it('leaves be what other functions of Python ask for or call by its name', async () => {
    const files = {
      'test_a.py':
        'import pytest\n\n@pytest.fixture\ndef test_client():\n    return 1\n\ndef test_a(test_client):\n    def test_inner(x):\n        return x\n    assert test_inner(test_client)\n',
      'test_b.py': 'def test_b(test_client):\n    assert test_client\n',
    };
    const { found } = await renamed(files, 'pytest');
    expect(kept(found)).toEqual(['test_a', 'test_b']);
  });

  it('takes no comment, and no other test of that name, for somebody who asks', async () => {
    const files = {
      'test_a.py': '# as test_same does\ndef test_same():\n    assert 1\n',
      'test_b.py': 'def test_same():\n    assert 1\n',
    };
    const { found } = await renamed(files, 'pytest');
    expect(kept(found)).toEqual(['test_same', 'test_same']);
    const named = await renamed({ 'a.test.ts': "it('one', run);\n" }, 'vitest');
    expect(kept(named.found)).toEqual(['one']);
  });

  it('knows functions of Python, and leaves be the methods that unittest orders', async () => {
    const functions =
      'import pytest\n\n@pytest.mark.slow\ndef test_a():\n    assert 1\n\nclass TestB:\n    def test_b(self):\n        assert 1\n';
    const { found, read } = await renamed(
      {
        'test_a.py': functions,
        'test_u.py':
          'import unittest\nclass TestU(unittest.TestCase):\n    def test_u(self):\n        pass\n',
      },
      'pytest',
    );
    expect(kept(found)).toEqual(['test_a', 'test_b']);
    expect(read('test_a.py')).toMatch(
      /slow\ndef test_\w+_\d{10}_\w+\(\):\n[\s\S]*def test_\w+_\d{10}_\w+\(self\)/,
    );
  });
});
