import { runGit } from './git.ts';
import { mergedByGit } from './own-merge.ts';
import type { Repository } from './repository.ts';
import { changedPaths } from './worktrees.ts';

const lines = (repo: Repository, args: readonly string[]): readonly string[] =>
  runGit(repo, args)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');

/** Merges of `newer` that `older` does not have, each with its parents. */
export function mergesOf(
  repo: Repository,
  older: string,
  newer: string,
): readonly { readonly sha: string; readonly parents: readonly string[] }[] {
  return lines(repo, ['rev-list', '--merges', '--parents', '--end-of-options', `${older}..${newer}`]).map(
    (line) => {
      const [sha = '', ...parents] = line.split(' ');
      return { sha, parents };
    },
  );
}

/** Ids of the commits that were made on a branch itself since `older`; what merges brought, and they themselves, are left out. */
export const ownLine = (repo: Repository, older: string, newer: string): readonly string[] =>
  lines(repo, ['rev-list', '--first-parent', '--no-merges', '--end-of-options', `${older}..${newer}`]);

/**
 * Paths that a merge does not have as git merges its parents: whoever made it wrote them there. Where git leaves a
 * conflict somebody has to, and that is not told. Needs git 2.38.
 */
export function writtenInMerge(
  repo: Repository,
  { sha, parents }: { readonly sha: string; readonly parents: readonly string[] },
): readonly string[] {
  const [one = '', other = '', ...more] = parents;
  if (more.length > 0) return changedPaths(repo, one, sha);
  const args = [
    'merge-tree',
    '--write-tree',
    '--allow-unrelated-histories',
    '--name-only',
    '--no-messages',
    '-z',
  ];
  const [tree = '', ...conflicts] = runGit(repo, [...args, one, other], {
    accepts: 1,
    env: mergedByGit(repo),
  })
    .toString('utf8')
    .split('\0');
  return changedPaths(repo, tree, sha).filter((path) => !conflicts.includes(path));
}
