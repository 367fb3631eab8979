import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../../tests/fixtures/scratch-repo.ts';
import { listAt, readAt, readManyAt } from './blob.ts';
import { resolveClaim } from './claim.ts';
import { changedModes, changedPaths } from './diff.ts';
import { isDirty } from './dirty.ts';
import { locateRepository, type Repository } from './repository.ts';

let made: Scratch;
let repo: Repository;
beforeEach(() => {
  made = scratch();
  repo = locateRepository(made.top, {});
});
afterEach(() => made.remove());

/** Puts a program in front of git that counts, then is git. */
function countingGit(run: () => void): number {
  const log = join(made.root, 'count');
  const real = (process.env.PATH ?? '').split(':').map((dir) => join(dir, 'git'));
  writeFileSync(log, '');
  writeFileSync(
    join(made.root, 'git'),
    `#!/bin/sh\necho x >> '${log}'\nfor g in ${real.join(' ')}; do [ -x "$g" ] && exec "$g" "$@"; done\n`,
  );
  chmodSync(join(made.root, 'git'), 0o755);
  const path = process.env.PATH;
  process.env.PATH = `${made.root}:${path}`;
  try {
    run();
  } finally {
    process.env.PATH = path;
  }
  return readFileSync(log, 'utf8').split('\n').length - 1;
}

describe('resolveClaim', () => {
  it('resolves against a recorded base with two git processes', () => {
    const base = made.commit({ 'a b': '1', c: '2' });
    const head = made.commit({ 'a b': '3', d: '4' });
    const tree = made.git('rev-parse', 'HEAD^{tree}');
    const count = countingGit(() => {
      const claim = resolveClaim(repo, { commit: 'HEAD', base, defaultBranch: '' });
      expect(claim).toEqual({
        commit: head,
        tree,
        parents: [base],
        base,
        defaultBranch: '',
        changed: [
          { path: 'a b', status: 'modified' },
          { path: 'd', status: 'added' },
        ],
      });
    });
    expect(count).toBe(2);
  });

  it('finds the merge base with the default branch with three git processes', () => {
    const fork = made.commit({ a: '1' });
    made.git('checkout', '-q', '-b', 'work');
    const head = made.commit({ b: '1' });
    made.git('checkout', '-q', 'main');
    made.commit({ c: '1' });
    const count = countingGit(() => {
      const claim = resolveClaim(repo, { commit: 'work', base: '', defaultBranch: '' });
      expect(claim).toMatchObject({ commit: head, base: fork, defaultBranch: 'main', parents: [fork] });
      expect(claim.changed).toEqual([{ path: 'b', status: 'added' }]);
    });
    expect(count).toBe(3);
  });

  it('shows an empty diff when nothing was done, and all parents of a merge', () => {
    const a = made.commit({ a: '1' });
    expect(resolveClaim(repo, { commit: 'HEAD', base: a, defaultBranch: '' }).changed).toEqual([]);
    expect(resolveClaim(repo, { commit: 'HEAD', base: '', defaultBranch: '' })).toMatchObject({
      base: a,
      parents: [],
    });
    made.git('checkout', '-q', '-b', 'side');
    const b = made.commit({ b: '1' });
    made.git('checkout', '-q', 'main');
    const c = made.commit({ c: '1' });
    made.git('merge', '-q', '--no-edit', 'side');
    expect(resolveClaim(repo, { commit: 'HEAD', base: a, defaultBranch: '' }).parents).toEqual([c, b]);
  });

  it('prefers the configured branch, then what origin points at, and works with neither main nor master', () => {
    made.commit({ a: '1' });
    made.git('branch', '-m', 'trunk');
    expect(resolveClaim(repo, { commit: 'HEAD', base: '', defaultBranch: '' }).defaultBranch).toBe('trunk');
    made.git('branch', 'main');
    made.git('update-ref', 'refs/remotes/origin/next', 'HEAD');
    made.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/next');
    expect(resolveClaim(repo, { commit: 'HEAD', base: '', defaultBranch: '' }).defaultBranch).toBe('next');
    expect(resolveClaim(repo, { commit: 'HEAD', base: '', defaultBranch: 'trunk' }).defaultBranch).toBe(
      'trunk',
    );
  });

  it('refuses unknown commits, options, ranges, and histories without a common start', () => {
    made.commit({ a: '1' });
    const ask =
      (commit: string, base = '') =>
      () =>
        resolveClaim(repo, { commit, base, defaultBranch: '' });
    expect(ask('nope')).toThrow(expect.objectContaining({ code: 'UNKNOWN_COMMIT' }));
    expect(ask('HEAD', 'nope')).toThrow(expect.objectContaining({ code: 'UNKNOWN_COMMIT' }));
    for (const name of ['--all', 'HEAD..HEAD', 'HEAD~0...HEAD', 'a\nb', '', 'HEAD ', '^HEAD^@']) {
      expect(ask(name)).toThrow(expect.objectContaining({ code: 'BAD_NAME' }));
    }
    made.git('checkout', '-q', '--orphan', 'other');
    made.commit({ b: '1' });
    expect(ask('other')).toThrow(expect.objectContaining({ code: 'NO_BASE' }));
  });

  it('takes a file for no commit, and ignores replace refs', () => {
    const first = made.commit({ a: '1' });
    const second = made.commit({ a: '2', 'x^{commit}': '' });
    const ask = () => resolveClaim(repo, { commit: 'x', base: first, defaultBranch: '' });
    expect(ask).toThrow(expect.objectContaining({ code: 'UNKNOWN_COMMIT' }));
    made.git('replace', second, first);
    expect(resolveClaim(repo, { commit: 'HEAD', base: first, defaultBranch: '' }).changed).toHaveLength(2);
  });

  it('fails without a commit', () => {
    const ask = () => resolveClaim(repo, { commit: 'HEAD', base: '', defaultBranch: '' });
    expect(ask).toThrow(expect.objectContaining({ code: 'UNKNOWN_COMMIT' }));
  });
});

