import { describe, expect, it } from 'vitest';
import {
  acceptance,
  artifactSpec,
  doubles,
  type Files,
  good,
  manifest,
  runArtifact,
} from '../../../tests/fixtures/artifact.ts';
import { fieldsOf } from '../fields.ts';
import { readArtifactCheck } from './artifact.ts';

const usual = acceptance([doubles([2], 4), doubles([21], 42)]);
const runCode = (code: string, examples = usual, more: Files = {}) =>
  runArtifact({
    head: { 'package.json': manifest(), 'index.js': code, ...more },
    base: { 'examples.yaml': examples },
  });

describe('an artifact check passes honest work', () => {
  it('packs, installs and asks, and gives each example a line of its own', async () => {
    const result = await runCode(good);
    expect(result).toMatchObject({ outcome: 'pass', reason: '', shows: ['acceptance'], strength: 'tests' });
    expect(result.notes.filter((note) => note.startsWith('example'))).toEqual([
      'example double-2: passed',
      'example double-21: passed',
    ]);
  });

  it('takes ES modules, promises, thrown errors and programs', async () => {
    const examples = acceptance([
      doubles([2], 4),
      { id: 'whole', call: { args: [1] }, returns: 'one' },
      { id: 'later', call: { export: 'later', args: [] }, returns: { a: [1] } },
      { id: 'constant', call: { export: 'VERSION' }, returns: '1' },
      { id: 'refuses', call: { export: 'double', args: ['x'] }, throws: 'no number' },
      { id: 'tool', bin: 'double', args: ['4'], stdin: 'hello', exit: 3, stdout: { equals: '8 hello' } },
      { id: 'tool-matches', bin: 'double', args: ['4'], exit: 3, stdout: { matches: '^8 $' } },
    ]);
    const result = await runArtifact({
      head: {
        'package.json': manifest({ type: 'module', exports: './lib.js', main: undefined, bin: './tool.js' }),
        'lib.js': `import { readFile } from 'node:fs/promises'; await readFile(new URL(import.meta.url));
          export const double = (n) => { if (typeof n !== 'number') throw new TypeError('no number'); return n * 2; };
          export const VERSION = '1'; export const later = async () => ({ a: [1], b: undefined });
          export default () => 'one';`,
        'tool.js': `#!/usr/bin/env node
          import { double } from './lib.js'; import { readFileSync } from 'node:fs';
          console.log(double(Number(process.argv[2])) + ' ' + readFileSync(0, 'utf8')); process.exit(3);`,
      },
      base: { 'examples.yaml': examples },
    });
    expect(result).toMatchObject({ outcome: 'pass', shows: ['acceptance'] });
  });

  it('lets a package keep a timer, write to its standard output and change its arguments', async () => {
    const code = `setInterval(() => {}, 1000);
      exports.double = (list) => { console.log('{"a":1}'); const out = list.map((n) => n * 2); list.length = 0; return out; };`;
    expect(await runCode(code, acceptance([doubles([[1, 2]], [2, 4], 'list')]))).toMatchObject({
      outcome: 'pass',
    });
  });

  it('asks again, alone, a package that keeps something in mind', async () => {
    const result = await runCode('let n = 0; exports.double = (a) => (n++ > 0 ? n : a * 2);');
    expect(result).toMatchObject({ outcome: 'pass' });
    expect(result.notes.filter((note) => note.includes('in a process of its own'))).toHaveLength(1);
  });

  it('packs what is never published, and brings production dependencies along by the lockfile', async () => {
    const dependency = (version: string) => ({
      'package-lock.json': JSON.stringify({
        packages: {
          'node_modules/two': { version: '2.0.0' },
          'node_modules/dev': { version: '1.0.0', dev: true },
        },
      }),
      'node_modules/two/package.json': JSON.stringify({ name: 'two', version }),
      'node_modules/two/index.js': 'module.exports = 2;',
      'node_modules/dev/package.json': JSON.stringify({ name: 'dev', version: '1.0.0' }),
      'node_modules/dev/index.js': 'module.exports = 2;',
    });
    const head = (name: string, version = '2.0.0') => ({
      'package.json': JSON.stringify({
        private: true,
        main: 'index.js',
        dependencies: { two: '2' },
        devDependencies: { dev: '1' },
      }),
      'index.js': `const n = require('${name}'); exports.double = (a) => a * n;`,
      ...dependency(version),
    });
    const base = { 'examples.yaml': usual };
    expect(await runArtifact({ head: head('two'), base })).toMatchObject({ outcome: 'pass' });
    const unsure = await runArtifact({ head: head('two', '2.0.1'), base });
    expect(unsure).toMatchObject({ outcome: 'indeterminate', reason: 'not-told' });
    expect(unsure.explanation).toContain('two');
    const undeclared = await runArtifact({ head: head('dev'), base });
    expect(undeclared).toMatchObject({ outcome: 'fail', reason: 'artifact-broken' });
  });

  it('only loads where there are no examples, and shows nothing by it', async () => {
    const head = { 'package.json': manifest(), 'index.js': good };
    expect(await runArtifact({ head }, { examples: '' })).toMatchObject({ outcome: 'pass', shows: [] });
    const broken = { 'package.json': manifest(), 'index.js': 'process.exit(0)' };
    const base = head;
    expect(await runArtifact({ head: broken, base }, { examples: '' })).toMatchObject({
      outcome: 'fail',
      reason: 'artifact-broken',
    });
    expect(await runArtifact({ head: broken, base: broken }, { examples: '' })).toMatchObject({
      outcome: 'pass',
      shows: [],
    });
  });

  it('uses what came with the item, and shows none of its values', async () => {
    const item = acceptance([doubles([777777], 1555554, 'hidden')]);
    const result = await runArtifact(
      { head: { 'package.json': manifest(), 'index.js': good }, item },
      { examples: '' },
    );
    expect(result).toMatchObject({ outcome: 'pass', shows: ['acceptance'] });
    const own = await runArtifact(
      { head: { 'package.json': manifest(), 'index.js': good }, item, independent: false },
      { examples: '' },
    );
    expect(own).toMatchObject({ outcome: 'pass', shows: [] });
    const wrong = await runArtifact(
      { head: { 'package.json': manifest(), 'index.js': 'exports.double = () => 5' }, item },
      { examples: '' },
    );
    expect(wrong).toMatchObject({ outcome: 'fail', reason: 'acceptance-failed' });
    expect(JSON.stringify(wrong)).not.toMatch(/1555554|777777/);
  });
});

