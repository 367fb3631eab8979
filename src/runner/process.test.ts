import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { searchPath } from './environment.ts';
import { type ProcessRequest, runProcess } from './process.ts';
import { killStrays } from './strays.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'process-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (argv: readonly string[], more: Partial<ProcessRequest> = {}) =>
  runProcess({
    argv,
    cwd: folder,
    env: { PATH: searchPath },
    timeoutMs: 30_000,
    maxOutput: 100_000,
    signal: undefined,
    wrap: (plain) => plain,
    ...more,
  });

const script = (text: string) => ['node', '-e', text];
const alive = (id: number) => {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${id}/stat`, 'utf8'));
  } catch {
    return false;
  }
};
async function gone(id: number): Promise<boolean> {
  for (let tries = 0; tries < 100 && alive(id); tries += 1) await sleep(50);
  return !alive(id);
}
const child = (options: string) =>
  `const c = require('node:child_process').spawn('sleep', ['300'], ${options}); require('node:fs').writeFileSync('pid', String(c.pid));`;
const pid = () => Number(readFileSync(join(folder, 'pid'), 'utf8'));

describe('runProcess', () => {
  it('answers the exit code, both streams, and their order', async () => {
    const result = await run(['sh', '-c', 'echo out; sleep 0.1; echo err >&2; exit 3']);
    expect(result).toMatchObject({
      exitCode: 3,
      signal: null,
      timedOut: false,
      overflowed: false,
      notFound: false,
    });
    expect([result.stdout, result.stderr, result.output].map(String)).toEqual([
      'out\n',
      'err\n',
      'out\nerr\n',
    ]);
  });

  it('gives no shell, no input and no variable but the given ones', async () => {
    const result = await run(
      script(
        'process.stdin.on("data", () => process.exit(9)).on("end", () => console.log(process.argv[1], Object.keys(process.env)))',
      ).concat('$HOME;`x`'),
      {
        env: { PATH: searchPath, A: '1' },
      },
    );
    expect(String(result.stdout)).toBe("$HOME;`x` [ 'PATH', 'A' ]\n");
  });

  it('does not find what is not there, and never looks in the working folder', async () => {
    writeFileSync(join(folder, 'tool'), '#!/bin/sh\n', { mode: 0o755 });
    expect(await run(['tool'])).toMatchObject({ notFound: true, exitCode: null });
    expect(await run(['./absent'])).toMatchObject({ notFound: true });
    expect(await run(['./tool'])).toMatchObject({ notFound: false, exitCode: 0 });
    expect(await run(['tool'], { env: { PATH: `.:${searchPath}` } })).toMatchObject({ notFound: true });
    writeFileSync(join(folder, 'broken'), '#!/no/such/interpreter\n', { mode: 0o755 });
    expect(await run(['./broken'])).toMatchObject({ notFound: true });
  });

  it('ends a program and its children at the time limit, also one that ignores the request', async () => {
    const deaf = `process.on('SIGTERM', () => {}); ${child('{}')} setInterval(() => {}, 1000);`;
    const result = await run(script(deaf), { timeoutMs: 1000 });
    expect(result).toMatchObject({ timedOut: true, signal: 'SIGKILL' });
    expect(await gone(pid())).toBe(true);
  });

  it('remembers the time limit when the program then says that all is well', async () => {
    const result = await run(
      script("process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000);"),
      { timeoutMs: 1000 },
    );
    expect(result).toMatchObject({ timedOut: true, exitCode: 0 });
  });

  it('ends a child that survives its parent, and does not wait for the pipe it holds', async () => {
    const result = await run(
      script(`${child("{ stdio: 'inherit' }")} c.unref(); console.log('done'); process.exit(0);`),
    );
    expect(result).toMatchObject({ exitCode: 0, timedOut: false });
    expect(String(result.stdout)).toBe('done\n');
    expect(await gone(pid())).toBe(true);
  });

  it('does not hang on a process that left the group and holds the pipe', async () => {
    const result = await run(script(`${child("{ stdio: 'inherit', detached: true }")} process.exit(0);`));
    expect(result).toMatchObject({ exitCode: 0 });
    expect(alive(pid())).toBe(true);
    expect(killStrays(folder)).toBeGreaterThan(0);
    expect(await gone(pid())).toBe(true);
  });

  it('ends endless output at the limit and keeps the tail', async () => {
    const result = await run(['sh', '-c', 'echo first; yes'], { maxOutput: 50_000 });
    expect(result).toMatchObject({ overflowed: true, timedOut: false });
    expect(result.output.length).toBe(50_000);
    expect(String(result.output)).not.toContain('first');
  });

  it('keeps output written just before the end', async () => {
    const result = await run(['sh', '-c', 'head -c 90000 /dev/zero; exit 0']);
    expect(result.stdout.length).toBe(90_000);
  });

  it('tells a foreign signal from an exit code', async () => {
    expect(await run(['sh', '-c', 'kill -9 $$'])).toMatchObject({
      exitCode: null,
      signal: 'SIGKILL',
      timedOut: false,
    });
  });

  it('ends everything at an abort, and starts nothing after one', async () => {
    const controller = new AbortController();
    const running = run(script(`${child('{}')} setInterval(() => {}, 1000);`), { signal: controller.signal });
    while (!existsSync(join(folder, 'pid')) || readFileSync(join(folder, 'pid'), 'utf8') === '')
      await sleep(20);
    controller.abort();
    expect(await running).toMatchObject({ aborted: true, signal: 'SIGKILL' });
    expect(await gone(pid())).toBe(true);
    expect(await run(['sh', '-c', 'touch ran'], { signal: controller.signal })).toMatchObject({
      aborted: true,
    });
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  });
});

describe('killStrays', () => {
  it('finds a process by its environment when it works elsewhere, and leaves others alone', async () => {
    await run(script(`${child("{ stdio: 'ignore', detached: true, cwd: '/' }")} process.exit(0);`), {
      env: { PATH: searchPath, HOME: `${folder}/h` },
    });
    expect(killStrays(`${folder}-other`)).toBe(0);
    expect(alive(pid())).toBe(true);
    expect(killStrays(folder)).toBe(1);
    expect(await gone(pid())).toBe(true);
  });
});
