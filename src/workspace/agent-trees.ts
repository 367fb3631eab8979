import { chmodSync, existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runGit } from './git.ts';
import { pastHalfMade } from './half-made.ts';
import type { Repository } from './repository.ts';
import { WorkspaceError } from './workspace-error.ts';
import { IDENTITY } from './worktrees.ts';

/** Checks a commit out on no branch, with files that nobody may write: for those who only read. */
export function addReadingTree(repo: Repository, path: string, commit: string): void {
  // Never pruned here: git would take away the tree that somebody else is just making.
  pastHalfMade(() => runGit(repo, ['worktree', 'add', '-q', '-f', '--detach', '--', path, commit]));
  eachFile(path, (file, mode) => chmodSync(file, mode & ~0o222));
}

/** Removes a working tree with all that is in it; nothing where it is gone. */
export function dropWorktree(repo: Repository, path: string): void {
  try {
    pastHalfMade(() => runGit(repo, ['worktree', 'remove', '--force', '--force', '--', path]));
  } catch (error) {
    if (!(error instanceof WorkspaceError) || existsSync(path)) throw error;
  }
}

/** Moves a branch that is checked out nowhere; false when it was something else than `from` ('' = it is to be made). */
export function moveBranch(repo: Repository, branch: string, from: string, to: string): boolean {
  const old = from === '' ? '0'.repeat(to.length) : from;
  try {
    runGit(repo, ['update-ref', `refs/heads/${branch}`, to, old]);
    return true;
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'GIT_FAILED') return false;
    throw error;
  }
}

/** Makes a commit of a tree with several parents, that no branch leads to yet. */
export const commitMerge = (
  repo: Repository,
  tree: string,
  parents: readonly string[],
  message: string,
): string =>
  runGit(repo, [...IDENTITY, 'commit-tree', tree, ...parents.flatMap((p) => ['-p', p]), '-m', message])
    .toString('utf8')
    .trim();

/** Every file below a folder; links and what git keeps for itself are left out. */
function eachFile(folder: string, work: (path: string, mode: number) => void): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === '.git' || entry.isSymbolicLink()) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) eachFile(path, work);
    else work(path, lstatSync(path).mode);
  }
}
