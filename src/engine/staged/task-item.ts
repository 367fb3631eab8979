import { EngineError } from '../engine-error.ts';
import { type Handle, loadItem } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { assertTaskName } from './layout.ts';
import { readLease, taskLease } from './leases.ts';

/** The item of a task, by the task's name. Throws NOT_FOUND. */
export async function taskItem(ports: Pick<Ports, 'store'>, task: string): Promise<Handle> {
  assertTaskName(task);
  const { item } = await readLease(ports, taskLease(task));
  if (item !== '') return loadItem(ports, item);
  throw new EngineError('NOT_FOUND', `no task ${task} was started`, `countersign task start ${task}`);
}
