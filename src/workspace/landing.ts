import { runGit } from './git.ts';
import type { Repository } from './repository.ts';
import { followSubmodules } from './submodules.ts';
import { IDENTITY, treesOf } from './worktrees.ts';

const text = (repo: Repository, args: readonly string[]) => runGit(repo, args).toString('utf8').trim();

/** A tree that a merge came to without any working tree, or the paths that keep it from one. */
export interface MergedTree {
  /** Id of the tree, '' where there are conflicts. */
  readonly tree: string;
  readonly conflicts: readonly string[];
}

/** What a commit comes to on top of another. Nothing is moved. Needs git 2.38. */
export function mergedTree(repo: Repository, onto: string, commit: string): MergedTree {
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', onto, commit];
  const [tree = '', ...names] = runGit(repo, args, { accepts: 1 }).toString('utf8').split('\0');
  const conflicts = [...new Set(names.filter((name) => name !== ''))];
  return { tree: conflicts.length === 0 ? tree : '', conflicts };
}

/** Makes a commit of a tree that no branch leads to yet. */
export const commitTree = (repo: Repository, tree: string, parent: string, message: string): string =>
  text(repo, [...IDENTITY, 'commit-tree', tree, '-p', parent, '-m', message]);

/** Moves what is checked out at `path` to a commit that is right ahead of it; refuses anything else. Its submodules follow. */
export function forward(path: string, commit: string): void {
  runGit(path, ['merge', '-q', '--ff-only', '--end-of-options', commit]);
  followSubmodules(path, () => treesOf(path));
}

export const treeOf = (repo: Repository, commit: string): string =>
  text(repo, ['rev-parse', '--verify', '-q', '--end-of-options', `${commit}^{tree}`]);
