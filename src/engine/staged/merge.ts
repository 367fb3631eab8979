import { EngineError } from '../engine-error.ts';
import type { Ports } from '../ports.ts';
import { heldTask } from './held-task.ts';
import { taskItem } from './task-item.ts';

export interface Merged {
  readonly head: string;
  readonly conflicts: readonly string[];
}

/** Brings an agent's branch into the branch of the task, in the task's worktree (PROTO-21, PROTO-250). */
export async function mergeAgent(
  ports: Ports,
  asked: { readonly task: string; readonly agent: string; readonly session: string },
): Promise<Merged> {
  const { layout, settings } = await heldTask(ports, asked.task, asked.session);
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
