import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Scratch, scratch } from '../../tests/fixtures/scratch-repo.ts';
import { namedCommit } from './named-commit.ts';
import { locateRepository } from './repository.ts';

let repo: Scratch;
const named = (name: string) => namedCommit(locateRepository(repo.top), name);
beforeEach(() => {
  repo = scratch({ name: 'repo' });
});
afterEach(() => repo.remove());

test('any name that git can resolve is the full id of its commit', () => {
  const first = repo.commit({ 'a.txt': 'one\n' });
  repo.git('tag', '-a', '-m', 'first', 'v1');
  const second = repo.commit({ 'a.txt': 'two\n' });
  const branch = repo.git('branch', '--show-current');
  for (const name of [second, second.slice(0, 8), 'HEAD', '@', branch, `refs/heads/${branch}`])
    expect([name, named(name)]).toEqual([name, { commit: second }]);
  for (const name of ['v1', 'HEAD~1', 'HEAD^', `${branch}~1`, `${branch}@{1}`])
    expect([name, named(name)]).toEqual([name, { commit: first }]);
});

test('what is no commit, a range or an option is missing', () => {
  repo.commit({ 'a.txt': 'one\n' });
  for (const name of [
    '',
    ' ',
    'nowhere',
    '--all',
    'HEAD..HEAD',
    '^HEAD',
    'HEAD:a.txt',
    'f'.repeat(40),
    'HEAD\n',
  ])
    expect([name, named(name)]).toEqual([name, { commit: '', why: 'missing' }]);
});

test('a name of two commits is ambiguous, and one of the same commit twice is not', () => {
  const first = repo.commit({ 'a.txt': 'one\n' });
  repo.git('tag', 'release');
  repo.git('branch', 'release');
  expect(named('release')).toEqual({ commit: first });
  const second = repo.commit({ 'a.txt': 'two\n' });
  repo.git('branch', '-f', 'release');
  expect(named('release')).toEqual({ commit: '', why: 'ambiguous' });
  expect(named('release~0')).toEqual({ commit: '', why: 'ambiguous' });
  expect(named('refs/heads/release')).toEqual({ commit: second });
});

test('a short id of several commits is ambiguous', () => {
  repo.commit({ 'a.txt': 'one\n' });
  const tree = repo.git('rev-parse', 'HEAD^{tree}');
  const starts = new Map<string, number>();
  // Four digits tell 65,536 apart: among 700 commits two begin alike for sure enough, and the same ones every time.
  const lines = Array.from({ length: 700 }, (_, n) => {
    const who = `A <a@example.org> ${1_700_000_000 + n} +0000`;
    return `commit refs/heads/n${n}\nauthor ${who}\ncommitter ${who}\ndata 0\nM 040000 ${tree} \n\n`;
  });
  execFileSync('git', ['fast-import', '--quiet'], { cwd: repo.top, input: lines.join('') });
  for (const id of repo.git('for-each-ref', '--format=%(objectname)', 'refs/heads/').split('\n'))
    starts.set(id.slice(0, 4), (starts.get(id.slice(0, 4)) ?? 0) + 1);
  const [start = ''] = [...starts].find(([, count]) => count > 1) ?? [];
  expect(named(start)).toEqual({ commit: '', why: 'ambiguous' });
});
