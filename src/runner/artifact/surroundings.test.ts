import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acceptance, doubles, good, manifest, runArtifact } from '../../../tests/fixtures/artifact.ts';
import { probeIsolation } from '../isolate.ts';

let outside: string;
beforeEach(() => {
  outside = realpathSync(mkdtempSync(join(tmpdir(), 'elsewhere-')));
  writeFileSync(join(outside, 'index.js'), good);
});
afterEach(() => rmSync(outside, { recursive: true, force: true }));

const judge = (code: string, examples: readonly object[] = [doubles([2], 4), doubles([21], 42)], more = {}) =>
  runArtifact({
    head: { 'package.json': manifest(more), 'index.js': code },
    base: { 'examples.yaml': acceptance(examples) },
  });
const failed = { outcome: 'fail', shows: [] };
const open =
  'the disk of this machine was open to the package: its answers may come from outside of the commit';

describe('a package that is not what was packed', () => {
  it('does not find its work on the disk of the builder, or the result says that it could have', async () => {
    const result = await judge(`module.exports = require('${outside}/index.js');`);
    if ((await probeIsolation()).disk === 'visible') {
      expect(result).toMatchObject({ outcome: 'pass' });
      expect(result.notes).toContain(open);
      return;
    }
    expect(result).toMatchObject({ ...failed, reason: 'artifact-broken' });
    expect(result.notes).not.toContain(open);
  });

  it('does not find it by a way that leads up from its folder', async () => {
    const up = '../'.repeat(30);
    const result = await judge(`module.exports = require('${up}${outside.slice(1)}/index.js');`);
    expect(result.outcome).toBe((await probeIsolation()).disk === 'visible' ? 'pass' : 'fail');
  });

  it('is seen to mend itself while it is used', async () => {
    const code = `
      exports.double = (n) => n + 1;
      require('node:fs').writeFileSync(__filename, ${JSON.stringify(good)});`;
    const result = await judge(code);
    expect(result).toMatchObject({ ...failed, reason: 'artifact-broken' });
    expect(result.explanation).toBe('the installed package was changed while it was used: double/index.js');
  });

  it('is seen when it mends itself and puts everything back, and when it brings further files', async () => {
    const back = `
      const fs = require('node:fs');
      const [text, stat] = [fs.readFileSync(__filename), fs.statSync(__filename)];
      fs.writeFileSync(__filename, text);
      fs.utimesSync(__filename, stat.atime, stat.mtime);
      module.exports = { double: (n) => n * 2 };`;
    const further = `
      require('node:fs').mkdirSync(__dirname + '/more', { recursive: true });
      module.exports = { double: (n) => n * 2 };`;
    for (const code of [back, further])
      expect(await judge(code)).toMatchObject({ ...failed, reason: 'artifact-broken' });
  });

  it('may keep a cache where tools do, and work in its own folders', async () => {
    const code = `
      const { mkdirSync, writeFileSync } = require('node:fs');
      mkdirSync('node_modules/.cache/double', { recursive: true });
      for (const at of ['node_modules/.cache/double/x', 'x', process.env.HOME + '/x', require('node:os').tmpdir() + '/x'])
        writeFileSync(at, 'x');
      exports.double = (n) => n * 2;`;
    expect(await judge(code)).toMatchObject({ outcome: 'pass' });
  });
});

describe('the program that uses a package', () => {
  it('has no descriptor but the usual three, and those of Node', async () => {
    const code = `
      const { fstatSync } = require('node:fs');
      const files = (n) => { try { return fstatSync(n).isFile(); } catch { return false; } };
      const near = [...Array(40).keys()].some(files) || !fstatSync(0).isFIFO();
      exports.double = (n) => (near ? n * 2 : n + 1);`;
    expect(await judge(code)).toMatchObject({ ...failed, reason: 'acceptance-failed' });
  });

  it('hears an answer beside whatever else is printed, whole or not', async () => {
    const code = `exports.double = (n) => {
        process.stdout.write('half a line ' + 'x'.repeat(20000));
        console.log(JSON.stringify(['mark', 0, 'returned', 5]));
        process.stdout.write('["');
        return n * 2;
      };`;
    expect(await judge(code)).toMatchObject({ outcome: 'pass' });
  });

  it('hears long answers', async () => {
    const code = "exports.double = (n) => 'ä'.repeat(n * 5000);";
    expect(await judge(code, [doubles([6], 'ä'.repeat(30_000))])).toMatchObject({ outcome: 'pass' });
  });

  it('gives programs of the package a standard input that can be opened, and takes any exit code', async () => {
    const files = {
      'package.json': manifest({ bin: { tool: 'tool.js' } }),
      'index.js': good,
      'tool.js': `#!/usr/bin/env node
        process.stdout.write(require('node:fs').readFileSync('/dev/stdin', 'utf8').toUpperCase());
        process.exit(Number(process.argv[2]));`,
    };
    const tool = (exit: number) => ({
      ...{ id: `tool-${exit}`, bin: 'tool', args: [`${exit}`], stdin: 'word\n' },
      ...{ exit, stdout: { equals: 'WORD\n' } },
    });
    const examples = acceptance([tool(0), tool(3), tool(130), tool(137), tool(255)]);
    const result = await runArtifact({ head: files, base: { 'examples.yaml': examples } });
    expect(result.explanation).toBe('the installed package answers as it should (5 checked)');
  });
});
