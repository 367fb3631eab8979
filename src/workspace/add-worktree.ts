import { existsSync, rmdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { runGit } from './git.ts';
import type { Repository } from './repository.ts';
import { fillSubmodules, hasSubmodules, unsavedSubmodules } from './submodules.ts';
import { WorkspaceError } from './workspace-error.ts';
import { worktreeGit } from './worktree-git.ts';
import { commitOf, listWorktrees } from './worktrees.ts';

/** A working tree that is to be made. */
export interface NewWorktree {
  readonly path: string;
  readonly branch: string;
  /** Where the branch begins. One that is there and has nothing of its own is brought there; one with work is taken as it is. */
  readonly from: string;
  /** Why git is to keep it from being removed by hand. */
  readonly reason: string;
}

/**
 * Makes a locked working tree with the submodules that are in use in the main one. Where git refuses, nothing of it is
 * left: no folder, no branch and no entry that was not there before.
 */
export function addWorktree(repo: Repository, { path, branch, from, reason }: NewWorktree): void {
  const ref = `refs/heads/${branch}`;
  const before = commitOf(repo, ref);
  const begins = before === '' || isIn(repo, before, from);
  const above = missingFolders(dirname(path));
  // A tree that git lists and that is gone stands in the way of a new one; others that are gone are nobody's business here.
  if (!existsSync(path)) forgetWorktree(repo, path);
  const isThere = existsSync(path);
  try {
    const args = ['add', '-q', '--lock', '--reason', reason];
    worktreeGit(repo, [...args, ...(begins ? ['-B', branch, path, from] : [path, branch])]);
    fillSubmodules(repo.top, path);
  } catch (error) {
    if (!isThere) forgetWorktree(repo, path);
    if (before === '') quietly(() => runGit(repo, ['branch', '-D', '-q', branch]));
    else if (begins) quietly(() => runGit(repo, ['update-ref', ref, before, commitOf(repo, from)]));
    for (const folder of above) quietly(() => rmdirSync(folder));
    throw error;
  }
}

/** Removes what a call of this process made just now, with all that is in it. */
function forgetWorktree(repo: Repository, path: string): void {
  if (!listWorktrees(repo).some((tree) => tree.path === path)) return;
  // Twice: also a locked one.
  quietly(() => worktreeGit(repo, ['remove', '-f', '-f', path]));
}

/**
 * Removes a working tree that holds nothing which is nowhere else; git's own check stands between a look and the removal
 * where it can. Throws GIT_FAILED for one that holds something.
 */
export function removeWorktree(repo: Repository, path: string): void {
  const lost = wouldBeLost(repo, path);
  if (lost.length > 0) throw new WorkspaceError('GIT_FAILED', `${path} holds ${lost.join(', and ')}`);
  const isLocked = listWorktrees(repo).some((tree) => tree.path === path && tree.isLocked);
  if (isLocked) worktreeGit(repo, ['unlock', path]);
  // Git removes no tree with submodules unless it is made to; what is in them was looked at above.
  worktreeGit(repo, ['remove', ...(hasSubmodules(path) ? ['--force'] : []), path]);
}

/** What would be lost with a working tree: changes, commits that no branch leads to, commits of its submodules. */
export function wouldBeLost(repo: Repository, path: string): readonly string[] {
  if (!existsSync(path)) return [];
  const status = runGit(path, [
    'status',
    '--porcelain',
    '-z',
    '--ignore-submodules=none',
    '--untracked-files=all',
  ]);
  const changed = status
    .toString('utf8')
    .split('\0')
    .filter((entry) => entry !== '');
  const commits = runGit(path, ['rev-list', 'HEAD', '--not', '--branches', '--remotes', '--tags']);
  const stray = commits
    .toString('utf8')
    .split('\n')
    .filter((commit) => commit !== '');
  const inner = unsavedSubmodules(path, repo.top);
  const few = (names: readonly string[]) => names.slice(0, 3).join(', ') + (names.length > 3 ? ', …' : '');
  return [
    ...(changed.length > 0
      ? [`changes that are not committed (${few(changed.map((entry) => entry.slice(3)))})`]
      : []),
    ...(stray.length > 0
      ? [`commits that no branch leads to (${few(stray.map((id) => id.slice(0, 12)))})`]
      : []),
    ...(inner.length > 0 ? [`commits of the submodule ${few(inner)} that are nowhere else`] : []),
  ];
}

function isIn(repo: Repository, older: string, newer: string): boolean {
  return runGit(repo, ['rev-list', '-n', '1', '--end-of-options', older, `^${newer}`]).length === 0;
}

/** Folders that are not there yet, the innermost first. */
function missingFolders(path: string): readonly string[] {
  return existsSync(path) ? [] : [path, ...missingFolders(dirname(path))];
}

function quietly(work: () => unknown): void {
  try {
    work();
  } catch {
    // What is being taken back may not be there.
  }
}
