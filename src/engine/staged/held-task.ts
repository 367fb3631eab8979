import type { Caller } from '../caller.ts';
import { EngineError } from '../engine-error.ts';
import type { Ports } from '../ports.ts';
import { assertCoordinates } from './coordinates.ts';
import { foreign } from './leases.ts';
import { type TaskView, viewTask } from './task.ts';

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
