import { commitMerge } from './agent-trees.ts';
import { isAncestor } from './ancestor.ts';
import { ahead, backward } from './forward.ts';
import { runGit } from './git.ts';
import { mergedTree } from './landing.ts';
import { followSubmodules } from './submodules.ts';
import { treesOf } from './worktrees.ts';

/** What a merge came to: paths in conflict, with the working tree as it was before; or its new head. */
export interface MergeResult {
  readonly head: string;
  readonly conflicts: readonly string[];
}

const ROUNDS = 20;

/**
 * Merges a commit into what is checked out at `path`, with a commit of its own. It is made beside the working tree, which only moves
 * ahead to it: of several who merge at once nobody takes back what another brought in.
 */
export function merge(path: string, branch: string, message: string): MergeResult {
  for (let round = 1; ; round++) {
    const before = idOf(path, 'HEAD');
    const commit = idOf(path, `${branch}^{commit}`);
    if (isAncestor((args) => runGit(path, args), commit, before)) {
      followSubmodules(path, () => treesOf(path));
      // Who brought it in just now takes it back where its submodules cannot follow.
      if (round === 1 || idOf(path, 'HEAD') === before) return { head: before, conflicts: [] };
      continue;
    }
    const { tree, conflicts } = mergedTree(path, before, commit);
    if (conflicts.length > 0) return { head: before, conflicts };
    const made = commitMerge(path, tree, [before, commit], message);
    if (isBrought(path, made, before, round >= ROUNDS)) return { head: made, conflicts: [] };
  }
}

/**
 * Moves there with its submodules, or not at all; false where somebody else was faster: it is merged into what they left. Of two who
 * ask for the same within a second both make the same commit: only whose move it was takes it back.
 */
function isBrought(path: string, made: string, before: string, isLast: boolean): boolean {
  let isOurs = false;
  try {
    isOurs = ahead(path, made);
    if (isOurs) followSubmodules(path, () => treesOf(path));
    return isOurs;
  } catch (error) {
    if (isOurs) takenBack(path, made, before);
    if (isOurs || isLast || idOf(path, 'HEAD') === before) throw error;
    return false;
  }
}

/** Its submodules could not follow: then nothing was merged. */
function takenBack(path: string, made: string, before: string): void {
  backward(path, made, before);
  followSubmodules(path, () => []);
}

const idOf = (path: string, name: string): string =>
  runGit(path, ['rev-parse', '--verify', '-q', '--end-of-options', name]).toString('utf8').trim();
