import type { Moved } from '../../kernel/event.ts';
import type { Draft } from '../draft.ts';
import { EngineError } from '../engine-error.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { foreign, readLease, shown, taskLease } from './leases.ts';
import { taskNameOf } from './task-name.ts';

/**
 * Ties a write to the lease under which it was decided: the very taking that the decision saw has to stand when the
 * write is made. Whoever lost the task meanwhile, and has not noticed, writes nothing (R9). Throws NO_CREDENTIAL.
 */
export async function fence(ports: Ports, write: Draft, handle: Handle): Promise<void> {
  const moved = write.touched.get(handle.id)?.events.find((event): event is Moved => event.type === 'moved');
  const seen = moved?.facts.lease;
  if (typeof seen !== 'number' || seen === 0) return;
  const task = taskNameOf(handle);
  const read = await readLease(ports, taskLease(task));
  if (read.holder === undefined)
    throw new EngineError(
      'NO_CREDENTIAL',
      `${shown(read.stream)} was taken away while this was decided: nothing was written`,
      `countersign task start ${task}`,
    );
  if (read.holder.token !== seen) throw foreign(read.stream, read.holder);
  write.readSet.push({ stream: read.stream, version: read.version });
}
