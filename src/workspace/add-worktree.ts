import { existsSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { type GitPlace, runGit } from './git.ts';
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
 * Removes a working tree that holds nothing which is nowhere else, or what is left of one. It is put aside as a whole and
 * looked at once more before its files go: whoever is stopped on the way leaves nothing that looks like somebody's work.
 * Throws GIT_FAILED for one that holds something.
 */
export function removeWorktree(repo: Repository, path: string): void {
  const aside = `${path}.gone`;
  if (existsSync(path)) {
    assertNothingIn(path, wouldBeLost(repo, path));
    const gitDir = runGit(path, ['rev-parse', '--absolute-git-dir']).toString('utf8').trim();
    // What is in submodules is found by where they lie, and was looked at above.
    const again = !hasSubmodules(path);
    rmSync(aside, GONE);
    if (moved(path, aside) && again)
      try {
        assertNothingIn(path, changesIn({ top: aside, gitDir }));
      } catch (error) {
        moved(aside, path);
        throw error;
      }
  }
  if (listWorktrees(repo).some((tree) => tree.path === path)) worktreeGit(repo, ['remove', '-f', '-f', path]);
  rmSync(aside, GONE);
}

const GONE = { recursive: true, force: true, maxRetries: 3 } as const;

/** False where somebody else was faster. */
function moved(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (existsSync(from)) throw error;
    return false;
  }
}

function assertNothingIn(path: string, lost: readonly string[]): void {
  if (lost.length > 0) throw new WorkspaceError('GIT_FAILED', `${path} holds ${lost.join(', and ')}`);
}

const few = (names: readonly string[]) => names.slice(0, 3).join(', ') + (names.length > 3 ? ', …' : '');

function changesIn(place: GitPlace, counts = (entry: string) => entry !== ''): readonly string[] {
  const changed = runGit(place, [
    'status',
    '--porcelain',
    '-z',
    '--ignore-submodules=none',
    '--untracked-files=all',
  ])
    .toString('utf8')
    .split('\0')
    .filter((entry) => entry !== '' && counts(entry));
  return changed.length === 0
    ? []
    : [`changes that are not committed (${few(changed.map((entry) => entry.slice(3)))})`];
}

/**
 * What would be lost with a working tree: changes, commits that no branch leads to, commits of its submodules. `counts`: which
 * of the changes, as `git status` tells them.
 */
export function wouldBeLost(
  repo: Repository,
  path: string,
  counts?: (entry: string) => boolean,
): readonly string[] {
  if (!existsSync(path)) return [];
  const commits = runGit(path, ['rev-list', 'HEAD', '--not', '--branches', '--remotes', '--tags']);
  const stray = commits
    .toString('utf8')
    .split('\n')
    .filter((commit) => commit !== '');
  const inner = unsavedSubmodules(path, repo.top);
  return [
    ...changesIn(path, counts),
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
