import { expect, test } from 'vitest';
import { scratch } from '../../tests/fixtures/scratch-repo.ts';
import { isClean } from './worktrees.ts';

test('a new file is seen, also where git is asked to show none', () => {
  const repo = scratch();
  repo.commit({ 'lib.js': 'a\n' });
  repo.git('config', 'status.showUntrackedFiles', 'no');
  expect(isClean(repo.top)).toBe(true);
  repo.write('new.js', '1;\n');
  expect(isClean(repo.top)).toBe(false);
  repo.remove();
});

test('a submodule at another commit is seen, also where git is asked to pass over it', () => {
  const repo = scratch();
  const sub = scratch({ root: repo.top, name: 'sub' });
  sub.commit({ 'lib.js': 'a\n' });
  repo.commit({});
  repo.git('config', 'diff.ignoreSubmodules', 'all');
  expect(isClean(repo.top)).toBe(true);
  sub.commit({ 'lib.js': 'b\n' });
  expect(isClean(repo.top)).toBe(false);
  repo.remove();
});
