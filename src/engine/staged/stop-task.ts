import { appending } from '../appending.ts';
import type { Caller } from '../caller.ts';
import { EngineError } from '../engine-error.ts';
import type { Handle } from '../handle.ts';
import { nowOf, type Ports } from '../ports.ts';
import { bodyOf, eventOf } from '../stored.ts';
import { assertCoordinates } from './coordinates.ts';
import { taskStream } from './feasibility.ts';
import { foreign } from './leases.ts';
import { assertStop, type StopReason } from './stops.ts';
import { hasEnded, viewTask } from './task.ts';
import { taskItem } from './task-item.ts';

/** That a session stops in the middle of a task, and why it may. */
export interface TaskStopped {
  readonly session: string;
  readonly category: StopReason;
  readonly evidence: readonly string[];
  /** State and version of the item then: whoever goes on has not stopped any more. */
  readonly state: string;
  readonly version: number;
}

interface StoppedEvent extends TaskStopped {
  readonly type: 'task-stopped';
  readonly at: string;
  readonly by: string;
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
  const { actor } = caller;
  const { task, session, category, evidence } = asked;
  assertCoordinates(caller, `stop ${task}`);
  const handle = await taskItem(ports, task);
  const view = await viewTask(ports, task, session);
  const reason = assertStop(category, evidence);
  const { holder, stream } = view.lease;
  if (holder === undefined)
    throw new EngineError('NO_CREDENTIAL', `nobody holds ${task}`, 'take it up first');
  if (view.holding !== 'own') throw foreign(stream, holder);
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
  const event: StoppedEvent = { type: 'task-stopped', at: nowOf(ports), by: actor.id, ...stopped };
  const commandId = ports.newId();
  const bodies = [bodyOf(event, commandId)];
  await ports.store.commit(appending(commandId, { stream: taskStream(task), expected: 'any', bodies }));
  return stopped;
}

/** The stop of a task that still holds: made by the session, and nothing was done since. */
export async function stopOf(
  ports: Pick<Ports, 'store'>,
  task: string,
  session: string,
  { item }: Pick<Handle, 'item'>,
): Promise<TaskStopped | undefined> {
  const events = (await ports.store.read(taskStream(task))).map((stored) => eventOf<StoppedEvent>(stored));
  const last = events.findLast((event) => event.type === 'task-stopped' && event.session === session);
  return last?.version === item.version ? last : undefined;
}
