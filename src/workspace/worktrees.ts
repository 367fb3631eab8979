import { realpathSync } from 'node:fs';
import { ALL_OF_THEM } from './diff.ts';
import { type GitPlace, runGit } from './git.ts';
import type { Repository } from './repository.ts';
import { WorkspaceError } from './workspace-error.ts';
import { worktreeGit } from './worktree-git.ts';

/** A working tree as `git worktree list` tells it. */
export interface ListedWorktree {
  /** With links resolved, as far as it is there. */
  readonly path: string;
  /** Short name of its branch, '' where HEAD is on none. */
  readonly branch: string;
  readonly head: string;
  readonly isLocked: boolean;
}

const text = (repo: GitPlace, args: readonly string[]) => runGit(repo, args).toString('utf8');

/** Every working tree of the repository, the main one first. */
export function listWorktrees(repo: GitPlace): readonly ListedWorktree[] {
  const found = worktreeGit(repo, ['list', '--porcelain', '-z']).toString('utf8').split('\0\0');
  return found.flatMap((entry) => {
    const fields = new Map(
      entry.split('\0').map((line) => [line.split(' ')[0], line.slice(line.indexOf(' ') + 1)]),
    );
    const path = fields.get('worktree');
    if (path === undefined) return [];
    const branch = (fields.get('branch') ?? '').replace(/^refs\/heads\//, '');
    return [{ path: resolved(path), branch, head: fields.get('HEAD') ?? '', isLocked: fields.has('locked') }];
  });
}

/** A path with links resolved, as it is where it leads nowhere. */
export function resolved(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Full id of what a name stands for, '' where there is no such commit. */
export function commitOf(repo: Repository, name: string): string {
  try {
    return text(repo, ['rev-parse', '--verify', '-q', '--end-of-options', `${name}^{commit}`]).trim();
  } catch (error) {
    // Git that came to no end of its own has not looked.
    if (error instanceof WorkspaceError && error.code === 'GIT_FAILED' && error.exitCode !== undefined)
      return '';
    throw error;
  }
}

/**
 * Whether nothing is changed, staged or new in a working tree, whatever git is asked to show of it; ignored files do not count. What is
 * in a submodule and in no commit of it counts as far as settings do not pass over it (`ignore` in .gitmodules), its commit always.
 */
export function isClean(path: string): boolean {
  const found = statusOf(path, [
    '--porcelain=v2',
    '--no-show-stash',
    '--no-renames',
    '--ignore-submodules=none',
  ]);
  const isInside = (entry: string) => /^1 \.M S\./.test(entry);
  return found.length === 0 || (found.every(isInside) && statusOf(path, ['--porcelain']).length === 0);
}

/** Entries of what is changed, with new files, as the rest of what git is asked tells them. */
const statusOf = (path: string, asked: readonly string[]): readonly string[] =>
  text(path, ['status', '--untracked-files=normal', '-z', ...asked])
    .split('\0')
    .filter((entry) => entry !== '');

/** Whether nothing that git tracks is changed or staged; new files do not count. */
export const isUnchanged = (path: string): boolean =>
  runGit(path, ['status', '--porcelain', '-uno', '-z']).length === 0;

/** Paths that git tracks and that are not as in the commit of the working tree, staged or not. */
export const editedPaths = (path: string): readonly string[] =>
  runGit(path, ['diff', '--name-only', '--no-renames', '-z', 'HEAD'])
    .toString('utf8')
    .split('\0')
    .filter((name) => name !== '');

/** Who makes a commit of the engine; nobody's key signs it, whatever their own settings say. */
export const IDENTITY = [
  ...['-c', 'user.name=countersign', '-c', 'user.email=countersign@localhost'],
  ...['-c', 'commit.gpgSign=false'],
];

/** Paths of all working trees around one of them: what one of their submodules lacks may be in another. */
export const treesOf = (path: string): readonly string[] => listWorktrees(path).map((tree) => tree.path);

/** A commit with what it touched. */
export interface ListedCommit {
  readonly sha: string;
  readonly author: string;
  readonly at: string;
  readonly message: string;
  readonly created: readonly string[];
  readonly modified: readonly string[];
}

/**
 * Commits of `newer` that `older` does not have, the oldest first; merges are left out. Parts are told apart by the one sign that
 * neither names nor messages can hold: whoever writes them makes no file unseen. Throws GIT_FAILED where it cannot be read.
 */
export function commitsOf(repo: Repository, older: string, newer: string): readonly ListedCommit[] {
  const args = [
    'log',
    // What the repository's settings would change of it.
    '--no-show-signature',
    '--encoding=UTF-8',
    '--root',
    '--reverse',
    '--no-merges',
    '--no-renames',
    '--name-status',
    ALL_OF_THEM,
    '-z',
    '--format=%H%x00%an%x00%aI%x00%B%x00',
  ];
  const parts = text(repo, [...args, '--end-of-options', `${older}..${newer}`]).split('\0');
  const found: ListedCommit[] = [];
  let n = 0;
  while (n + 4 < parts.length) {
    const [sha = '', author = '', at = '', message = ''] = parts.slice(n, n + 4);
    if (!IS_ID.test(sha)) throw unread(older, newer);
    const created: string[] = [];
    const modified: string[] = [];
    // The end of the entry itself, then its files: an id is no letter.
    for (n += 5; STATUS.test(parts[n] ?? ''); n += 2)
      ((parts[n] ?? '').trim() === 'A' ? created : modified).push(parts[n + 1] ?? '');
    found.push({ sha, author, at, message: message.trim(), created, modified });
  }
  if (parts.slice(n).join('').trim() !== '') throw unread(older, newer);
  return found;
}

const STATUS = /^\n?[A-Z]\d*$/;
const unread = (older: string, newer: string) =>
  new WorkspaceError(
    'GIT_FAILED',
    `git lists the commits between ${older} and ${newer} in a way that cannot be read.`,
  );
const IS_ID = /^[0-9a-f]{40,64}$/;

/** Paths that differ between two commits. */
export const changedPaths = (repo: Repository, older: string, newer: string): readonly string[] =>
  text(repo, ['diff', '--name-only', '--no-renames', ALL_OF_THEM, '-z', '--end-of-options', older, newer])
    .split('\0')
    .filter((path) => path !== '');
