import { type GitPlace, runGit } from './git.ts';
import { pastHalfMade } from './half-made.ts';

/** `git worktree …`, asked again where whoever makes or removes a tree at the same moment leaves files half written. */
export const worktreeGit = (repo: GitPlace, args: readonly string[]): Buffer =>
  pastHalfMade(() => runGit(repo, ['worktree', ...args]));
