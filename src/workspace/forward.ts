import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isAncestor } from './ancestor.ts';
import { changedModes } from './diff.ts';
import { failureOf } from './failure-of.ts';
import { filesBack, SUBMODULE, unknownTo } from './files-back.ts';
import { runGit } from './git.ts';
import { LOCK_PATIENCE_MS, pause } from './half-made.ts';
import { arrive, noteDown, type OnItsWay, onItsWay, strike } from './on-its-way.ts';
import { followSubmodules } from './submodules.ts';
import { WorkspaceError } from './workspace-error.ts';
import { treesOf } from './worktrees.ts';

/**
 * Moves what is checked out at `path` to a commit that is right ahead of it; refuses anything else, and leaves nothing of what it
 * began. Whoever else is at it in the same moment is waited for, and nothing of theirs is touched. What git does not track there is
 * not written over, ignored or not. Its submodules follow, also where nothing is to be moved.
 *
 * `git merge` reads the index before it locks it: of two at once one would write over what the other brought. So git brings the
 * files, under its lock, and then the branch moves, from what it was and from nothing else. What is on its way is noted down before:
 * where a process ends in between, the next one puts it back first. Throws GIT_FAILED.
 */
export function forward(path: string, commit: string): void {
  ahead(path, commit);
  followSubmodules(path, () => treesOf(path));
}

/** The same, and its submodules stay; answers whether it was this call that moved the branch. */
export function ahead(path: string, commit: string): boolean {
  settle(path);
  const before = headOf(path);
  if (holds(path, commit, before)) return false;
  if (!holds(path, before, commit))
    throw refused(`${commit.slice(0, 12)} is not ahead of ${before.slice(0, 12)}`);
  bring(path, before, commit);
  const failed = failureOf(() => patiently(path, before, () => arrive(path, before, commit, REASON)));
  if (failed !== undefined) {
    putBack(path, commit);
    throw failed;
  }
  return true;
}

/** Takes that back, unless somebody went on from there. */
export function backward(path: string, from: string, to: string): void {
  noteDown(path, { commit: from, state: to });
  const failed = failureOf(() => runGit(path, ['update-ref', '-m', REASON, 'HEAD', to, from]));
  if (failed === undefined) putBack(path, from);
  else strike(path, from);
  if (failed !== undefined) throw failed;
}

/**
 * Puts back what was on its way to a working tree when a process ended, and nothing else; whoever is still at it is waited for. Who
 * was only taken for ended does not move the branch any more. Throws GIT_FAILED where it cannot be put back.
 */
export function settle(path: string): void {
  for (const { commit } of onItsWay(path)) {
    const left = leftAt(path, commit);
    if (left === undefined) continue;
    const head = headOf(path);
    if (!holds(path, commit, head)) {
      const late = failureOf(() => noteDown(path, { commit, state: head }, [left.state]));
      if (late !== undefined) {
        if (isThere(path, left)) throw late;
        // Whoever was at it came to their end in this very moment.
        continue;
      }
      const failed = failureOf(() => patiently(path, head, () => filesBack(path, commit, head)));
      if (failed !== undefined) throw stays(path, failed);
    }
    strike(path, commit);
  }
}

const isThere = (path: string, left: OnItsWay): boolean =>
  onItsWay(path).some(({ commit, state }) => commit === left.commit && state === left.state);

const stays = (path: string, { message, stderr }: WorkspaceError) =>
  new WorkspaceError(
    'GIT_FAILED',
    `what was on its way to ${path} when a process ended there cannot be put back: ${message}`,
    { stderr },
  );

/** What is still on its way after those who are at it had their time. */
function leftAt(path: string, commit: string): OnItsWay | undefined {
  const begun = performance.now();
  for (let quiet = begun; ; pause()) {
    const left = onItsWay(path).find((one) => one.commit === commit);
    const now = performance.now();
    if (isHeld(path)) quiet = now;
    if (left === undefined || now - quiet > PATIENCE_MS || now - begun > LOCK_PATIENCE_MS) return left;
  }
}

const holds = (path: string, older: string, newer: string): boolean =>
  isAncestor((args) => runGit(path, args), older, newer);
const REASON = 'countersign: moved';
const headOf = (path: string): string => runGit(path, ['rev-parse', 'HEAD']).toString('utf8').trim();
const refused = (message: string) => new WorkspaceError('GIT_FAILED', message);

/** Whoever brings many files holds git's lock for a while; then their branch moves in a moment, or what is in the way stays. */
const PATIENCE_MS = 3_000;

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
  let failed: WorkspaceError | undefined;
  patiently(path, from, () => {
    const [first] = inTheWay(path, from, to);
    if (first !== undefined)
      throw refused(`${first} in ${path} is not known to git, and would be overwritten`);
    noteDown(path, { commit: to, state: to });
    failed = failureOf(() => readTree(path, from, to));
    if (failed !== undefined && isRefusal(failed) && !isHeld(path)) {
      // A file that was only touched counts as changed until git has looked at it.
      refresh(path);
      failed = failureOf(() => readTree(path, from, to));
    }
    if (failed === undefined || !isRefusal(failed)) return;
    strike(path, to);
    throw failed;
  });
  if (failed === undefined) return;
  // In the middle of it: asked again, git would find in the way what it wrote itself.
  putBack(path, to);
  throw failed;
}

/** Git said no before it wrote anything: a change of somebody's is in the way, or their lock. */
const isRefusal = ({ stderr }: WorkspaceError): boolean =>
  /^error: (Entry|Updating|Untracked working tree file|The following) |index\.lock/m.test(stderr);

const readTree = (path: string, from: string, to: string) =>
  runGit(path, ['read-tree', '-m', '-u', '--no-recurse-submodules', from, to]);

function refresh(path: string): void {
  try {
    runGit(path, ['update-index', '-q', '--refresh'], { accepts: 1 });
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
  }
}

/**
 * Files that become those of the branch again, where that could not move; whoever moves it in the same moment has theirs again.
 * What cannot be put back stays noted down: what is told is why it did not move.
 */
function putBack(path: string, commit: string): void {
  for (let to = ''; to !== headOf(path); ) {
    const at = headOf(path);
    const failed = failureOf(() => patiently(path, at, () => filesBack(path, commit, at)));
    to = at;
    // What somebody else is just doing there is not ours to take back.
    if (failed !== undefined && headOf(path) === at) return;
  }
  failureOf(() => strike(path, commit));
}

/** Files where a commit has a new one and git knows of none: it would write over what it ignores. */
const inTheWay = (path: string, from: string, to: string): readonly string[] =>
  unknownTo(
    path,
    changedModes(path, from, to).flatMap(({ path: name, status, modes }) =>
      status === 'added' && modes[1] !== SUBMODULE ? [name] : [],
    ),
  );
