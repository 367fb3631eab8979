import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { searchPath } from '../environment.ts';
import { noIsolation } from '../isolate.ts';
import { type CommandCheck, runCommandCheck } from './command.ts';
import { type FileCheck, runFileCheck } from './file.ts';

let checkout: string;
beforeEach(() => {
  checkout = realpathSync(mkdtempSync(join(tmpdir(), 'checks-')));
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

const context = () => ({
  ...{ checkout, env: { PATH: searchPath }, isolation: noIsolation, signal: undefined },
  trees: { builds: false, fresh: async () => ({ cause: 'no other tree here' }) },
});
const command = (script: string, more: Partial<CommandCheck> = {}) =>
  runCommandCheck(
    {
      id: 'c',
      kind: 'command',
      argv: ['node', '-e', script],
      format: 'tap',
      reportPath: '',
      timeoutMs: 30_000,
      maxOutput: 100_000,
      minTests: 1,
      directory: '',
      inputs: [],
      apart: false,
      ...more,
    },
    context(),
  );
const tap = (...lines: string[]) => `console.log(${JSON.stringify(lines.join('\n'))})`;

describe('a command check', () => {
  it('passes with a whole report, and keeps the counts and the output', async () => {
    const result = await command(tap('1..2', 'ok 1 - a', 'ok 2 - b # SKIP'));
    expect(result).toMatchObject({
      outcome: 'pass',
      exitCode: 0,
      strength: 'tests',
      outputTruncated: false,
      tests: { total: 2, passed: 1, failed: 0, skipped: 1, failedNames: [] },
    });
    expect(String(result.output)).toContain('ok 1 - a');
  });

  it.each([
    ['an early exit', 'process.exit(0)', 'indeterminate'],
    ['an exit in the middle', `${tap('1..2', 'ok 1 - a')}; process.exit(0)`, 'fail'],
    ['a failed test with exit code 0', tap('1..1', 'not ok 1 - a'), 'fail'],
    ['exit code 1 with passed tests', `${tap('1..1', 'ok 1 - a')}; process.exitCode = 1`, 'fail'],
    ['zero tests', tap('1..0'), 'fail'],
    ['a printed fake after the plan', tap('1..1', 'ok 1 - a', 'ok 2 - fake'), 'fail'],
    ['a crash', 'process.abort()', 'fail'],
    ['a report that is cut each time', tap('1..2', 'ok 1 - a'), 'fail'],
    [
      'a report that is cut once and says of a failure the next time',
      `if (require("node:fs").existsSync("again")) { ${tap('1..2', 'ok 1 - a', 'not ok 2 - b')} } else { require("node:fs").writeFileSync("again", ""); ${tap('1..2', 'ok 1 - a')} }`,
      'fail',
    ],
    [
      'a cut report with a failure in it, which no second run makes good',
      `if (require("node:fs").existsSync("again")) { ${tap('1..2', 'ok 1 - a', 'ok 2 - b')} } else { require("node:fs").writeFileSync("again", ""); ${tap('1..2', 'not ok 1 - a')} }`,
      'fail',
    ],
    ['a kill each time', 'process.kill(process.pid, "SIGKILL")', 'fail'],
    [
      'a kill that may have come from somewhere else',
      `if (require("node:fs").existsSync("again")) { ${tap('1..1', 'ok 1 - a')} } else { require("node:fs").writeFileSync("again", ""); process.kill(process.pid, "SIGKILL"); }`,
      'indeterminate',
    ],
    ['too much output', 'for (;;) require("node:fs").writeSync(1, "ok 1\\n".repeat(1000))', 'fail'],
  ])('is no pass with %s', async (_, script, outcome) => {
    expect((await command(script)).outcome).toBe(outcome);
  });

  it('passes where a report lost its last line once, as on a busy machine, and is whole the next time', async () => {
    const once = `require("node:fs").writeFileSync("again", ""); ${tap('1..2', 'ok 1 - a')}`;
    const whole = tap('1..2', 'ok 1 - a', 'ok 2 - b');
    const script = `if (require("node:fs").existsSync("again")) { ${whole} } else { ${once} }`;
    expect((await command(script)).outcome).toBe('pass');
  });

  it('is no pass with a time limit, a missing program, or a missing folder', async () => {
    expect(await command('setInterval(() => {}, 1000)', { timeoutMs: 500 })).toMatchObject({
      outcome: 'fail',
      explanation: expect.stringContaining('0.5 s'),
    });
    expect(await command('', { argv: ['no-such-program'] })).toMatchObject({
      outcome: 'indeterminate',
      explanation: 'program not found: no-such-program',
    });
    expect(await command(tap('1..1', 'ok 1'), { directory: 'absent' })).toMatchObject({
      outcome: 'fail',
      exitCode: null,
    });
  });

  it('marks what rests on the exit code alone', async () => {
    expect(await command('', { format: 'exit' })).toMatchObject({
      outcome: 'pass',
      strength: 'exit-code-only',
      tests: null,
    });
    expect(await command('process.exit(3)', { format: 'exit' })).toMatchObject({
      outcome: 'fail',
      explanation: 'exit code 3',
    });
  });

  it('reads the report from a file, and never one that was there before', async () => {
    const write = `require('node:fs').mkdirSync('out', { recursive: true }); require('node:fs').writeFileSync('out/r.tap', '1..1\\nok 1 - in ' + process.cwd() + '/x.js\\n')`;
    expect(await command(write, { reportPath: 'out/r.tap' })).toMatchObject({ outcome: 'pass' });
    expect(existsSync(join(checkout, 'out/r.tap'))).toBe(true);
    expect(await command('', { reportPath: 'out/r.tap' })).toMatchObject({ outcome: 'indeterminate' });
    const failing = write.replace('ok 1', 'not ok 1');
    expect((await command(failing, { reportPath: 'out/r.tap' })).tests?.failedNames).toEqual(['in x.js']);
  });

  it('takes no report by way of a link out of the checkout, and removes nothing there', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'outside-'));
    writeFileSync(join(outside, 'r.tap'), '1..1\nok 1 - a\n');
    symlinkSync(outside, join(checkout, 'out'));
    expect(await command('', { reportPath: 'out/r.tap' })).toMatchObject({ outcome: 'fail' });
    const link = `require('node:fs').symlinkSync(${JSON.stringify(join(outside, 'r.tap'))}, 'r.tap')`;
    expect(await command(link, { reportPath: 'r.tap' })).toMatchObject({ outcome: 'indeterminate' });
    expect(existsSync(join(outside, 'r.tap'))).toBe(true);
    rmSync(outside, { recursive: true });
  });
});

