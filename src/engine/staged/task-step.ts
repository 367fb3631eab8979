import type { Caller } from '../caller.ts';
import { EngineError } from '../engine-error.ts';
import { type Handle, loadItem } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { STEP, type StepOutcome, step } from '../step.ts';
import { assertTaskName } from './layout.ts';
import { readLease, taskLease } from './leases.ts';

/** The item of a task, by the task's name. Throws NOT_FOUND. */
export async function taskItem(ports: Pick<Ports, 'store'>, task: string): Promise<Handle> {
  assertTaskName(task);
  const { item } = await readLease(ports, taskLease(task));
  if (item !== '') return loadItem(ports, item);
  throw new EngineError('NOT_FOUND', `no task ${task} was started`, `countersign task start ${task}`);
}

export interface TaskStep {
  readonly task: string;
  readonly session: string;
  readonly command: string;
  readonly reason: string;
  readonly arguments: { readonly [name: string]: string };
}

/** Takes a step of a task in stages, as the session that holds it. */
export async function taskStep(ports: Ports, caller: Caller, asked: TaskStep): Promise<StepOutcome> {
  const { id } = await taskItem(ports, asked.task);
  const { command, reason, session } = asked;
  const commit = command === 'validate' ? branchOf(ports, await loadItem(ports, id)) : '';
  return step(ports, caller, {
    ...STEP,
    ref: id,
    command,
    reason,
    session,
    commit,
    arguments: asked.arguments,
  });
}

/** What is validated is the branch of the task, wherever the caller stands. */
const branchOf = ({ workspace }: Ports, { item }: Handle): string => {
  const path = workspace.here;
  return (
    workspace.worktrees().find((tree) => tree.path === path)?.branch || String(item.facts.task ?? 'HEAD')
  );
};
