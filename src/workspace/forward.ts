import { existsSync, lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isAncestor } from './ancestor.ts';
import { changedModes } from './diff.ts';
import { runGit } from './git.ts';
import { pause } from './half-made.ts';
import { followSubmodules } from './submodules.ts';
import { WorkspaceError } from './workspace-error.ts';
import { treesOf } from './worktrees.ts';

/**
 * Moves what is checked out at `path` to a commit that is right ahead of it; refuses anything else, and leaves nothing of what it
 * began. Whoever else is at it in the same moment is waited for, and nothing of theirs is touched. What git does not track there is
 * not written over, ignored or not. Its submodules follow, also where nothing is to be moved.
 *
 * `git merge` reads the index before it locks it: of two at once one would write over what the other brought. So git brings the
 * files, under its lock, and then the branch moves, from what it was and from nothing else. Throws GIT_FAILED.
 */
export function forward(path: string, commit: string): void {
  const before = headOf(path);
  const holds = (older: string, newer: string) => isAncestor((args) => runGit(path, args), older, newer);
  if (!holds(commit, before)) {
    if (!holds(before, commit))
      throw refused(`${commit.slice(0, 12)} is not ahead of ${before.slice(0, 12)}`);
    patiently(path, before, () => bring(path, before, commit));
    try {
      patiently(path, before, () => runGit(path, ['update-ref', '-m', REASON, 'HEAD', commit, before]));
    } catch (error) {
      putBack(path, commit);
      throw error;
    }
  }
  followSubmodules(path, () => treesOf(path));
}

/** Takes that back, unless somebody went on from there. */
export function backward(path: string, from: string, to: string): void {
  runGit(path, ['update-ref', '-m', REASON, 'HEAD', to, from]);
  putBack(path, from);
}

const REASON = 'countersign: moved';
const headOf = (path: string): string => runGit(path, ['rev-parse', 'HEAD']).toString('utf8').trim();
const refused = (message: string) => new WorkspaceError('GIT_FAILED', message);

/** Whoever brings many files holds git's lock for a while; then their branch moves in a moment, or what is in the way stays. */
const PATIENCE_MS = 3_000;
const LOCK_PATIENCE_MS = 20_000;

/** Whether somebody holds the lock of the index. */
const isHeld = (path: string): boolean =>
  existsSync(resolve(path, runGit(path, ['rev-parse', '--git-path', 'index.lock']).toString('utf8').trim()));

/** Asks git again while it refuses, and what is checked out is where it was. */
function patiently(path: string, before: string, work: () => void): void {
  const begun = performance.now();
  let quiet = begun;
  for (;;) {
    try {
      work();
      return;
    } catch (error) {
      if (!(error instanceof WorkspaceError) || headOf(path) !== before) throw error;
      const now = performance.now();
      if (isHeld(path)) quiet = now;
      if (now - quiet > PATIENCE_MS || now - begun > LOCK_PATIENCE_MS) throw error;
      pause();
    }
  }
}

/** Brings files and index from one commit to another, with all or nothing; what both have alike stays as it is. */
function bring(path: string, from: string, to: string): void {
  const first = inTheWay(path, from, to);
  if (first !== '') throw refused(`${first} in ${path} is not known to git, and would be overwritten`);
  try {
    readTree(path, from, to);
  } catch (error) {
    if (!(error instanceof WorkspaceError) || isHeld(path)) throw error;
    // A file that was only touched counts as changed until git has looked at it.
    refresh(path);
    readTree(path, from, to);
  }
}

const readTree = (path: string, from: string, to: string) =>
  runGit(path, ['read-tree', '-m', '-u', '--no-recurse-submodules', from, to]);

function refresh(path: string): void {
  try {
    runGit(path, ['update-index', '-q', '--refresh'], { accepts: 1 });
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
  }
}

/** Files that become those of the branch again, where that could not move; whoever moves it in the same moment has theirs again. */
function putBack(path: string, commit: string): void {
  let from = commit;
  for (let to = headOf(path); from !== to; to = headOf(path)) {
    const at = to;
    try {
      patiently(path, at, () => readTree(path, from, at));
      from = at;
    } catch (error) {
      if (!(error instanceof WorkspaceError)) throw error;
      // What somebody else is just doing there is not ours to take back.
      if (headOf(path) === at) return;
    }
  }
}

const SUBMODULE = '160000';
/** How many paths git is asked for at once. */
const MOST = 200;

/** The first file where a commit has a new one and git knows of none, '' for none: it would write over what it ignores. */
function inTheWay(path: string, from: string, to: string): string {
  const made = changedModes(path, from, to).flatMap(({ path: name, status, modes }) =>
    status === 'added' && modes[1] !== SUBMODULE ? [name] : [],
  );
  const found = [...new Set(made.flatMap((name) => taking(path, name)))];
  for (let at = 0; at < found.length; at += MOST) {
    const asked = ['ls-files', '--others', '-z', '--', ...found.slice(at, at + MOST)];
    const [first = ''] = runGit(path, asked).toString('utf8').split('\0');
    if (first !== '') return first;
  }
  return '';
}

/** What takes the place of a file: something of its name, or what is no folder on the way to it. */
function taking(path: string, name: string): readonly string[] {
  const parts = name.split('/');
  for (let n = 1; n <= parts.length; n++) {
    const part = parts.slice(0, n).join('/');
    const found = lstatSync(join(path, part), { throwIfNoEntry: false });
    if (found === undefined) return [];
    if (n === parts.length || !found.isDirectory()) return [part];
  }
  return [];
}
