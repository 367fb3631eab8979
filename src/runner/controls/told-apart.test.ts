import { expect, test } from 'vitest';
import { judgedCheck } from '../../../tests/fixtures/judged.ts';

const base = {
  'package.json': '{"name":"unit","version":"1.0.0","main":"unit.js"}',
  'unit.js': "exports.price = (pieces) => {\n  return pieces * 2;\n};\nexports.words = 'words.txt';\n",
  'old.js': 'exports.old = 1;\n',
  'README.md': '# Unit\n',
  'docs/guide.md': '# Guide\n',
  'docs/other.md': '# Other\n',
  '.editorconfig': 'root = true\n',
  'table.json': '{"price": 1}\n',
  'pyproject.toml': '[project]\nname = "unit"\nversion = "1.0.0"\n',
  'setup.py': "long_description = open('README.md').read()\n",
  'test/fixtures/b.txt': 'b\n',
  'test/fixtures/a.txt': 'a\n',
  'zz.txt': 'last\n',
  'test/unit.test.js':
    "const test = require('node:test');\nconst assert = require('node:assert');\ntest('nothing', () => {\n  assert.strictEqual(require('../unit.js').price(0), 0);\n});\n",
};
const idle = { 'unit.js': base['unit.js'].replace('return pieces', 'const each = pieces;\n  return each') };
const check = {
  id: 'tests',
  kind: 'tests',
  run: ['node', '--test', '--test-reporter=tap'],
  report: { format: 'node' },
};

const asked = (question: string) =>
  `const test = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const text = (name) => fs.readFileSync(path.join(__dirname, '..', name), 'utf8');
const written = (name) => fs.statSync(path.join(__dirname, '..', name), { bigint: true }).mtimeNs;
test('the new one', async () => {
  assert.ok(${question});
});
`;

async function refusal(work: Readonly<Record<string, string | undefined>>, question: string) {
  const files = { ...work, 'test/new.test.js': asked(question) };
  const { outcome, reason, explanation } = await judgedCheck({ base, work: files, checks: [check] });
  return outcome === 'indeterminate' ? [outcome, explanation] : [outcome, reason];
}

test.each<[string, Readonly<Record<string, string | undefined>>, string]>([
  ['the folder of a run', {}, "['n0', 'n1'].includes(path.basename(path.dirname(process.cwd())))"],
  ['the home of a run', {}, "process.env.HOME.endsWith('h0') || text('test/new.test.js').length > 800"],
  [
    'when files were written',
    { 'test/fixtures/a.txt': 'b\n' },
    "written('test/fixtures/a.txt') <= written('zz.txt')",
  ],
  ['what people read', { 'README.md': '# Unit\nmended\n' }, "text('README.md').includes('mended')"],
  ['a text beside others', { 'docs/guide.md': 'mended\n' }, "text('docs/guide.md').includes('mended')"],
  ['a new text beside others', { 'docs/new.md': 'mended\n' }, "text('docs/new.md').includes('mended')"],
  [
    'settings that nothing of the product reads',
    { '.editorconfig': 'mended\n' },
    "text('.editorconfig').includes('mended')",
  ],
  [
    'data that nothing of the product reads',
    { 'table.json': '{"price": 2}' },
    "JSON.parse(text('table.json')).price === 2",
  ],
  ['the version of a manifest', { 'pyproject.toml': 'mended' }, "text('pyproject.toml').includes('mended')"],
  ['a fixture that is gone', { 'test/fixtures/b.txt': undefined }, "!fs.existsSync('test/fixtures/b.txt')"],
  ['data that is gone', { 'table.json': undefined }, "!fs.existsSync('table.json')"],
  ['a program that is gone', { 'old.js': undefined }, "!fs.existsSync('old.js')"],
  [
    'a new program among what is handed on',
    { 'static/new.js': 'exports.a = 1;\n' },
    "fs.existsSync('static/new.js')",
  ],
  [
    'when a new program was written',
    { 'new.js': 'exports.a = 1;\n' },
    "written('new.js') <= written('zz.txt')",
  ],
  [
    'what was added to some programs and not to others',
    { 'new.js': 'exports.a = 1;\n' },
    "text('new.js').length !== 15 || text('unit.js').length < 150",
  ],
])(
  'a test that goes by something beside what the program does shows nothing: %s',
  async (_, work, question) => {
    expect(await refusal({ ...idle, ...work }, question)).toEqual(['fail', expect.any(String)]);
  },
);

test('what the product reads shows what it is for, and so does a program that is gone', async () => {
  const reading = `${base['unit.js']}exports.text = () => require('node:fs').readFileSync(require('node:path').join(__dirname, 'README.md'), 'utf8');\n`;
  const question = "require('../unit.js').text().includes('mended')";
  expect(await refusal({ 'unit.js': reading, 'README.md': '# Unit\nmended\n' }, question)).toEqual([
    'pass',
    '',
  ]);
  const dearer = {
    'unit.js': base['unit.js'].replace('* 2', '* 3'),
    'old.js': undefined,
    'README.md': 'dearer',
  };
  expect(await refusal(dearer, "require('../unit.js').price(2) === 6")).toEqual(['pass', '']);
});

test('a base that cannot be built without what is gone shows no less than one that cannot load it', async () => {
  const files = { 'unit.js': `require('./old.js');\n${base['unit.js']}` };
  const work = {
    'unit.js': base['unit.js'].replace('* 2', '* 3'),
    'old.js': undefined,
    'test/new.test.js': asked("require('../unit.js').price(2) === 6"),
  };
  const build = [['node', '-e', "require('./unit.js')"]];
  const { outcome, explanation } = await judgedCheck({
    ...{ base: { ...base, ...files }, work, build },
    checks: [check],
  });
  expect([outcome, explanation]).toEqual(['pass', '2 of 2 tests passed']);
});

test('a page that no program names may be all that is mended', async () => {
  const page = {
    'test/new.test.js': asked("text('table.json').includes('2')"),
    'table.json': '{"price": 2}',
  };
  const { outcome, notes } = await judgedCheck({ base, work: page, checks: [check] });
  expect([outcome, notes.join()]).toEqual(['pass', expect.stringContaining('could not be tried')]);
});

test('a module that cannot find what it loads, or that remembers a run before, was noticed by nobody', async () => {
  const loading =
    "const { join } = require('node:path');\nexports.more = (amount) => {\n  return join('a', amount);\n};\n";
  expect(await refusal({ 'more.js': loading }, "require('../more.js')")).toEqual(['fail', 'no-red-on-base']);
  const remembering = `const io = require('fs');
const seen = io.existsSync('more.seen');
io.writeFileSync('more.seen', '');
exports.more = (amount) => {
  return seen ? 0 : amount + 1;
};
`;
  expect(await refusal({ 'more.js': remembering }, "require('../more.js').more(7) !== 0")).toEqual([
    'fail',
    'no-red-on-base',
  ]);
  expect(await refusal({ 'more.js': remembering }, "require('../more.js').more(7) === 8")).toEqual([
    'pass',
    '',
  ]);
});
