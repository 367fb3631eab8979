import { EngineError } from '../engine-error.ts';
import { type Handle, loadItem } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { placeOf } from './run-name.ts';
import { WAITS } from './spawn-job.ts';

/** A run or a reviewer by its name, or by that of its process. Throws NOT_FOUND, BAD_INPUT. */
export async function runNamed(ports: Pick<Ports, 'store'>, ref: string): Promise<Handle> {
  const handle = await loadItem(ports, placeOf(ref));
  if (WAITS.has(handle.protocol.name)) return handle;
  throw new EngineError(
    'BAD_INPUT',
    `${handle.display} is no run of an agent`,
    'see the agents of a phase: countersign phase status PHASE',
  );
}
