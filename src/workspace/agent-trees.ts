import { chmodSync, existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { wouldBeLost } from './add-worktree.ts';
import { type GitPlace, runGit } from './git.ts';
import type { Repository } from './repository.ts';
import { WorkspaceError } from './workspace-error.ts';
import { worktreeGit } from './worktree-git.ts';
import { IDENTITY } from './worktrees.ts';

/** Checks a commit out on no branch, with files that nobody may write: for those who only read. */
export function addReadingTree(repo: Repository, path: string, commit: string): void {
  // Never pruned here: git would take away the tree that somebody else is just making.
  worktreeGit(repo, ['add', '-q', '-f', '--detach', '--', path, commit]);
  eachFile(path, (file, mode) => chmodSync(file, mode & ~0o222));
}

/**
 * Work that lies in a working tree and nowhere else, each as a part of a sentence; none in one that git was stopped over
 * making: files are lacking there, or git has not come to write its index.
 */
export function workIn(repo: Repository, path: string): readonly string[] {
  if (!existsSync(join(path, '.git'))) return [];
  const gitDir = runGit(path, ['rev-parse', '--absolute-git-dir']).toString('utf8').trim();
  return existsSync(join(gitDir, 'index')) ? wouldBeLost(repo, path, (entry) => !entry.startsWith(' D')) : [];
}

/** Removes a working tree with all that is in it; nothing where it is gone. */
export function dropWorktree(repo: Repository, path: string): void {
  try {
    worktreeGit(repo, ['remove', '--force', '--force', '--', path]);
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

/** Branches beside which git makes none of this name: a name is either a branch or the folder of others. */
export const branchesInTheWay = (repo: Repository, branch: string): readonly string[] => {
  const [top = ''] = branch.split('/');
  return runGit(repo, ['for-each-ref', '--format=%(refname:lstrip=2)', `refs/heads/${top}`])
    .toString('utf8')
    .split('\n')
    .filter((name) => name.startsWith(`${branch}/`) || branch.startsWith(`${name}/`));
};

/** Makes a commit of a tree with several parents, that no branch leads to yet. */
export const commitMerge = (
  repo: GitPlace,
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
