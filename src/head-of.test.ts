import { expect, test } from 'vitest';
import type { GitPort, NamedCommit } from './engine/ports.ts';
import { headOf } from './head-of.ts';

const [HEAD, OTHER] = ['1'.repeat(40), '2'.repeat(40)];

/** A repository that has nothing of what is named. */
const nothing = (why: NamedCommit['why']) =>
  ({
    namedCommit: () => ({ commit: '', why }),
    resolveClaim() {
      throw Object.assign(new Error('git knows no such commit'), { code: 'UNKNOWN_COMMIT' });
    },
  }) as Partial<GitPort> as GitPort;

test.each([
  ['HEAD', /git push origin HEAD$/],
  ['HEAD~1', /git push origin HEAD$/],
  [OTHER, new RegExp(`git push origin ${OTHER}:refs/heads/BRANCH$`)],
  ['a-name', /name a commit of this clone that was pushed/],
])('the way to the server of %s, which only the clone of a client has', (name, way) => {
  const git = headOf(nothing('missing'), HEAD);
  expect(git.namedCommit(name)).toEqual({ commit: '', why: 'missing', fix: expect.stringMatching(way) });
  const claim = () => git.resolveClaim({ commit: name, base: '', defaultBranch: '' });
  expect(claim).toThrow(
    expect.objectContaining({ code: 'NOT_FOUND', hint: expect.stringMatching(way) as string }),
  );
});

test('a remote that could not be looked in is named, and pushing once more is not advised', () => {
  const git = headOf(nothing('missing'), HEAD, () => 'origin');
  const claim = () => git.resolveClaim({ commit: 'HEAD', base: '', defaultBranch: '' });
  expect(claim).toThrow('it could not look in origin');
  expect(git.namedCommit('HEAD').fix).toContain('once the server reaches origin');
});

test('a name of more than one commit is no commit that could be brought', () => {
  expect(headOf(nothing('ambiguous'), HEAD).namedCommit('a-name')).toEqual({ commit: '', why: 'ambiguous' });
});
