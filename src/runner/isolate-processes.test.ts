import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { searchPath } from './environment.ts';
import { noIsolation, probeIsolation } from './isolate.ts';
import { type ProcessRequest, runProcess } from './process.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'spaces-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ways = ['wrap', 'online', 'alone'] as const;
const isolation = await probeIsolation();
const own = isolation.processes !== 'shared';

const run = (argv: readonly string[], way: (typeof ways)[number], more: Partial<ProcessRequest> = {}) =>
  runProcess({
    argv,
    cwd: folder,
    env: { PATH: searchPath },
    timeoutMs: 30_000,
    maxOutput: 100_000,
    signal: undefined,
    wrap: isolation[way],
    ...more,
  });

const node = (text: string) => ['node', '-e', text];
// Carries nothing by which it could be found: no folder, no environment, no words, no group.
const stray = `const { spawn } = require('node:child_process');
const half = Math.floor(process.cwd().length / 2);
const c = spawn('/bin/sh', ['-c', 'cd "$1$2" && exec 3>>beat && cd / && while :; do echo . >&3; sleep 0.02; done', 'x', process.cwd().slice(0, half), process.cwd().slice(half)],
  { detached: true, cwd: '/', env: {}, stdio: 'ignore' });
c.unref();
require('node:fs').writeFileSync('pid', String(c.pid));
setInterval(() => { try { if (require('node:fs').statSync('beat').size > 2) process.exit(0); } catch {} }, 10);`;

describe.each(ways)('a program under %s', (way) => {
  it('leaves nothing running, or the grade says that it may', async () => {
    expect(await run(node(stray), way)).toMatchObject({ exitCode: 0 });
    const size = () => statSync(join(folder, 'beat')).size;
    const [before] = [size(), await sleep(300)];
    expect(size() > before).toBe(!own);
    if (!own) process.kill(-Number(readFileSync(join(folder, 'pid'), 'utf8')), 'SIGKILL');
  });

  it.each([
    ['exit 0', { exitCode: 0, signal: null }],
    ['exit 1', { exitCode: 1, signal: null }],
    ['exit 127', { exitCode: 127, signal: null }],
    ['exit 255', { exitCode: 255, signal: null }],
    ['kill -9 $$', { exitCode: null, signal: 'SIGKILL' }],
    ['kill -SEGV $$', { exitCode: null, signal: 'SIGSEGV' }],
    ['kill -ABRT $$', { exitCode: null, signal: 'SIGABRT' }],
    ['kill -TERM $$', { exitCode: null, signal: 'SIGTERM' }],
    ['kill -9 1; exit 4', { exitCode: 4, signal: null }],
  ])('ends as it ended: %s', async (text, end) => {
    // Without processes of its own, and as root, the last one would be the machine's first.
    if (text.includes(' 1;') && !own) return expect(isolation.how).toContain('processes shared');
    const result = await run(['sh', '-c', text], way);
    expect(result).toMatchObject({ ...end, timedOut: false, notFound: false });
    expect(String(result.stdout)).toBe('');
  });

  it('is not the first process, and finds itself in /proc', async () => {
    const text = `const id = require('node:fs').readlinkSync('/proc/self'); console.log(process.pid > 1, id === String(process.pid))`;
    const shown = String((await run(node(text), way)).stdout);
    expect(shown).toBe(isolation.processes === 'own, /proc shared' ? 'true false\n' : 'true true\n');
  });

  it('has its orphans taken care of', async () => {
    const text =
      'for i in 1 2 3; do (true & ) ; done; sleep 0.3; cat /proc/[0-9]*/stat 2>/dev/null | grep -c "^[0-9]* (true) Z"';
    expect(String((await run(['sh', '-c', text], way)).stdout)).toBe('0\n');
  });

  it('is asked to end at the time limit, and made to when it does not', async () => {
    const asked = "process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000);";
    expect(await run(node(asked), way, { timeoutMs: 1000 })).toMatchObject({ timedOut: true, exitCode: 0 });
    const deaf = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);";
    expect(await run(node(deaf), way, { timeoutMs: 1000 })).toMatchObject({
      timedOut: true,
      signal: 'SIGKILL',
    });
  });

  it('is ended at the output limit and at an abort, with all that it started', async () => {
    const much = await run(['sh', '-c', 'setsid yes & yes'], way, { maxOutput: 50_000 });
    expect(much).toMatchObject({ overflowed: true });
    const controller = new AbortController();
    const running = run(['sh', '-c', 'touch started; sleep 300'], way, { signal: controller.signal });
    while (!existsSync(join(folder, 'started'))) await sleep(20);
    controller.abort();
    expect(await running).toMatchObject({ aborted: true, signal: 'SIGKILL' });
  });

  it('gets its standard input and no descriptor that is not its own', async () => {
    const text = 'cat; for n in 3 4 5 6 7 8 9; do if (: <&$n) 2>/dev/null; then echo $n; fi; done';
    expect(String((await run(['sh', '-c', text], way, { stdin: 'all of it' })).stdout)).toBe('all of it');
  });
});

it('takes an exit code for what it is where nothing hands it on', async () => {
  const result = await run(['sh', '-c', 'exit 137'], 'wrap', { wrap: noIsolation.wrap });
  expect(result).toMatchObject({ exitCode: 137, signal: null });
});
