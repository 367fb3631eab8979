import { describe, expect, it } from 'vitest';
import { changeOf } from '../../../tests/change-of.ts';
import { testPatterns } from '../test-files.ts';
import { besideCode } from './beside-code.ts';
import { mayNameSubjects, subjectsOf } from './subjects.ts';
import type { Suite } from './suite.ts';
import { workOf } from './work.ts';

const base = {
  'package.json': '{"name": "unit", "main": "lib/a.js", "scripts": {"greet": "node lib/greet.js"}}\n',
  'lib/a.js': 'exports.a = (x) => x + 1;\n',
  'lib/b.js': 'exports.b = (x) => x + 2;\n',
  'lib/greet.js': "console.log('hi');\n",
  'bin/tool.js': 'console.log(process.argv.length - 2);\n',
  'locales/en.json': '{"a": "A", "b": "B"}\n',
  'locales/de.json': '{"a": "Ä", "b": "B"}\n',
  'scripts/count': '#!/bin/sh\necho $#\n',
  'README.md': '# Unit\n',
  Makefile: 'count:\n\t@sh scripts/count.sh a\n',
  'scripts/count.sh': 'node bin/tool.js "$@"\n',
  'apps/tool/mypkg/cli.py': 'print(2)\n',
  'src/lib/users.js': 'export const a = 1;\n',
  'src/components/button/index.tsx': 'export const b = 2;\n',
};

/** What a new test is about: code, nearest first, and what stands beside it. */
async function about(body: string, path = 'test/new.test.js', more: Readonly<Record<string, string>> = {}) {
  const work = workOf(changeOf(base, { ...base, ...more, [path]: body }), testPatterns, new Set());
  const suite = { work, files: testPatterns } as unknown as Suite;
  const [steps, beside] = [await subjectsOf(suite), await besideCode(suite)];
  return {
    code: steps[0] ?? [],
    beside: beside.mutants.map((mutant) => mutant.path),
    untried: beside.untried,
    mayName: await mayNameSubjects(suite),
  };
}

describe('what tests name that are the whole work', () => {
  it.each([
    ['data by the parts of its path', "read(path.join(__dirname, '..', 'locales', 'en.json'))"],
    [
      'a folder and data in it',
      "const dir = path.join(__dirname, '..', 'locales');\nread(join(dir, 'en.json'))",
    ],
  ])('%s, and not what the folder above loads', async (_, body) => {
    const found = await about(body);
    expect(found).toMatchObject({ code: [], mayName: true });
    expect(found.beside[0]).toBe('locales/en.json');
  });

  it.each([
    ["fs.readdirSync(path.join(__dirname, '../locales'))"],
    ["fs.readdirSync('locales')"],
    ['read(`locales/\x24{lang}.json`)'],
    ['read(`../locales/\x24{lang}.json`)'],
  ])('all data of a folder: %j', async (body) => {
    const found = await about(body);
    expect([...found.beside].sort()).toEqual(['locales/de.json', 'locales/en.json']);
    expect(found.mayName).toBe(true);
  });

  it.each([
    ["execFileSync('sh', [path.join(__dirname, '..', 'scripts', 'count'), 'a', 'b'])", 'scripts/count'],
    ["execFileSync('sh', ['scripts/count', 'a', 'b'])", 'scripts/count'],
    ["execSync('npm run -s greet')", 'package.json'],
  ])('a script, or a manifest by what it runs: %j', async (body, path) => {
    expect((await about(body)).beside).toEqual([path]);
  });

  it.each([
    ["fs.readFileSync('README.md', 'utf8')"],
    ["require('../package.json').main"],
    ["fs.readFileSync(path.join(__dirname, '../package.json'))"],
  ])('nothing that is for people or tools alone: %j', async (body) => {
    expect(await about(body)).toMatchObject({ beside: [], mayName: false });
  });

  it.each([
    ["import { a } from '$lib/users';", ['src/lib/users.js']],
    ["import { a } from '#lib/users.js';", ['src/lib/users.js']],
    ["const { b } = require('components/button');", ['src/components/button/index.tsx']],
    ["import { b } from 'app/components/button';", ['src/components/button/index.tsx']],
  ])('code by a short name for its folder: %j', async (body, paths) => {
    expect(await about(body)).toMatchObject({ code: paths, mayName: true });
  });

  it.each([
    ["import { d } from 'lodash/fp';\nimport { e } from 'react-dom/users';"],
    ["const { two } = require('./noop.js');"],
  ])('no library, and no new file of tests that names nothing itself: %j', async (body) => {
    const found = await about(body, 'test/new.test.js', { 'test/noop.js': 'exports.two = 2;\n' });
    expect([found.code, found.mayName]).toEqual([[], false]);
    const helper = "exports.a = require('../lib/unknown/' + name);\nrequire('./more.js');\n";
    expect((await about(body, 'test/new.test.js', { 'test/noop.js': helper })).mayName).toBe(true);
  });

  it.each([
    ["execFileSync('node', [path.join(__dirname, '..', 'bin', 'tool.js'), 'a'])", ['bin/tool.js']],
    ["require(path.join(__dirname, '..', 'lib', 'b')).b(1)", ['lib/b.js']],
    ['require(`../lib/\x24{name}.js`)', ['lib/a.js', 'lib/b.js', 'lib/greet.js']],
    ["execSync('npm run -s greet')", ['lib/greet.js']],
    ["execFileSync('npm', ['run', '-s', 'greet'])", ['lib/greet.js']],
    ["execSync('make -s count')", ['bin/tool.js']],
    ["require('..').a(1)", ['lib/a.js']],
    ["require(path.join(__dirname, '..')).a(1)", ['lib/a.js']],
    ["const { a } = require(\n  '../',\n);", ['lib/a.js']],
    ["const root = path.join(__dirname, '..');\nrequire(root).a(1)", ['lib/a.js']],
  ])('code that is reached by %j', async (body, paths) => {
    expect([...(await about(body)).code].sort()).toEqual(paths);
  });

  it('a module of Python, also in a folder of its own and in a command', async () => {
    const asked = async (body: string) => (await about(body, 'apps/tool/tests/test_new.py')).code;
    expect(await asked("run([sys.executable, '-m', 'mypkg.cli'])")).toEqual(['apps/tool/mypkg/cli.py']);
    expect(await asked("run(f'{sys.executable} -m mypkg.cli a', shell=True)")).toEqual([
      'apps/tool/mypkg/cli.py',
    ]);
  });

  it('whether something is there, which no other content shows', async () => {
    const found = await about("assert.ok(fs.existsSync(path.join(__dirname, '..', 'locales/en.json')))");
    expect(found.untried).toBe('whether locales/en.json is there');
    expect((await about("read(path.join(__dirname, '..', 'locales/en.json'))")).untried).toBe('');
    expect((await about("assert.ok(fs.existsSync('README.md'))")).untried).toBe('');
  });

  it.each([
    ['test/new.test.js', "test('locales make sure', () => { expect(1).toBe(1); });"],
    [
      'test/new.test.js',
      "// 'locales/en.json'\ntest('npm run it', () => { assert.strictEqual('a/b', 'a/b'); });",
    ],
    ['tests/test_new.py', 'import json\nimport re\n\n\ndef test_new():\n    assert 1 == 1\n'],
  ])('nothing of the project: %s %j', async (path, body) => {
    expect(await about(body, path)).toEqual({ code: [], beside: [], untried: '', mayName: false });
  });
});
