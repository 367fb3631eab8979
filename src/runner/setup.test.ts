import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { installerEnvironment, scrubbedEnvironment, searchPath } from './environment.ts';
import type { Seal } from './memory.ts';
import { runProcess } from './process.ts';
import { type SetupPlan, setUp } from './setup.ts';

let root: string;
let installs: number;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'setup-')));
  installs = 0;
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const auto: SetupPlan = { install: 'auto', build: [] };

function run(checkout: string, argv: readonly string[]) {
  const home = mkdtempSync(join(root, 'home-'));
  const env = scrubbedEnvironment({ home, tmp: home, ceiling: root, allow: [] });
  const request = {
    argv,
    cwd: checkout,
    timeoutMs: 120_000,
    maxOutput: 1_000_000,
    signal: undefined,
    wrap: (plain: readonly string[]) => plain,
  };
  return runProcess({ ...request, env: installerEnvironment(env, join(root, 'downloads')) });
}

const prepare = (checkout: string, plan = auto, path = searchPath, seal?: Seal) =>
  setUp(plan, {
    checkout,
    cacheRoot: join(root, 'cache'),
    searchPath: path,
    seal,
    install: (argv) => {
      installs += 1;
      return run(checkout, argv);
    },
    build: (argv) => run(checkout, argv),
  });

/** A registry of one package; npm asks it for the tarball alone, since the lockfile names place and digest. */
const registry = createServer((_, answer) => answer.end(tarball));
let tarball: Buffer;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tiny-'));
  const scripts = { install: 'touch ../../script-ran' };
  const manifest = { name: 'tiny', version: '1.0.0', scripts, bin: 'cli.js' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'index.js'), 'module.exports = 42;\n');
  writeFileSync(join(folder, 'cli.js'), '#!/usr/bin/env node\n', { mode: 0o755 });
  execFileSync('npm', ['pack', '--silent'], { cwd: folder });
  tarball = readFileSync(join(folder, 'tiny-1.0.0.tgz'));
  rmSync(folder, { recursive: true });
  await once(registry.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => void registry.close());

