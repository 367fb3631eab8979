import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchPath } from './environment.ts';
import { probeIsolation } from './isolate.ts';
import { coveringOf } from './isolate-disk.ts';
import { runProcess } from './process.ts';

let top: string;
beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'disk-')));
  for (const name of [
    'work',
    'work/sub',
    'home',
    'tmp',
    'outside',
    "o'dd na\tme",
    'tools/bin',
    'tools/lib',
  ]) {
    mkdirSync(join(top, name), { recursive: true });
    writeFileSync(join(top, name, 'file'), name);
  }
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

const isolation = await probeIsolation();
const open = isolation.disk === 'visible';

async function run(view: 'wrap' | 'alone', script: string, words: readonly string[] = [], more = {}) {
  const result = await runProcess({
    argv: ['sh', '-c', script, 'sh', ...words],
    cwd: join(top, 'work/sub'),
    env: { PATH: searchPath, HOME: join(top, 'home'), TMPDIR: join(top, 'tmp'), ...more },
    timeoutMs: 30_000,
    maxOutput: 100_000,
    signal: undefined,
    wrap: isolation[view],
  });
  return `${result.output}`;
}
const can = (path: string) => `if [ -e "${path}" ]; then echo yes; else echo no; fi`;
const seen = open ? 'yes\n' : 'no\n';

describe.each(['wrap', 'alone'] as const)('what a program sees under %s', (view) => {
  it('is its folder, its home and its temporary files, to read and to write', async () => {
    const text = 'pwd; cat file "$HOME/file" "$TMPDIR/file"; echo x >made; echo x >"$TMPDIR/made"';
    expect(await run(view, text)).toBe(`${top}/work/sub\nwork/subhometmp`);
    expect(await run(view, 'cat made "$TMPDIR/made"')).toBe('x\nx\n');
  });

  it('is nothing beside them, or the grade says that the disk is visible', async () => {
    const half = Math.floor(top.length / 2);
    expect(await run(view, can('$1$2'), [top.slice(0, half), `${top.slice(half)}/outside/file`])).toBe(seen);
    for (const path of ['../../outside/file', '../file']) expect(await run(view, can(path))).toBe(seen);
  });

  it('is what every program needs', async () => {
    const text = 'node --version; ls /usr/bin/env; echo x >/tmp/x && cat /tmp/x; echo x >/dev/null';
    expect(await run(view, text)).toBe(`${process.version}\n/usr/bin/env\nx\n`);
    if (open) rmSync('/tmp/x', { force: true });
  });

  it('stays so, whatever the program tries', async () => {
    // There root would do this to the machine.
    if (open) return expect(isolation.how).toContain('disk visible');
    const half = Math.floor(top.length / 2);
    for (const attempt of [
      'umount -l /tmp',
      'umount -l "$1$2/work/sub"',
      'mount --bind / /mnt',
      'mount -o remount,rw /',
    ])
      expect(
        await run(view, `${attempt} >/dev/null 2>&1; ${can('$1$2/outside')}`, [
          top.slice(0, half),
          top.slice(half),
        ]),
      ).toBe(seen);
    const again = `unshare --user --map-root-user --mount sh -c 'umount -l /tmp; ${can('$1$2/outside')}' sh "$1" "$2" 2>/dev/null`;
    expect(await run(view, again, [top.slice(0, half), top.slice(half)])).toBe(seen);
  });
});

describe('what the criteria name', () => {
  const odd = "o'dd na\tme";
  it('stays to be seen by checks, with what lies beside a folder of programs', async () => {
    expect(await run('wrap', 'cat "$1/file"', [join(top, odd)])).toBe(odd);
    expect(await run('wrap', `cat ${top}/outside/file`)).toBe('outside');
    expect(await run('wrap', 'cat "$TOOLS/../lib/file"', [], { TOOLS: `${top}/tools/bin` })).toBe(
      'tools/lib',
    );
  });

  it('is not for packages', async () => {
    expect(await run('alone', can('$1/file'), [join(top, odd)])).toBe(seen);
    expect(await run('alone', can('$TOOLS/file'), [], { TOOLS: `${top}/tools/bin` })).toBe(seen);
  });
});

describe('coveringOf', () => {
  const spot = () => ({ cwd: join(top, 'work'), env: { PATH: searchPath, HOME: join(top, 'home') } });

  it('covers no folder of the system, and brings back only what lies below a cover', () => {
    for (const view of ['project', 'own'] as const) {
      const { covered, kept } = coveringOf(view, [`${top}/tools/bin`], spot());
      expect(covered.filter((path) => /^\/(usr|etc|bin|proc|sys|dev)?$/.test(path))).toEqual([]);
      for (const path of kept) expect(covered.some((cover) => path.startsWith(`${cover}/`))).toBe(true);
    }
  });

  it('never brings back a whole covered folder', () => {
    const words = ['/', '/tmp', '/tmp/..', '/home', process.env.HOME ?? '/root', tmpdir()];
    const { covered, kept } = coveringOf('project', words, { cwd: '/', env: {} });
    expect(kept.filter((path) => covered.includes(path))).toEqual([]);
  });
});
