import { describe, expect, it } from 'vitest';
import {
  acceptance,
  doubles,
  type Files,
  good,
  manifest,
  runArtifact,
} from '../../../tests/fixtures/artifact.ts';

const usual = acceptance([doubles([2], 4), doubles([21], 42)]);
const filesOf = (code: string, more: Files = {}): Files => ({
  'package.json': manifest(),
  'index.js': code,
  ...more,
});
const judge = (code: string, examples = usual, more: Files = {}) =>
  runArtifact({ head: filesOf(code, more), base: { ...filesOf(good), 'examples.yaml': examples } });
const failed = { outcome: 'fail', reason: 'acceptance-failed', shows: [] };

describe('a fix that consumers do not get', () => {
  it('is seen when the tarball lacks the file', async () => {
    const head = {
      'package.json': manifest({ files: ['index.js'] }),
      'index.js': "module.exports = require('./fixed.js');",
      'fixed.js': good,
    };
    const result = await runArtifact({ head, base: { 'examples.yaml': usual } });
    expect(result).toMatchObject({ outcome: 'fail', reason: 'artifact-broken' });
    expect(result.explanation).toContain('fixed.js');
  });

  it('is seen when an old build is shipped, also for one of two ways to load', async () => {
    const exports = { '.': { import: './index.mjs', require: './old.cjs' } };
    const head = {
      'package.json': manifest({ exports, files: ['old.cjs', 'index.mjs'] }),
      'src/index.js': good,
      'index.mjs': 'export const double = (n) => n * 2;',
      'old.cjs': 'exports.double = (n) => n + 1;',
    };
    const result = await runArtifact({ head, base: { 'examples.yaml': usual } });
    expect(result).toMatchObject(failed);
    expect(result.explanation).toContain('by require');
  });

  it('is seen when a program of the package is not shipped', async () => {
    const examples = acceptance([{ id: 'tool', bin: 'tool', args: [], exit: 0 }]);
    const head = filesOf(good, {
      'package.json': manifest({ bin: { tool: 'bin/tool.js' }, files: ['index.js'] }),
    });
    expect(
      await runArtifact({ head: { ...head, 'src/x': '' }, base: { 'examples.yaml': examples } }),
    ).toMatchObject({
      outcome: 'fail',
      reason: 'artifact-broken',
    });
  });
});

describe('code that is right only while it is watched', () => {
  it('finds nothing to go by', async () => {
    const code = (tells: string) => `
      const { readFileSync } = require('node:fs');
      const read = (path) => { try { return readFileSync(path, 'utf8'); } catch { return ''; } };
      const seen = () => [
        ...Object.keys(process.env), process.env.HOME, process.env.TMPDIR, process.cwd(), __filename,
        ...process.argv, ...process.execArgv, new Error().stack, require.main && require.main.filename,
        read('/proc/' + process.ppid + '/cmdline'), ...Object.keys(require.cache), process.title,
      ].join(' ').replace(/[0-9A-Za-z]*\\/app\\//g, '');
      const tells = /${tells}/i;
      exports.double = (n) => (tells.test(seen()) || 'CI' in process.env ? n * 2 : n + 1);`;
    const usualTells =
      'vitest|jest|mocha|tape|test|spec|countersign|verif|check|sandbox|GIT_CEILING|NODE_ENV|npm_';
    expect(await judge(code(usualTells))).toMatchObject(failed);
    expect(await judge(code('node'))).toMatchObject({ outcome: 'pass' });
  });

  it('does not find the expected answers before it has answered', async () => {
    const code = `
      const { readdirSync, readFileSync, statSync } = require('node:fs');
      const all = (folder) => readdirSync(folder).flatMap((name) => {
        const path = folder + '/' + name;
        return statSync(path).isDirectory() ? (name === 'double' ? [] : all(path)) : [readFileSync(path, 'utf8')];
      });
      exports.double = () => {
        const text = [...all(process.cwd() + '/..'), JSON.stringify(process.env), readFileSync('/proc/self/fd/0', 'utf8')].join(' ');
        return /needle-[0-9]+/.exec(text)?.[0] ?? text.length;
      };`;
    const item = acceptance([doubles([1], 'needle-154')]);
    expect(await runArtifact({ head: filesOf(code), item }, { examples: '' })).toMatchObject(failed);
  });
});

