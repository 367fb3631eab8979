import { LOCKED } from './git.ts';
import { WorkspaceError } from './workspace-error.ts';

const TRIES = 40;
const PAUSE_MS = 15;
const HALF_MADE =
  /failed to read .*[\\/]worktrees[\\/]|could not (open|lock|read) .*worktrees|worktrees\/.*\.lock/;

/**
 * Asks git again where it stumbled over a working tree that another git is just making or taking away: git looks at all of
 * them and gives up at the first that is not whole.
 */
export function pastHalfMade<T>(work: () => T): T {
  for (let n = 1; ; n++) {
    try {
      return work();
    } catch (error) {
      if (n === TRIES || !(error instanceof WorkspaceError) || !isHalfMade(error)) throw error;
      pause();
    }
  }
}

const isHalfMade = ({ message, stderr }: WorkspaceError): boolean => HALF_MADE.test(`${message}\n${stderr}`);

/** Takes something away; where somebody else is at it in the same moment, theirs is waited for and is as good. */
export function unlessGone(work: () => void, isGone: () => boolean): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof WorkspaceError) || KEPT.test(error.message)) throw error;
    for (let n = 1; !isGone(); n++) {
      if (n === TRIES) throw error;
      pause();
    }
  }
}

/** What git keeps on purpose, however often it is asked. */
const KEPT = /contains modified or untracked files|is a main working tree|not fully merged| holds /;

/** A moment in which somebody else may come to their end. */
export const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);

/** How long whoever holds a lock of git's is waited for. */
export const LOCK_PATIENCE_MS = 20_000;

/** Asks git again for as long as somebody else holds a lock that it needs. */
export function pastLock<T>(work: () => T): T {
  for (const begun = performance.now(); ; pause()) {
    try {
      return work();
    } catch (error) {
      const isHeld = error instanceof WorkspaceError && LOCKED.test(error.stderr);
      if (!isHeld || performance.now() - begun > LOCK_PATIENCE_MS) throw error;
    }
  }
}
