import { createServer } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { isAllowableName, scrubbedEnvironment, searchPath } from './environment.ts';
import { type Isolation, noIsolation, probeIsolation } from './isolate.ts';
import { runProcess } from './process.ts';

const run = (isolation: Isolation, argv: readonly string[]) =>
  runProcess({
    argv,
    cwd: '/',
    env: { PATH: searchPath },
    timeoutMs: 30_000,
    maxOutput: 100_000,
    signal: undefined,
    wrap: isolation.wrap,
  });

const talkToSelf = `const net = require('node:net');
const server = net.createServer((s) => s.end('hello')).listen(0, '127.0.0.1', () => {
  net.connect(server.address().port, '127.0.0.1').on('data', (d) => { console.log(String(d)); process.exit(0); });
});`;
const reach = (port: number) =>
  `require('node:net').connect(${port}, '127.0.0.1').on('connect', () => process.exit(0)).on('error', () => process.exit(7));`;

describe('isolation', () => {
  it('is tried again where it could not be tried', async () => {
    vi.resetModules();
    const { probeIsolation: probe } = await import('./isolate.ts');
    const before = process.env.TMPDIR;
    process.env.TMPDIR = '/nowhere/at/all';
    await expect(probe()).rejects.toThrow('ENOENT');
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    expect((await probe()).how).toBe((await probeIsolation()).how);
  });

  it('lets a program serve and call itself on localhost', async () => {
    for (const isolation of [await probeIsolation(), noIsolation]) {
      expect(String((await run(isolation, ['node', '-e', talkToSelf])).stdout)).toBe('hello\n');
    }
  });

  it('cuts off everything outside, or says that it cannot', async () => {
    const isolation = await probeIsolation();
    if (isolation.network === 'host') {
      expect(isolation.how).toContain('network host');
      return;
    }
    const server = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    // The host's own localhost is outside too; without isolation the very same program reaches it.
    expect((await run(noIsolation, ['node', '-e', reach(port)])).exitCode).toBe(0);
    expect((await run(isolation, ['node', '-e', reach(port)])).exitCode).toBe(7);
    expect((await run(isolation, ['sh', '-c', 'cat /proc/net/route | wc -l'])).stdout.toString().trim()).toBe(
      '1',
    );
    server.close();
  });

  it('keeps the user, the exit code, signals, arguments, and the time limit', async () => {
    const isolation = await probeIsolation();
    const shown = await run(isolation, [
      'sh',
      '-c',
      'id -u; printf "%s|" "$@"; exit 5',
      'x',
      'a b',
      '$c',
      '',
    ]);
    expect(shown.exitCode).toBe(5);
    expect(String(shown.stdout)).toBe(`${process.getuid?.()}\na b|$c||`);
    expect(await run(isolation, ['sh', '-c', 'kill -9 $$'])).toMatchObject({
      signal: 'SIGKILL',
      exitCode: null,
    });
    expect(await run(isolation, ['no-such-program'])).toMatchObject({ notFound: true });
  });

  it('falls back to nothing and says so', () => {
    for (const wrap of [noIsolation.wrap, noIsolation.online, noIsolation.alone])
      expect(wrap(['a', 'b'], { cwd: '/', env: {} })).toEqual(['a', 'b']);
    expect(noIsolation.how).toBe('not-available; network host, processes shared, disk visible');
  });
});

describe('scrubbedEnvironment', () => {
  const request = {
    home: '/r/h',
    tmp: '/r/t',
    ceiling: '/r',
    allow: ['LICENCE_KEY', 'NODE_OPTIONS', 'ABSENT'],
  };

  it('lets nothing through but what is named', () => {
    const caller = {
      PATH: '/evil',
      HOME: '/home/me',
      NODE_OPTIONS: '--require /evil.js',
      LD_PRELOAD: '/evil.so',
      GIT_DIR: '/x',
      npm_config_registry: 'http://evil',
      BASH_ENV: '/evil',
      LICENCE_KEY: 'k',
      SECRET: 's',
    };
    const env = scrubbedEnvironment(request, caller);
    expect(env).toEqual({
      LICENCE_KEY: 'k',
      PATH: searchPath,
      HOME: '/r/h',
      TMPDIR: '/r/t',
      CI: '1',
      TZ: 'UTC',
      LANG: 'C.UTF-8',
      NO_COLOR: '1',
      GIT_CEILING_DIRECTORIES: '/r',
    });
    expect(searchPath.split(':').every((folder) => folder.startsWith('/'))).toBe(true);
  });

  it.each([
    'PATH',
    'HOME',
    'NODE_OPTIONS',
    'NODE_PATH',
    'LD_PRELOAD',
    'DYLD_INSERT_LIBRARIES',
    'GIT_DIR',
    'npm_config_x',
    'BASH_ENV',
    'PYTHONPATH',
    'RUBYOPT',
    'JAVA_TOOL_OPTIONS',
    'GOFLAGS',
    'RUSTC_WRAPPER',
    'A B',
    '',
  ])('refuses to allow %j', (name) => {
    expect(isAllowableName(name)).toBe(false);
  });
});
