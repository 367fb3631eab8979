import { WorkspaceError } from './workspace-error.ts';

const TRIES = 25;
const PAUSE_MS = 20;
const HALF_MADE = /failed to read .*[\\/]worktrees[\\/]/;

/**
 * Asks git again where it stumbled over a working tree that another git is just making or taking away: git looks at all of
 * them and gives up at the first that is not whole.
 */
export function pastHalfMade<T>(work: () => T): T {
  for (let n = 1; ; n++) {
    try {
      return work();
    } catch (error) {
      if (n === TRIES || !(error instanceof WorkspaceError) || !HALF_MADE.test(error.message)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}
