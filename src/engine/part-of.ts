import type { Linked } from '../kernel/event.ts';
import type { Policy } from '../kernel/protocol.ts';
import { type Draft, touch } from './draft.ts';
import { EngineError } from './engine-error.ts';
import { type Handle, loadById, loadItem } from './handle.ts';
import { successorTo } from './migration.ts';
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
  const policy = toldBy(part);
  if (policy === undefined)
    throw new EngineError('BAD_INPUT', `what follows ${part.protocol.name} is part of no task`, STAND_BELOW);
  tie(write, whole, part, policy);
}

const STAND_BELOW = 'todo items (two-phase) and tasks in phases stand below a task';

const toldBy = ({ protocol }: Handle): Policy | undefined =>
  protocol.policies.find(({ tell }) => tell === 'whole');

function tie(write: Draft, whole: Handle, part: Handle, policy: Policy): void {
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

/**
 * The task that counts on a part counts on what takes its place instead. Call after the link is written. Throws BAD_INPUT
 * where the new table tells no task: it would be waited for for ever, or not at all.
 */
export async function replaceInWhole(
  ports: Ports,
  write: Draft,
  old: Handle,
  created: Handle,
): Promise<void> {
  const gone = write.touched.get(old.id)?.handle ?? old;
  const stored = await wholeOf(ports, gone);
  const told = toldBy(gone);
  if (stored === undefined || told === undefined) return;
  const whole = write.touched.get(stored.id)?.handle ?? stored;
  if (!countsOn(whole, gone)) return;
  const policy = toldBy(created);
  if (policy === undefined)
    throw new EngineError(
      'BAD_INPUT',
      `${gone.display} is part of ${whole.display}, and ${created.protocol.name} tells no task what becomes of it`,
      STAND_BELOW,
    );
  touch(write, whole, [noteOf(gone, { ...told, moves: [] }, write.at)]);
  tie(write, whole, created, policy);
}

/** A task counts on a part until it hands in its work, and on what was still open then as long as it has not ended. */
function countsOn({ protocol, item }: Handle, { display }: Handle): boolean {
  const state = protocol.states[item.state];
  if (state === undefined || state.final) return false;
  const part = item.members.parts?.[display];
  // An escalated task may go back to where it is built.
  return [...TAKES, 'ESCALATED'].includes(state.category) || (part !== undefined && !isDone(part.category));
}

const isDone = (category: string) => ['CONFIRMED', 'CLOSED', 'FAILED'].includes(category);

/** What stands below a task as things are: a part whose place another took is none. */
export async function partsOf(
  ports: Pick<Ports, 'store'>,
  { item }: Pick<Handle, 'item'>,
): Promise<readonly string[]> {
  const parts: string[] = [];
  for (const name of Object.keys(item.members.parts ?? {}))
    if (successorTo((await loadItem(ports, name)).item) === undefined) parts.push(name);
  return parts;
}

/** The task below which an item stands, undefined where it stands alone. */
export async function wholeOf(ports: Pick<Ports, 'store'>, part: Handle): Promise<Handle | undefined> {
  const id = linkedTo(part, 'part-of').at(-1);
  return id === undefined ? undefined : loadById(ports, id);
}
