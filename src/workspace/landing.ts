import { type GitPlace, runGit } from './git.ts';
import { pause } from './half-made.ts';
import { mergedByGit } from './own-merge.ts';
import type { Repository } from './repository.ts';
import { followSubmodules } from './submodules.ts';
import { WorkspaceError } from './workspace-error.ts';
import { IDENTITY, treesOf } from './worktrees.ts';

const text = (repo: GitPlace, args: readonly string[]) => runGit(repo, args).toString('utf8').trim();

/** A tree that a merge came to without any working tree, or the paths that keep it from one. */
export interface MergedTree {
  /** Id of the tree, '' where there are conflicts. */
  readonly tree: string;
  readonly conflicts: readonly string[];
}

/** What a commit comes to on top of another. Nothing is moved. Needs git 2.38. */
export function mergedTree(repo: GitPlace, onto: string, commit: string): MergedTree {
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', onto, commit];
  const [tree = '', ...names] = runGit(repo, args, { accepts: 1, env: mergedByGit(repo) })
    .toString('utf8')
    .split('\0');
  const conflicts = [...new Set(names.filter((name) => name !== ''))];
  return { tree: conflicts.length === 0 ? tree : '', conflicts };
}

/** Makes a commit of a tree that no branch leads to yet. */
export const commitTree = (repo: Repository, tree: string, parent: string, message: string): string =>
  text(repo, [...IDENTITY, 'commit-tree', tree, '-p', parent, '-m', message]);

/**
 * Moves what is checked out at `path` to a commit that is right ahead of it; refuses anything else, and leaves nothing of what it began.
 * Whoever else is at it in the same moment is waited for. Its submodules follow.
 */
export function forward(path: string, commit: string): void {
  const before = text(path, ['rev-parse', 'HEAD']);
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      runGit(path, ['merge', '-q', '--ff-only', '--end-of-options', commit]);
      break;
    } catch (error) {
      if (text(path, ['rev-parse', 'HEAD']) !== before) throw error;
      putBack(path, commit, before);
      const isLocked = error instanceof WorkspaceError && LOCKED.test(error.stderr);
      if (!isLocked || performance.now() > until) throw error;
      pause();
    }
  }
  followSubmodules(path, () => treesOf(path));
}

const PATIENCE_MS = 3_000;
const LOCKED = /\.lock'?: File exists|cannot lock ref|unable to write (?:new )?index/i;

/** Files that git brought there already, where the branch then could not move; what others changed stays as it is. */
function putBack(path: string, from: string, to: string): void {
  try {
    runGit(path, ['read-tree', '-m', '-u', from, to]);
  } catch (error) {
    // What somebody else is just doing there is not ours to take back.
    if (!(error instanceof WorkspaceError)) throw error;
  }
}

export const treeOf = (repo: Repository, commit: string): string =>
  text(repo, ['rev-parse', '--verify', '-q', '--end-of-options', `${commit}^{tree}`]);