describe('a file check', () => {
  const whole = (more: Partial<FileCheck>, signal?: AbortSignal) =>
    runFileCheck(
      {
        id: 'f',
        kind: 'file',
        path: 'a.txt',
        exists: true,
        contains: undefined,
        matches: undefined,
        minBytes: undefined,
        maxBytes: undefined,
        sha256: undefined,
        ...more,
      },
      { ...context(), signal },
      500,
    );
  const file = async (more: Partial<FileCheck>) => (await whole(more)).outcome;

  it('passes only when every condition holds', async () => {
    writeFileSync(join(checkout, 'a.txt'), 'one\ntwo\n');
    const digest = 'b24ae52ed74ced1ca4ff58ac14921f3b12d5c3e1e0ec82b1d0e9b1c4ad1b4a10';
    const all: Partial<FileCheck> = {
      contains: ['two', 'one'],
      matches: ['^two$', 'n'],
      minBytes: 8,
      maxBytes: 8,
    };
    expect(await file(all)).toBe('pass');
    for (const wrong of [
      { contains: ['two', 'three'] },
      { matches: ['^two$', '^wo$'] },
      { minBytes: 9 },
      { maxBytes: 7 },
      { sha256: digest },
      { exists: false },
      { path: 'b.txt' },
    ]) {
      expect(await file({ ...all, ...wrong })).toBe('fail');
    }
    expect(await file({ path: 'b.txt', exists: false })).toBe('pass');
  });

  it('fails for a folder and for a link that leads out', async () => {
    mkdirSync(join(checkout, 'a.txt'));
    symlinkSync('/etc/passwd', join(checkout, 'l'));
    symlinkSync('/nowhere', join(checkout, 'dangling'));
    expect(await file({})).toBe('fail');
    expect(await file({ path: 'l' })).toBe('fail');
    expect(await file({ path: 'dangling', exists: false })).toBe('fail');
  });

  it('fails when its pattern takes too long, and is open when the run is aborted meanwhile', async () => {
    writeFileSync(join(checkout, 'a.txt'), `${'a'.repeat(60)}!`);
    const endless = { matches: ['^(a+)+$'] };
    expect(await whole(endless)).toMatchObject({
      outcome: 'fail',
      explanation: expect.stringContaining('the pattern did not finish'),
    });
    const controller = new AbortController();
    const running = whole(endless, controller.signal);
    controller.abort();
    expect((await running).outcome).toBe('indeterminate');
    expect((await whole(endless, controller.signal)).outcome).toBe('indeterminate');
  });
});
