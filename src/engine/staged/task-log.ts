import { appending } from '../appending.ts';
import type { Caller } from '../caller.ts';
import { nowOf, type Ports } from '../ports.ts';
import { bodyOf, eventOf } from '../stored.ts';

const taskStream = (task: string) => `task/${task}`;

/** What every entry around a task carries. */
export interface Entry {
  readonly type: string;
  readonly at: string;
  readonly by: string;
}

/** Entries without what is added when they are written, each kind for itself. */
export type Unwritten<E extends Entry> = E extends Entry ? Omit<E, 'at' | 'by'> : never;

/** Puts on record what was looked at or said around a task; what the task is does not change by it. */
export async function logOfTask<E extends Entry>(
  ports: Ports,
  { actor }: Caller,
  task: string,
  entry: Unwritten<E>,
): Promise<void> {
  const commandId = ports.newId();
  const event = { ...entry, at: nowOf(ports), by: actor.id } as Entry;
  const append = { stream: taskStream(task), expected: 'any', bodies: [bodyOf(event, commandId)] } as const;
  await ports.store.commit(appending(commandId, append));
}

/** All that is on record around a task, the oldest first. */
export async function readTaskLog<E extends Entry>(
  { store }: Pick<Ports, 'store'>,
  task: string,
): Promise<readonly E[]> {
  return (await store.read(taskStream(task))).map((stored) => eventOf<E>(stored));
}