describe('reading at a commit', () => {
  it('reads the commit and not the working tree, with odd names', () => {
    const commit = made.commit({ 'd/x y missing': 'old\n', 'd/bin': '\0\u00ff', 'd/e/f': '1', z: '' });
    made.write('d/x y missing', 'new');
    expect(readAt(repo, commit, 'd/x y missing')?.toString()).toBe('old\n');
    expect(readAt(repo, commit, 'd/absent')).toBeUndefined();
    expect(readAt(repo, commit, 'd')).toBeUndefined();
    const many = readManyAt(repo, commit, ['z', 'no no', 'd', 'd/bin']);
    expect([...many]).toEqual([
      ['z', Buffer.from('')],
      ['d/bin', Buffer.from('\0\u00ff')],
    ]);
    expect(listAt(repo, commit, 'd/').map(({ path }) => path)).toEqual(['d/bin', 'd/e/f', 'd/x y missing']);
    expect(listAt(repo, commit, '')).toHaveLength(4);
    expect(listAt(repo, commit, 'none')).toEqual([]);
    expect(() => readAt(repo, commit, 'a\nb')).toThrow(expect.objectContaining({ code: 'BAD_NAME' }));
  });

  it('lists deletions and mode changes, and says when the tree is dirty', async () => {
    const from = made.commit({ a: '1', b: '1' });
    chmodSync(join(made.top, 'a'), 0o755);
    made.git('rm', '-q', 'b');
    const to = made.commit({});
    expect(changedPaths(repo, from, to)).toEqual([
      { path: 'a', status: 'modified' },
      { path: 'b', status: 'deleted' },
    ]);
    expect(changedModes(repo, from, to).map(({ modes }) => modes)).toEqual([
      ['100644', '100755'],
      ['100644', '000000'],
    ]);
    expect(await isDirty(repo)).toBe(false);
    made.write('new', '');
    expect(await isDirty(repo)).toBe(true);
  });
});
