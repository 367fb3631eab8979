import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeWorkFolder, sweepWorkFolders } from './work-folder.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sweep-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const deadPid = () => spawnSync('true').pid;
/** A folder as this process makes it, with the pid in its name replaced. */
async function folderOf(pid: number): Promise<string> {
  const made = await makeWorkFolder(root);
  const name = basename(made).replace(`-${process.pid}-`, `-${pid}-`);
  renameSync(made, join(root, name));
  return name;
}

it('removes the folder of a killed run, also what it locked, and keeps that of a live one', async () => {
  const dead = await folderOf(deadPid());
  mkdirSync(join(root, dead, 'locked/in'), { recursive: true });
  chmodSync(join(root, dead, 'locked'), 0);
  const own = basename(await makeWorkFolder(root));
  await sweepWorkFolders(root);
  expect(readdirSync(root)).toEqual([own]);
});

it('removes a folder whose pid another process has by now', async () => {
  const other = spawn('sleep', ['60']);
  await folderOf(other.pid ?? 0);
  await sweepWorkFolders(root);
  other.kill();
  expect(readdirSync(root)).toEqual([]);
});

it('touches nothing else: links, files, other names, other process spaces', async () => {
  const dead = await folderOf(deadPid());
  rmSync(join(root, dead), { recursive: true });
  const target = join(root, 'target');
  mkdirSync(target);
  writeFileSync(join(target, 'kept'), 'x');
  symlinkSync(target, join(root, dead));
  writeFileSync(join(root, dead.replace(/.{6}$/, 'afile0')), '');
  mkdirSync(join(root, dead.replace(/-[0-9a-f]{6}-(\w{6})$/, '-zzzzzz-$1')));
  const elsewhere = dead.replace(/-([0-9a-f]{6})-(\w{6})$/, (_, space: string, end: string) => {
    return `-${space === '000000' ? '000001' : '000000'}-${end}`;
  });
  mkdirSync(join(root, elsewhere));
  mkdirSync(join(root, `${dead}-more`));
  mkdirSync(join(root, 'run-abcdef'));
  const before = readdirSync(root);
  await sweepWorkFolders(root);
  await sweepWorkFolders(join(root, 'absent'));
  expect(readdirSync(root)).toEqual(before);
  expect(readFileSync(join(target, 'kept'), 'utf8')).toBe('x');
});