describe('answers that are no work', () => {
  it('does not pass hard-coded answers where others wrote further examples', async () => {
    const code = 'exports.double = (n) => ({ 2: 4, 21: 42 })[n];';
    expect(await judge(code)).toMatchObject({ outcome: 'pass' });
    const item = acceptance([doubles([8], 16, 'hidden')]);
    const result = await runArtifact({ head: filesOf(code), base: { 'examples.yaml': usual }, item });
    expect(result).toMatchObject(failed);
    expect(result.notes.filter((note) => note.startsWith('example'))).toEqual([
      'example double-2: passed',
      'example double-21: passed',
      'example hidden (of the item): failed, it answered something else',
    ]);
  });

  it.each([
    ['an exit inside of the call', 'exports.double = (n) => (n === 21 ? process.exit(0) : n * 2);'],
    ['an abort', 'exports.double = (n) => (n === 21 ? process.abort() : n * 2);'],
    ['a promise that is never kept', 'exports.double = (n) => (n === 21 ? new Promise(() => {}) : n * 2);'],
  ])('fails the one example that gets no answer by %s', async (_, code) => {
    const result = await judge(code);
    expect(result).toMatchObject(failed);
    expect(result.notes).toContain('example double-2: passed');
    expect(result.explanation).toMatch(/^example double-21: its process ended with .* and gave no answer$/);
  });

  it('ends a call that never does', async () => {
    const head = filesOf('exports.double = (n) => { for (;;); };');
    const result = await runArtifact({ head, base: { 'examples.yaml': usual } }, { timeoutMs: 300 });
    expect(result).toMatchObject(failed);
    expect(result.explanation).toContain('took too long');
  });

  it.each([
    [
      'prints the answer',
      'exports.double = () => { console.log(\'["x",0,"returned",4]\\n4\'); process.exit(0); };',
    ],
    [
      'writes into the channel',
      `exports.double = () => { for (const n of [0, 1]) require('node:fs').writeSync(3, JSON.stringify(['x', n, 'returned', 4]) + '\\n'); process.exit(0); };`,
    ],
    [
      'compares equal with everything',
      "exports.double = () => ({ valueOf: () => 4, toString: () => '4', [Symbol.toPrimitive]: () => 4, equals: () => true, toJSON: () => 4 });",
    ],
    [
      'patches what a comparison needs',
      `JSON.stringify = () => '4'; JSON.parse = () => 4; Array.isArray = () => true; Object.is = () => true;
       Object.keys = () => []; Reflect.apply = () => 4; require('node:fs').writeSync = () => 1;
       Array.prototype.map = () => [4]; Number.isFinite = () => false; String.prototype.isWellFormed = () => false;
       require('node:assert').deepStrictEqual = () => {}; require('node:util').isDeepStrictEqual = () => true;
       exports.double = (n) => n + 1;`,
    ],
    ['throws away', "exports.double = () => { throw new Error('no') };"],
    ['is not there', 'exports.other = 1;'],
  ])('does not pass a package that %s', async (_, code) => {
    const example = acceptance([doubles([2], 4), doubles([{ a: [1] }], { a: [2] }, 'object')]);
    const result = await judge(code, example);
    expect(result).toMatchObject(failed);
    expect(result.notes.join()).not.toContain('passed');
  });

  it('takes neither a package that cannot be loaded nor a missing export for a thrown error', async () => {
    const thrown = acceptance([{ id: 'throws', call: { export: 'double', args: [] }, throws: true }]);
    expect(await judge("throw new Error('always')", thrown)).toMatchObject({ outcome: 'fail' });
    expect(await judge('exports.other = 1', thrown)).toMatchObject({ outcome: 'fail' });
    expect(await judge('exports.double = () => process.exit(1)', thrown)).toMatchObject({ outcome: 'fail' });
    expect(await judge("exports.double = () => { throw 'text' }", thrown)).toMatchObject({ outcome: 'pass' });
  });
});

describe('inputs that the change should not touch', () => {
  const stays = (unchanged: readonly object[]) => acceptance([doubles([2], 4)], unchanged);
  const half = (args: readonly unknown[]) => ({ call: { export: 'half', args } });

  it('names the one that is answered otherwise', async () => {
    const code = 'exports.double = (n) => n * 2; exports.half = (n) => Math.floor(n / 2);';
    const result = await judge(code, stays([half([8]), half([9])]));
    expect(result).toMatchObject({ outcome: 'fail', reason: 'artifact-differs' });
    expect(result.explanation).toBe('input unchanged[1], half(9): 4 instead of 4.5');
    expect(await judge(good, stays([half([8]), half([9])]))).toMatchObject({ outcome: 'pass' });
  });

  it('counts an equal error as the same, and another one as different', async () => {
    const throwing = (message: string) =>
      `exports.double = (n) => n * 2; exports.half = () => { throw new TypeError('${message}') };`;
    const base = { ...filesOf(throwing('a')), 'examples.yaml': stays([half([1])]) };
    expect(await runArtifact({ head: filesOf(throwing('a')), base })).toMatchObject({ outcome: 'pass' });
    expect(await runArtifact({ head: filesOf(throwing('b')), base })).toMatchObject({
      reason: 'artifact-differs',
    });
  });

  it('leaves open what base answers by chance or not at all', async () => {
    const chance = 'exports.double = (n) => n * 2; exports.half = () => Math.random();';
    const base = { ...filesOf(chance), 'examples.yaml': stays([half([1])]) };
    expect(await runArtifact({ head: filesOf(chance), base })).toMatchObject({
      outcome: 'indeterminate',
      reason: 'not-told',
    });
    const missing = stays([{ call: { export: 'missing', args: [] } }]);
    expect(await judge(good, missing)).toMatchObject({ outcome: 'indeterminate', reason: 'not-told' });
  });
});