function project(name: string): string {
  const folder = join(root, name);
  mkdirSync(folder);
  const { port } = registry.address() as AddressInfo;
  const manifest = { name: 'p', version: '1.0.0', dependencies: { tiny: '1.0.0' } };
  const tiny = {
    version: '1.0.0',
    resolved: `http://127.0.0.1:${port}/tiny-1.0.0.tgz`,
    integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
    hasInstallScript: true,
    bin: { tiny: 'cli.js' },
  };
  const lock = { ...manifest, lockfileVersion: 3, packages: { '': manifest, 'node_modules/tiny': tiny } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  // npm asks again, and waits for it, when a tarball is not what it should be.
  writeFileSync(join(folder, '.npmrc'), `registry=http://127.0.0.1:${port}/\nfetch-retries=0\n`);
  return folder;
}
const cacheEntry = () => join(root, 'cache/modules', readdirSync(join(root, 'cache/modules'))[0] ?? '');

describe('setUp', () => {
  it('installs from the lockfile without scripts, then copies from the cache', async () => {
    const first = project('first');
    expect(await prepare(first)).toEqual({ outcome: 'done', cause: '', cached: false });
    expect(readFileSync(join(first, 'node_modules/tiny/index.js'), 'utf8')).toContain('42');
    expect(existsSync(join(first, 'script-ran'))).toBe(false);
    const second = project('second');
    expect(await prepare(second)).toEqual({ outcome: 'done', cause: '', cached: true });
    expect(installs).toBe(1);
    const copied = lstatSync(join(second, 'node_modules/tiny/index.js'));
    expect(copied.nlink).toBe(1);
    expect(copied.ino).not.toBe(lstatSync(join(first, 'node_modules/tiny/index.js')).ino);
    expect(lstatSync(join(second, 'node_modules/.bin/tiny')).isSymbolicLink()).toBe(true);
    writeFileSync(join(second, 'node_modules/tiny/index.js'), 'changed');
    expect(await prepare(project('third'))).toMatchObject({ cached: true });
  });

  it.each([
    [
      'a changed file',
      (entry: string) =>
        writeFileSync(join(entry, 'content/node_modules/tiny/index.js'), 'module.exports = 13;'),
    ],
    ['an added file', (entry: string) => writeFileSync(join(entry, 'content/node_modules/evil.js'), '')],
    ['a removed file', (entry: string) => rmSync(join(entry, 'content/node_modules/tiny/index.js'))],
    [
      'a way out',
      (entry: string) =>
        writeFileSync(
          join(entry, 'entry.json'),
          JSON.stringify({ folders: ['../node_modules'], digest: 'x' }),
        ),
    ],
  ])('throws a poisoned entry away and builds it again: %s', async (_, poison) => {
    await prepare(project('first'));
    poison(cacheEntry());
    const second = project('second');
    expect(await prepare(second)).toEqual({ outcome: 'done', cause: '', cached: false });
    expect(installs).toBe(2);
    expect(readFileSync(join(second, 'node_modules/tiny/index.js'), 'utf8')).toContain('42');
    expect(existsSync(join(second, 'node_modules/evil.js'))).toBe(false);
    if (_ !== 'a way out') expect(await prepare(project('third'))).toMatchObject({ cached: true });
  });

  it('installs again for another manifest', async () => {
    await prepare(project('first'));
    const second = project('second');
    const manifest = JSON.parse(readFileSync(join(second, 'package.json'), 'utf8'));
    writeFileSync(join(second, 'package.json'), JSON.stringify({ ...manifest, description: 'other' }));
    expect(await prepare(second)).toMatchObject({ outcome: 'done', cached: false });
  });

  it('takes no modules of another commit when a dependency is a folder of the project', async () => {
    const withLibrary = (name: string, text: string) => {
      const folder = join(root, name);
      mkdirSync(join(folder, 'lib'), { recursive: true });
      writeFileSync(join(folder, '.npmrc'), 'install-links=true\n');
      writeFileSync(join(folder, 'package.json'), '{"name":"p","dependencies":{"lib":"file:lib"}}');
      writeFileSync(join(folder, 'lib/package.json'), '{"name":"lib","version":"1.0.0"}');
      writeFileSync(join(folder, 'lib/index.js'), text);
      const lock = ['install', '--package-lock-only', '--offline', '--silent', '--no-audit'];
      execFileSync('npm', lock, { cwd: folder });
      return folder;
    };
    await prepare(withLibrary('good', 'module.exports = 42;\n'));
    const broken = withLibrary('broken', 'module.exports = 13;\n');
    expect(await prepare(broken)).toEqual({ outcome: 'done', cause: '', cached: false });
    expect(readFileSync(join(broken, 'node_modules/lib/index.js'), 'utf8')).toContain('13');
  });

  it('keeps no modules that a commit holds itself, and leaves those of another commit where they are', async () => {
    const holding = (name: string, text: string) => {
      const folder = project(name);
      mkdirSync(join(folder, 'test/node_modules/tiny'), { recursive: true });
      writeFileSync(join(folder, 'test/node_modules/tiny/index.js'), text);
      return folder;
    };
    await prepare(holding('poison', 'module.exports = 0;\n'));
    const plain = project('plain');
    expect(await prepare(plain)).toMatchObject({ outcome: 'done', cached: false });
    expect(existsSync(join(plain, 'test/node_modules'))).toBe(false);
    const fixture = holding('fixture', 'module.exports = 1;\n');
    expect(await prepare(fixture)).toMatchObject({ outcome: 'done', cached: false });
    expect(readFileSync(join(fixture, 'test/node_modules/tiny/index.js'), 'utf8')).toContain('1');
    expect(readFileSync(join(fixture, 'node_modules/tiny/index.js'), 'utf8')).toContain('42');
  });

  it('takes no entry whose digest somebody else wrote', async () => {
    const seal = {
      mark: (text: string) => `m${text}`,
      holds: (text: string, mark: string) => mark === `m${text}`,
    };
    await prepare(project('first'), auto, searchPath, seal);
    expect(await prepare(project('second'), auto, searchPath, seal)).toMatchObject({ cached: true });
    const entry = join(cacheEntry(), 'entry.json');
    const { folders, digest } = JSON.parse(readFileSync(entry, 'utf8'));
    writeFileSync(entry, JSON.stringify({ folders, digest, mark: 'made up' }));
    expect(await prepare(project('third'), auto, searchPath, seal)).toMatchObject({ cached: false });
  });

  it('is indeterminate when the tarball is not what the lockfile says', async () => {
    const bad = project('bad');
    const lock = readFileSync(join(bad, 'package-lock.json'), 'utf8');
    writeFileSync(
      join(bad, 'package-lock.json'),
      lock.replace(/sha512-[^"]+/, `sha512-${Buffer.alloc(64).toString('base64')}`),
    );
    const result = await prepare(bad);
    expect(result.outcome).toBe('indeterminate');
    expect(result.cause).toMatch(/npm ci .* ended with 1/);
  });

  it('has nothing to do without packages, and cannot go on without a lockfile or an installer', async () => {
    const folder = join(root, 'plain');
    mkdirSync(folder);
    expect(await prepare(folder)).toMatchObject({ outcome: 'nothing-to-do' });
    writeFileSync(join(folder, 'package.json'), '{"scripts":{}}');
    expect(await prepare(folder)).toMatchObject({ outcome: 'nothing-to-do' });
    writeFileSync(join(folder, 'package.json'), '{"devDependencies":{"a":"1"}}');
    expect(await prepare(folder)).toMatchObject({
      outcome: 'indeterminate',
      cause: expect.stringContaining('no lockfile'),
    });
    expect(await prepare(folder, { install: 'none', build: [] })).toMatchObject({ outcome: 'nothing-to-do' });
    writeFileSync(join(folder, 'yarn.lock'), '');
    expect(await prepare(folder, auto, '/nowhere')).toMatchObject({
      outcome: 'indeterminate',
      cause: expect.stringContaining('yarn is not installed'),
    });
    writeFileSync(join(folder, 'package.json'), 'no json');
    expect(await prepare(folder)).toMatchObject({ outcome: 'indeterminate' });
  });

  it('runs the named builds, and is indeterminate when one fails', async () => {
    const folder = join(root, 'plain');
    mkdirSync(folder);
    const build = (...argvs: string[][]) => prepare(folder, { install: 'auto', build: argvs });
    expect(await build(['touch', 'built'])).toMatchObject({ outcome: 'done' });
    expect(existsSync(join(folder, 'built'))).toBe(true);
    expect(await build(['sh', '-c', 'echo broken; exit 4'], ['touch', 'never'])).toMatchObject({
      outcome: 'indeterminate',
      cause: expect.stringContaining('ended with 4: broken'),
    });
    expect(existsSync(join(folder, 'never'))).toBe(false);
    expect(await build(['no-such-tool'])).toMatchObject({
      outcome: 'indeterminate',
      cause: 'build: program not found: no-such-tool',
    });
  });
});
