import { commitMerge } from './agent-trees.ts';
import { isAncestor } from './ancestor.ts';
import { backward, forward } from './forward.ts';
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
      return { head: before, conflicts: [] };
    }
    const { tree, conflicts } = mergedTree(path, before, commit);
    if (conflicts.length > 0) return { head: before, conflicts };
    const made = commitMerge(path, tree, [before, commit], message);
    try {
      forward(path, made);
      return { head: made, conflicts: [] };
    } catch (error) {
      const now = idOf(path, 'HEAD');
      if (now === made) takenBack(path, made, before);
      // Somebody else was faster: it is merged into what they left.
      if (now === made || now === before || round === ROUNDS) throw error;
    }
  }
}

/** Its submodules could not follow: then nothing was merged. */
function takenBack(path: string, made: string, before: string): void {
  backward(path, made, before);
  followSubmodules(path, () => []);
}

const idOf = (path: string, name: string): string =>
  runGit(path, ['rev-parse', '--verify', '-q', '--end-of-options', name]).toString('utf8').trim();
