import type { Finding } from '../../kernel/command.ts';
import { lacking, seen } from '../gather/looked.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { branchOfRun, branchOfTask, ensureBranch, headOfTask, treeOf } from './trees.ts';

export interface MergedRun {
  readonly finding: Finding;
  /** Head of the task's branch with the run's work in it. */
  readonly head: string;
  /** Head of the run's own branch. */
  readonly commit: string;
}

/** Another agent may bring its work in between the look and the move of the branch. */
const TRIES = 20;

/**
 * Brings what a run committed into the branch of its task, without any working tree. What is not committed, or does not fit
 * what others brought in before, is for the agent to settle. It can be done again: what is in already stays as it is.
 */
export function mergeRun(ports: Ports, handle: Handle, phase: Handle, run: string): MergedRun {
  const { workspace, git } = ports;
  const tree = treeOf(ports, phase, run);
  const commit = workspace.commitOf(`refs/heads/${branchOfRun(phase, run)}`);
  if (workspace.isFolder(tree) && !workspace.isClean(tree))
    return {
      finding: lacking(`${tree} holds what is not committed`, 'commit it, or take it back'),
      head: '',
      commit,
    };
  const stray = strayCommits(ports, phase, run, commit);
  if (stray !== undefined) return { finding: stray, head: '', commit };
  for (let n = 0; n < TRIES; n++) {
    const head = ensureBranch(ports, phase);
    if (commit === '' || git.isAncestor(commit, head))
      return { finding: seen('its work is in'), head, commit };
    const next = ahead(ports, handle, head, commit);
    if (typeof next !== 'string') return { finding: next, head: '', commit };
    // Reviewers are not asked anew about what they have seen (CH-06).
    if (workspace.treeOf(next) === workspace.treeOf(head))
      return { finding: seen('it changes nothing'), head, commit };
    const moved = bringTo(ports, phase, head, next);
    if (typeof moved !== 'boolean') return { finding: moved, head: '', commit };
    if (moved) return { finding: seen('its work is brought in'), head: next, commit };
  }
  return { finding: lacking('others kept bringing in theirs', 'say it again'), head: '', commit };
}

/** An agent may have made a branch of its own and committed there: that would be left behind unseen. */
function strayCommits(ports: Ports, phase: Handle, run: string, commit: string): Finding | undefined {
  const path = treeOf(ports, phase, run);
  const tree = ports.workspace.worktrees().find((one) => one.path === path);
  const into = commit || headOfTask(ports, phase) || String(phase.item.facts.base ?? '');
  if (tree === undefined || !ports.workspace.isFolder(path) || ports.git.isAncestor(tree.head, into))
    return undefined;
  const branch = branchOfRun(phase, run);
  const place = tree.branch || tree.head.slice(0, 12);
  return lacking(
    `${path} stands on ${place}, with commits that ${branch} does not have`,
    `bring them there with: git checkout ${commit === '' ? '-B ' : ''}${branch}${commit === '' ? '' : ` && git merge ${place}`}`,
  );
}

/** Moves the branch of the task on, with the files of whoever has it checked out. False where it was moved meanwhile. */
function bringTo({ workspace }: Ports, phase: Handle, head: string, next: string): boolean | Finding {
  const branch = branchOfTask(phase);
  const out = workspace.worktrees().find((tree) => tree.branch === branch);
  if (out === undefined || !workspace.isFolder(out.path)) return workspace.moveBranch(branch, head, next);
  try {
    workspace.forward(out.path, next);
    return true;
  } catch (error) {
    if (headOfTask({ workspace }, phase) !== head) return false;
    return lacking(
      `${branch} is checked out in ${out.path}, and git does not move it on there: ${(error as Error).message}`,
      `commit or put away what is in the way there, or check something else out, and say it again`,
    );
  }
}

/** The commit to which the task's branch comes with the run's work: that work itself where nothing else came between. */
function ahead({ workspace, git }: Ports, handle: Handle, head: string, commit: string): string | Finding {
  if (git.isAncestor(head, commit)) return commit;
  const { tree, conflicts } = workspace.merged(head, commit);
  if (conflicts.length > 0)
    return lacking(
      `it is in conflict with what others brought in: ${conflicts.join(', ')}`,
      `merge ${head.slice(0, 12)} into your branch, settle the conflict, commit, and say it again`,
    );
  return workspace.commitMerge(tree, [head, commit], `Bring in the work of ${handle.display}`);
}
