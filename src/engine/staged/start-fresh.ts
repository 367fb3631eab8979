import type { Caller } from '../caller.ts';
import { EngineError } from '../engine-error.ts';
import { type Handle, loadItem } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { STEP, step } from '../step.ts';
import { cleanTask } from './cleanup.ts';
import { agentsOf, hasEnded, type TaskView } from './task.ts';

/**
 * Clears away what a session left of a task, on the word of a person who chose to begin anew (PROTO-63): what it was is
 * cancelled, its papers are kept, its worktrees go. Work that is nowhere else is not cleared away. Throws BAD_INPUT.
 */
export async function clearAway(
  ports: Ports,
  caller: Caller,
  { task, session }: { readonly task: string; readonly session: string },
  view: TaskView,
): Promise<void> {
  const { lease, layout } = view;
  const handle = lease.item === '' ? undefined : await loadItem(ports, lease.item);
  assertNothingLost(ports, view, handle);
  if (handle === undefined || handle.item.state === 'INIT') {
    ports.workspace.removeWorktree(layout.code);
    return;
  }
  if (!hasEnded(handle)) {
    const digest = caller.proof?.digest ?? '';
    const asked = { ...STEP, ref: handle.id, command: 'cancel', reason: 'a person starts it afresh' };
    const outcome = await step(ports, caller, asked, () => digest);
    if (outcome.kind !== 'done') throw new EngineError('BAD_INPUT', outcome.because, 'try again');
  }
  await cleanTask(ports, caller, { task, session });
}

function assertNothingLost({ git, workspace }: Ports, view: TaskView, handle: Handle | undefined): void {
  const { layout, worktrees } = view;
  const agents = handle === undefined ? [] : agentsOf(handle);
  const again = `then choose again, or go on where it stands: countersign task start ${layout.task} --choose resume`;
  const trees = [layout.code, ...agents.map((agent) => layout.agentCode(agent))];
  const dirty = trees.find((path) => worktrees.has(path) && !workspace.isClean(path));
  if (dirty !== undefined)
    throw new EngineError(
      'BAD_INPUT',
      `${dirty} has changes that are not committed`,
      `a person keeps or drops them (git -C ${dirty} status), ${again}`,
    );
  const base = String(handle?.item.facts.head ?? 'HEAD');
  const branches = [layout.branch, ...agents.map((agent) => layout.agentBranch(agent))];
  const unmerged = branches.find((branch) => {
    const head = workspace.commitOf(`refs/heads/${branch}`);
    return head !== '' && !git.isAncestor(head, base);
  });
  if (unmerged !== undefined)
    throw new EngineError(
      'BAD_INPUT',
      `the branch ${unmerged} has commits that landed nowhere`,
      `a person keeps them under another name (git branch ${unmerged}-kept ${unmerged}) and resets it, ${again}`,
    );
}
