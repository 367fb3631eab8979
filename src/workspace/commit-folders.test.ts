import { lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runIn, scratch } from '../../tests/fixtures/scratch-repo.ts';
import { commitFolders } from './commit-folders.ts';

const repo = scratch({ name: 'repo' });
const tree = join(repo.root, 'agent-4');
const dotGit = join(repo.top, '.git');
beforeAll(() => {
  repo.commit({ 'a.txt': 'a\n' });
  repo.git('worktree', 'add', '-q', '-b', 'phases/T-1.agent-4', tree, 'HEAD');
  repo.commit({ 'b.txt': 'b\n' });
  mkdirSync(join(dotGit, 'countersign'), { recursive: true });
});
afterAll(() => repo.remove());

/** Every file and folder of git with what tells that it was written. */
function written(folder = dotGit): ReadonlyMap<string, string> {
  const own = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    const { mtimeMs, ino, size } = lstatSync(path);
    const below = entry.isDirectory() ? [...written(path)] : [];
    return [[path, `${mtimeMs} ${ino} ${size}`] as const, ...below];
  });
  return new Map(own);
}

describe('folders that a commit in a linked tree writes into', () => {
  it('hold all that a commit and a merge change', () => {
    const before = written();
    const folders = commitFolders(tree);
    writeFileSync(join(tree, 'mine.txt'), 'mine\n');
    runIn(tree, ['add', '-A']);
    runIn(tree, ['commit', '-qm', 'mine']);
    runIn(tree, ['merge', '-q', '--no-edit', 'main']);
    const touched = [...written()].flatMap(([path, how]) => (before.get(path) === how ? [] : [path]));
    expect(touched.length).toBeGreaterThan(5);
    const isInside = (path: string) => folders.some((one) => path === one || path.startsWith(`${one}/`));
    expect(touched.filter((path) => !isInside(path))).toEqual([]);
  });

  it('are neither hooks nor settings, nor what lies beside them', () => {
    const names = ['hooks', 'config', 'info', 'countersign', 'worktrees'];
    const folders = commitFolders(tree);
    for (const name of names) expect(folders).not.toContain(join(dotGit, name));
    expect(folders).not.toContain(dotGit);
  });

  it('are none where the tree has all itself', () => {
    expect(commitFolders(repo.top)).toEqual([]);
  });
});
