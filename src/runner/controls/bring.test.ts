import { existsSync, lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
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
