import { expect, test } from 'vitest';
import { scratch } from '../../tests/fixtures/scratch-repo.ts';
import { isClean } from './worktrees.ts';

test('a new file is seen, also where git is asked to show none, and nothing else is, whatever it is asked to show', () => {
  const repo = scratch();
  repo.commit({ 'lib.js': 'a\n' });
  repo.write('lib.js', 'b\n');
  repo.git('stash', '-q');
  for (const shown of ['showStash', 'branch']) repo.git('config', `status.${shown}`, 'true');
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

test('what a build leaves in a submodule does not count where the project says so, and is seen else', () => {
  const repo = scratch();
  const sub = scratch({ root: repo.top, name: 'sub' });
  sub.commit({ 'lib.js': 'a\n' });
  const ignores = (what: string) => repo.git('config', '-f', '.gitmodules', 'submodule.sub.ignore', what);
  const found = () =>
    ['none', 'untracked', 'dirty', 'all'].filter((what) => {
      ignores(what);
      repo.commit({}, what);
      return isClean(repo.top);
    });
  repo.git('config', '-f', '.gitmodules', 'submodule.sub.path', 'sub');
  repo.commit({});
  sub.write('lib.o', '1');
  expect(found()).toEqual(['untracked', 'dirty', 'all']);
  sub.write('lib.js', 'b\n');
  expect(found()).toEqual(['dirty', 'all']);
  repo.write('own.o', '1');
  expect(isClean(repo.top)).toBe(false);
  repo.git('clean', '-fq');
  const commit = sub.commit({});
  expect([isClean(repo.top), repo.git('ls-tree', 'HEAD', 'sub').includes(commit)]).toEqual([false, false]);
  repo.remove();
});
