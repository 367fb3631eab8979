import { type GitPlace, runGit } from './git.ts';
import { WorkspaceError } from './workspace-error.ts';

const TRIES = 40;
const PAUSE_MS = 15;
const AMIDST = /failed to read .*worktrees|could not (open|lock|read) .*worktrees|worktrees\/.*\.lock/;

/**
 * `git worktree …`. Whoever makes or removes a tree at the same moment leaves files half written, over which git fails for all
 * others: it is asked again, as long as that is what it says.
 */
export function worktreeGit(repo: GitPlace, args: readonly string[]): Buffer {
  for (let n = 1; ; n++) {
    try {
      return runGit(repo, ['worktree', ...args]);
    } catch (error) {
      const amidst = error instanceof WorkspaceError && AMIDST.test(error.stderr);
      if (!amidst || n >= TRIES) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}
