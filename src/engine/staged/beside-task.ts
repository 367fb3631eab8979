import type { Ports } from '../ports.ts';
import { type RefusalEvent, refusalStream } from '../refuse.ts';
import { eventOf } from '../stored.ts';
import { type ToolUsed, toolsOf } from './tool-notes.ts';

/** What was put on record beside a task, and changes nothing of it. */
export interface BesideTask {
  /** The tools that its sessions used. */
  readonly used: readonly ToolUsed[];
  /** The steps that somebody tried and did not get. */
  readonly refused: readonly RefusalEvent[];
}

/** Of the task of a name, and of the item that it is now. */
export async function besideTask(ports: Ports, task: string, id: string): Promise<BesideTask> {
  const refused = await ports.store.read(refusalStream(id));
  return {
    used: await toolsOf(ports, task),
    refused: refused.map((stored) => eventOf<RefusalEvent>(stored)),
  };
}
