import type { Linked } from '../kernel/event.ts';
import { type Draft, touch } from './draft.ts';
import { EngineError } from './engine-error.ts';
import { type Handle, loadById, loadItem } from './handle.ts';
import { noteOf } from './note-of.ts';
import { linkedTo } from './phases/links.ts';
import type { Ports } from './ports.ts';

/** Categories in which a task has not handed in its work yet. */
const TAKES: readonly string[] = ['QUEUED', 'WORKING', 'REWORK'];

/**
 * The task below which something is to stand (CX-14): its table waits for its parts, and its work is not handed in. Throws
 * NOT_FOUND, BAD_INPUT.
 */
export async function wholeNamed(ports: Pick<Ports, 'store'>, ref: string): Promise<Handle> {
  const whole = await loadItem(ports, ref);
  const { display, protocol, item } = whole;
  if (!protocol.groups.includes('parts'))
    throw new EngineError(
      'BAD_INPUT',
      `${display} follows ${protocol.name} ${protocol.version}: nothing stands below it`,
      'name a task of the lifecycle or in stages',
    );
  if (!TAKES.includes(protocol.states[item.state]?.category ?? ''))
    throw new EngineError(
      'BAD_INPUT',
      `${display} is ${item.state}: its work is handed in, and takes no more parts`,
      `see where it stands: countersign show ${display}`,
    );
  return whole;
}

/** Writes that an item is part of a task, on both, in the write that opens it. Throws BAD_INPUT where its table tells no task. */
export async function tieToWhole(ports: Ports, write: Draft, part: Handle, ref: string): Promise<void> {
  const whole = await wholeNamed(ports, ref);
  const policy = part.protocol.policies.find(({ tell }) => tell === 'whole');
  if (policy === undefined)
    throw new EngineError(
      'BAD_INPUT',
      `what follows ${part.protocol.name} is part of no task`,
      'todo items (two-phase) and tasks in phases stand below a task',
    );
  const linked: Linked = {
    type: 'linked',
    at: write.at,
    by: part.item.openedBy,
    kind: 'part-of',
    to: whole.id,
  };
  const tied = touch(write, write.touched.get(part.id)?.handle ?? part, [linked]);
  const known = write.touched.get(whole.id)?.handle ?? whole;
  touch(write, known, [noteOf(tied, policy, write.at)]);
}

/** The task below which an item stands, undefined where it stands alone. */
export async function wholeOf(ports: Pick<Ports, 'store'>, part: Handle): Promise<Handle | undefined> {
  const id = linkedTo(part, 'part-of').at(-1);
  return id === undefined ? undefined : loadById(ports, id);
}
