import { type GitPlace, runGit } from './git.ts';
import { mergedByGit } from './own-merge.ts';
import type { Repository } from './repository.ts';
import { WorkspaceError } from './workspace-error.ts';
import { IDENTITY } from './worktrees.ts';

const text = (repo: GitPlace, args: readonly string[]) => runGit(repo, args).toString('utf8').trim();

/** A tree that a merge came to without any working tree, or the paths that keep it from one. */
export interface MergedTree {
  /** Id of the tree, '' where there are conflicts. */
  readonly tree: string;
  readonly conflicts: readonly string[];
}

/** What a commit comes to on top of another; a conflict that git tells of no path is one of the whole tree. Nothing is moved. Needs git 2.38. */
export function mergedTree(repo: GitPlace, onto: string, commit: string): MergedTree {
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', onto, commit];
  const env = mergedByGit(repo);
  const fieldsOf = (accepts: number) =>
    runGit(repo, args, { accepts, env })
      .toString('utf8')
      .split('\0')
      .filter((field) => field !== '');
  try {
    return { tree: fieldsOf(0)[0] ?? '', conflicts: [] };
  } catch (error) {
    if (!(error instanceof WorkspaceError) || error.code !== 'GIT_FAILED') throw error;
    const [, ...names] = fieldsOf(1);
    return { tree: '', conflicts: names.length === 0 ? ['.'] : [...new Set(names)] };
  }
}

/** Makes a commit of a tree that no branch leads to yet. */
export const commitTree = (repo: Repository, tree: string, parent: string, message: string): string =>
  text(repo, [...IDENTITY, 'commit-tree', tree, '-p', parent, '-m', message]);

export const treeOf = (repo: Repository, commit: string): string =>
  text(repo, ['rev-parse', '--verify', '-q', '--end-of-options', `${commit}^{tree}`]);