describe('an artifact check stays open', () => {
  const head = { 'package.json': manifest(), 'index.js': good };

  it('without the examples that the criteria name, and with examples that cannot be read', async () => {
    expect(await runArtifact({ head })).toMatchObject({ outcome: 'indeterminate', reason: 'not-told' });
    const result = await runArtifact({ head, base: { 'examples.yaml': 'schema: other' } });
    expect(result).toMatchObject({ outcome: 'indeterminate', reason: 'not-told' });
    expect(result.explanation).toContain('examples.yaml cannot be used: schema: must be one of');
  });

  it('at an abort', async () => {
    const signal = AbortSignal.abort();
    const result = await runArtifact({ head, base: { 'examples.yaml': usual }, signal });
    expect(result).toMatchObject({ outcome: 'indeterminate', explanation: 'the run was aborted' });
  });

  it('but fails where there is no package', async () => {
    const files = { 'index.js': good };
    const none = await runArtifact({ head: files, base: { 'examples.yaml': usual } });
    expect(none).toMatchObject({ outcome: 'fail', reason: 'artifact-broken' });
    expect(none.explanation).toBe('there is no package.json');
  });
});

it('says what packing does not do', async () => {
  const scripts = { prepack: 'node build.js' };
  const head = { 'package.json': manifest({ scripts, main: 'dist/x.js' }), 'build.js': '' };
  const result = await runArtifact({ head, base: { 'examples.yaml': usual } });
  expect(result).toMatchObject({ outcome: 'fail', reason: 'artifact-broken' });
  expect(result.notes.at(-1)).toContain('what prepack would build belongs into setup.build');
});

it('takes a package below the top, by the same lockfile', async () => {
  const head = {
    'package.json': JSON.stringify({ private: true, workspaces: ['packages/*'] }),
    'package-lock.json': JSON.stringify({
      packages: {
        'node_modules/two': { version: '2.0.0', dependencies: { one: '1' } },
        'node_modules/two/node_modules/one': { version: '1.0.0' },
      },
    }),
    'node_modules/two/package.json': JSON.stringify({ name: 'two', version: '2.0.0' }),
    'node_modules/two/index.js': "module.exports = require('one') + 1;",
    'node_modules/two/node_modules/one/package.json': JSON.stringify({ name: 'one', version: '1.0.0' }),
    'node_modules/two/node_modules/one/index.js': 'module.exports = 1;',
    'packages/a/package.json': manifest({ dependencies: { two: '2' }, optionalDependencies: { none: '1' } }),
    'packages/a/index.js': "exports.double = (n) => n * require('two');",
  };
  const result = await runArtifact({ head, base: { 'examples.yaml': usual } }, { directory: 'packages/a' });
  expect(result).toMatchObject({ outcome: 'pass' });
});

describe('reading an artifact check', () => {
  it('takes defaults, and names what it cannot read', () => {
    const problems: string[] = [];
    const read = (value: object) => {
      const fields = fieldsOf(value, 'checks[0]', problems);
      return fields && readArtifactCheck('package', fields);
    };
    expect(read({ pack: 'npm', examples: 'a/b.yaml' })).toEqual({
      ...artifactSpec,
      examples: 'a/b.yaml',
      timeoutMs: 20_000,
      maxOutput: 10_000_000,
    });
    read({ pack: 'tar', examples: '../x', timeout: 5 });
    expect(problems.map((line) => line.split(':')[0])).toEqual([
      'checks[0].pack',
      'checks[0].examples',
      'checks[0].timeout',
    ]);
  });
});
