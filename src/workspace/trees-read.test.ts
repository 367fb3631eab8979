import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Scratch, scratch } from '../../tests/fixtures/scratch-repo.ts';
import { locateRepository } from './repository.ts';
import { readTrees } from './trees-read.ts';
import { listWorktrees } from './worktrees.ts';

let repo: Scratch;
const read = (top = repo.top) => readTrees(locateRepository(top, {}));
const at = (name: string) => join(repo.root, name);
/** What is read, which has to be what git lists. */
const both = () => {
  const listed = listWorktrees(repo.top);
  expect(read()).toEqual(listed);
  return listed;
};

beforeAll(() => {
  repo = scratch({ name: 'repo' });
  repo.commit({ 'a.txt': '1\n' });
});
afterAll(() => repo.remove());

test('is what git lists, whatever becomes of the trees', () => {
  expect(both()).toHaveLength(1);
  repo.git('worktree', 'add', '-q', '-b', 'side', at('z'));
  repo.git('worktree', 'add', '-q', '--detach', at('b'));
  repo.git('worktree', 'add', '-q', '--lock', '-b', 'deep/name', at('m n'));
  expect(both().map(({ branch, isLocked }) => [branch, isLocked])).toEqual([
    ['main', false],
    ['', false],
    ['deep/name', true],
    ['side', false],
  ]);
  expect(read(at('z'))).toEqual(listWorktrees(at('z')));
  repo.git('pack-refs', '--all');
  both();
  repo.commit({ 'a.txt': '2\n' });
  repo.git('worktree', 'unlock', at('m n'));
  both();
  repo.git('checkout', '-q', '--detach');
  both();
  repo.git('checkout', '-q', 'main');
  rmSync(at('b'), { recursive: true });
  both();
  symlinkSync(at('z'), at('link'));
  repo.git('worktree', 'move', at('m n'), at('moved'));
  both();
  repo.git('worktree', 'remove', '-f', '-f', at('moved'));
  repo.git('worktree', 'prune');
  expect(both()).toHaveLength(2);
});

test('what is not of the plainest form is left to git', () => {
  const folder = join(repo.top, '.git', 'worktrees', 'z');
  const inPlaceOf = (name: string, text: string) => {
    const before = readFileSync(join(folder, name), 'utf8');
    writeFileSync(join(folder, name), text);
    expect(read(), `${name}: ${text}`).toBeUndefined();
    writeFileSync(join(folder, name), before);
    both();
  };
  inPlaceOf('HEAD', `${'0'.repeat(40)}\n`);
  inPlaceOf('HEAD', 'ref: refs/heads/unborn\n');
  inPlaceOf('HEAD', '');
  inPlaceOf('gitdir', '../../../z/.git\n');
  inPlaceOf('gitdir', '');
  mkdirSync(join(repo.top, '.git', 'worktrees', 'half'));
  expect(read()).toBeUndefined();
  rmSync(join(repo.top, '.git', 'worktrees', 'half'), { recursive: true });
  repo.git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
  repo.git('symbolic-ref', 'HEAD', 'refs/heads/alias');
  expect(read()).toBeUndefined();
  repo.git('symbolic-ref', 'HEAD', 'refs/heads/main');
  for (const [name, value] of [
    ['core.worktree', repo.top],
    ['extensions.worktreeConfig', 'true'],
    ['include.path', 'other'],
  ] as const) {
    repo.git('config', name, value);
    expect(read(), name).toBeUndefined();
    repo.git('config', '--unset', name);
  }
  both();
});

test('nor of a repository whose main tree has no name of its own', () => {
  const bare = scratch({ name: 'bare' });
  bare.commit({ 'a.txt': '1\n' });
  bare.git('worktree', 'add', '-q', '-b', 'side', join(bare.root, 'side'));
  bare.git('config', 'core.bare', 'true');
  expect(read(join(bare.root, 'side'))).toBeUndefined();
  bare.remove();
});
