import type { Caller } from '../caller.ts';
import { EngineError } from '../engine-error.ts';
import type { Ports } from '../ports.ts';
import { assertCoordinates } from './coordinates.ts';
import { foreign } from './leases.ts';
import { type TaskView, viewTask } from './task.ts';
import { taskItem } from './task-item.ts';

/** The task as the session that holds it sees it, for whoever may coordinate it. Throws NO_CREDENTIAL for any other. */
export async function heldTask(
  ports: Ports,
  caller: Caller,
  { task, session, what }: { readonly task: string; readonly session: string; readonly what: string },
): Promise<TaskView> {
  assertCoordinates(caller, `${what} ${task}`);
  const view = await viewTask(ports, task, session);
  const { holder, stream } = view.lease;
  if (holder === undefined)
    throw new EngineError('NO_CREDENTIAL', `nobody holds ${task}`, `countersign task start ${task}`);
  if (view.holding !== 'own') throw foreign(stream, holder);
  return view;
}

export interface Merged {
  readonly head: string;
  readonly conflicts: readonly string[];
}

/** Brings an agent's branch into the branch of the task, in the task's worktree (PROTO-21, PROTO-250). */
export async function mergeAgent(
  ports: Ports,
  caller: Caller,
  asked: { readonly task: string; readonly agent: string; readonly session: string },
): Promise<Merged> {
  const { layout, settings } = await heldTask(ports, caller, { ...asked, what: 'merge' });
  const handle = await taskItem(ports, asked.task);
  if (handle.item.state !== 'IMPLEMENTATION')
    throw new EngineError(
      'BAD_INPUT',
      `${asked.task} is ${handle.item.state}: nothing is merged now`,
      `countersign task show ${asked.task}`,
    );
  const branch = layout.agentBranch(asked.agent);
  if (ports.workspace.commitOf(`refs/heads/${branch}`) === '')
    throw new EngineError(
      'NOT_FOUND',
      `there is no branch ${branch}`,
      `countersign task worktrees ${asked.task}`,
    );
  const message = `merge ${branch}\n\n${settings.commitTag.replaceAll('{agent}', asked.agent)}`;
  return ports.workspace.merge(layout.code, branch, message);
}
