import type { Caller } from '../caller.ts';
import { EngineError } from '../engine-error.ts';
import { type Handle, loadItem } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { STEP, step } from '../step.ts';
import { cleanTask } from './cleanup.ts';
import { putBack } from './put-back.ts';
import { agentsOf, hasEnded, type TaskView } from './task.ts';
import { assertMerged, assertRecyclable } from './worktrees.ts';

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
  putBack(ports, layout);
  await assertNothingLost(ports, view, handle);
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

/** Every tree and branch is looked at before the first of them goes. */
async function assertNothingLost(ports: Ports, view: TaskView, handle: Handle | undefined): Promise<void> {
  const { layout } = view;
  const agents = handle === undefined ? [] : agentsOf(handle);
  const trees = [layout.code, ...agents.map((agent) => layout.agentCode(agent))];
  const otherwise = `, or go on where it stands: countersign task start ${layout.task} --choose resume`;
  assertRecyclable(ports, view, trees, otherwise);
  await assertMerged(ports, view, otherwise);
}
