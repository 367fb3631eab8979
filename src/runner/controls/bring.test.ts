import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ChangedFile } from '../change.ts';
import { bring, takeModes, workOf } from './work.ts';

let checkout: string;
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'bring-'));
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

const contents = (before: string | undefined, after: string | undefined) => ({
  before: async () => (before === undefined ? undefined : Buffer.from(before)),
  after: async () => (after === undefined ? undefined : Buffer.from(after)),
});
const isProgram = (path: string) => (lstatSync(join(checkout, path)).mode & 0o100) !== 0;

it('gives files what their side has of them: whether they can be started, too', async () => {
  const file: ChangedFile = { path: 'test/run.sh', status: 'modified', modes: ['100755', '100644'] };
  await bring(checkout, contents('a', 'b'), 'before', [file]);
  expect(isProgram(file.path)).toBe(true);
  await bring(checkout, contents('a', 'b'), 'after', [file]);
  expect(isProgram(file.path)).toBe(false);
  await bring(checkout, contents('a', undefined), 'after', [file]);
  expect(existsSync(join(checkout, file.path))).toBe(false);
});

it('takes away nothing through what came in the place of a folder', async () => {
  const gone: ChangedFile = { path: 'docs/a.md', status: 'deleted', modes: ['100644', '000000'] };
  writeFileSync(join(checkout, 'docs'), 'a file by now');
  await bring(checkout, contents('a', undefined), 'after', [gone]);
  rmSync(join(checkout, 'docs'));
  mkdirSync(join(checkout, 'site'));
  writeFileSync(join(checkout, 'site/a.md'), 'a');
  symlinkSync('site', join(checkout, 'docs'));
  const link: ChangedFile = { path: 'docs', status: 'added', modes: ['000000', '120000'] };
  const after = async (path: string) => (path === 'docs' ? Buffer.from('site') : undefined);
  await bring(checkout, { before: after, after }, 'after', [link, gone]);
  expect([readlinkSync(join(checkout, 'docs')), existsSync(join(checkout, 'site/a.md'))]).toEqual([
    'site',
    true,
  ]);
});

it('makes links of links, and none that leads out', async () => {
  const link = (path: string): ChangedFile => ({ path, status: 'added', modes: ['000000', '120000'] });
  writeFileSync(join(checkout, 'there'), '');
  for (const target of ['there', 'nowhere']) {
    await bring(checkout, contents(undefined, target), 'after', [link('a')]);
    expect(readlinkSync(join(checkout, 'a'))).toBe(target);
  }
  mkdirSync(join(checkout, 'deep'));
  await bring(checkout, contents(undefined, '..'), 'after', [link('deep/top')]);
  for (const target of ['/etc/hostname', '../..', 'deep/top/..']) {
    await bring(checkout, contents(undefined, target), 'after', [link('b')]);
    expect([target, lstatSync(join(checkout, 'b'), { throwIfNoEntry: false })]).toEqual([target, undefined]);
  }
});

it('tells what became a program, or another kind of file, from what reads differently', async () => {
  const files: readonly ChangedFile[] = [
    { path: 'a.js', status: 'modified', modes: ['100644', '100755'] },
    { path: 'b.js', status: 'type-changed', modes: ['100644', '120000'] },
    { path: 'c.js', status: 'modified', modes: ['120000', '120000'] },
  ];
  const change = {
    ...contents('', ''),
    baseTree: '',
    files,
    base: { paths: async () => [], read: async () => new Map() },
  };
  const work = workOf(change, [], new Set());
  expect(work.changedSources.map(({ path }) => path)).toEqual(['a.js']);
  expect(work.structure.map(({ path }) => path)).toEqual(['b.js', 'c.js']);
  writeFileSync(join(checkout, 'a.js'), '');
  await takeModes(checkout, work.changedSources);
  expect(isProgram('a.js')).toBe(true);
});

it('tells what may be there for the tests alone from what is started, loaded or set by it', () => {
  const of = (path: string, status: ChangedFile['status'], after = '100644'): ChangedFile => ({
    ...{ path, status, modes: [status === 'added' ? '000000' : '100644', after] },
  });
  const files = [
    of('README.md', 'modified'),
    of('docs/new.md', 'added'),
    of('data.json', 'added'),
    of('bin/tool', 'added', '100755'),
    of('prompts/new.md', 'added'),
    of('lists/words.txt', 'modified'),
    of('pyproject.toml', 'modified'),
    of('test/old.test.js', 'deleted', '000000'),
  ];
  const change = {
    ...contents('', ''),
    baseTree: '',
    files,
    base: { paths: async () => [], read: async () => new Map() },
  };
  const stray = new Set(files.slice(0, 6).map(({ path }) => path));
  const work = workOf(change, ['test/**'], new Set(), stray);
  expect(work.strayData.map(({ path }) => path)).toEqual(['README.md', 'docs/new.md', 'data.json']);
  expect(work.structure.map(({ path }) => path)).toEqual([
    'bin/tool',
    'prompts/new.md',
    'lists/words.txt',
    'pyproject.toml',
    'test/old.test.js',
  ]);
});
