import type { Caller } from '../caller.ts';
import { EngineError } from '../engine-error.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { heldTask } from './held-task.ts';
import { assertStop, type StopReason } from './stops.ts';
import { hasEnded } from './task.ts';
import { taskItem } from './task-item.ts';
import { type Entry, logOfTask, readTaskLog } from './task-log.ts';

/** That a session stops in the middle of a task, and why it may. */
export interface TaskStopped {
  readonly session: string;
  readonly category: StopReason;
  readonly evidence: readonly string[];
  /** State and version of the item then: whoever goes on has not stopped any more. */
  readonly state: string;
  readonly version: number;
}

interface StoppedEvent extends TaskStopped, Entry {
  readonly type: 'task-stopped';
}

export interface StopTask {
  readonly task: string;
  readonly session: string;
  readonly category: string;
  readonly evidence: readonly string[];
}

/**
 * Puts on record that the session which holds a task stops before its end, for one of the closed list of reasons (PROTO-36
 * to PROTO-43). Throws BAD_INPUT for what is none, NO_CREDENTIAL where the session does not hold the task.
 */
export async function stopTask(ports: Ports, caller: Caller, asked: StopTask): Promise<TaskStopped> {
  const { task, session, category, evidence } = asked;
  const handle = await taskItem(ports, task);
  const reason = assertStop(category, evidence);
  const view = await heldTask(ports, caller, { task, session, what: 'stop' });
  if (hasEnded(handle))
    throw new EngineError('BAD_INPUT', `${task} has ended already`, `countersign task tidy ${task}`);
  const entry = view.entry?.digest ?? '';
  if (reason === 'scope-changed' && entry === String(handle.item.facts.entry ?? ''))
    throw new EngineError(
      'BAD_INPUT',
      `the entry of ${task} in ${view.settings.todo} is what it was when the task began`,
      'go on with the task',
    );
  const { state, version } = handle.item;
  const stopped: TaskStopped = { session, category: reason, evidence, state, version };
  await logOfTask<StoppedEvent>(ports, caller, task, { type: 'task-stopped', ...stopped });
  return stopped;
}

/** The stop of a task that still holds: made by the session, and nothing was done since. */
export async function stopOf(
  ports: Pick<Ports, 'store'>,
  task: string,
  session: string,
  { item }: Pick<Handle, 'item'>,
): Promise<TaskStopped | undefined> {
  const events = await readTaskLog<StoppedEvent>(ports, task);
  const last = events.findLast((event) => event.type === 'task-stopped' && event.session === session);
  return last?.version === item.version ? last : undefined;
}
