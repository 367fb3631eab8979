import type { World } from '../kernel/context.ts';
import { worstCount } from '../kernel/counters.ts';
import type { Moved } from '../kernel/event.ts';
import { settle } from '../kernel/settle.ts';
import { dueAt, overdueAt } from '../kernel/timeouts.ts';
import type { Commit, ItemRow } from '../store/store.ts';
import { causeOf } from './cause-of.ts';
import { type Draft, touch } from './draft.ts';
import { EngineError } from './engine-error.ts';
import { categoryOf } from './escalation.ts';
import { type Handle, itemStream } from './handle.ts';
import { successorTo } from './migration.ts';
import { spawnJob } from './phases/spawn-job.ts';
import type { Ports } from './ports.ts';
import { follow } from './react.ts';
import { bodyOf } from './stored.ts';
import { verificationJob } from './work.ts';

const MOST_REACTIONS = 1_000;

/**
 * Completes a draft: eventless rows until nothing moves, then what the policies of every protocol involved say,
 * until nothing is left to tell. Facts that policies bring are never refused.
 */
export async function complete(ports: Ports, write: Draft, world: World): Promise<Commit> {
  const queue: { readonly id: string; readonly moves: readonly Moved[] }[] = [];
  const told = new Map<string, number>();
  const enqueue = (id: string) => {
    const handle = write.touched.get(id)?.handle;
    if (handle === undefined) return;
    const settled = settle(handle.protocol, handle.item, world, write.at);
    touch(write, handle, causedBy(write, handle, settled.events));
    const events = write.touched.get(id)?.events ?? [];
    const moves = events.slice(told.get(id) ?? 0).filter((e): e is Moved => e.type === 'moved');
    told.set(id, events.length);
    if (moves.length > 0) queue.push({ id, moves });
  };
  for (const id of [...write.touched.keys()]) enqueue(id);
  for (let n = 0; ; n++) {
    const next = queue.shift();
    if (next === undefined) break;
    if (n > MOST_REACTIONS)
      throw new EngineError('UNKNOWN_PROTOCOL', 'the policies of this protocol never settle');
    for (const id of await follow(ports, write, next.id, next.moves, world)) enqueue(id);
  }
  return commitOf(ports, write);
}

/** What a step set off on another item says in the log which step that was. */
function causedBy(write: Draft, { display }: Handle, moves: readonly Moved[]): readonly Moved[] {
  const cause = causeOf(write);
  return cause.startsWith(`${display} `) ? moves : moves.map((move) => ({ ...move, reason: cause }));
}

function commitOf(_ports: Ports, write: Draft): Commit {
  // What is new stands in the log before anybody speaks of it.
  const items = [...write.touched.values()].toSorted((a, b) => Math.sign(a.expected) - Math.sign(b.expected));
  const streams = items.map(({ handle, expected, events }) => ({
    stream: itemStream(handle.id),
    expected,
    bodies: events.map((e) => bodyOf(e, write.commandId)),
  }));
  const jobs = items.flatMap(({ handle }) => [
    ...verificationJob(handle, handle.item.updatedAt),
    ...spawnJob(handle),
  ]);
  return {
    commandId: write.commandId,
    appends: [...streams.filter((s) => s.bodies.length > 0), ...write.documents],
    readSet: write.readSet,
    items: items.map(({ handle }) => rowOf(handle)),
    links: write.links,
    jobs: [...write.jobs, ...jobs],
    fences: write.fences,
  };
}

/** The view row of an item: a function of its fold, so that audit can compute it again. */
export function rowOf({ id, protocol, item }: Pick<Handle, 'id' | 'protocol' | 'item'>): ItemRow {
  return {
    id,
    number: item.number,
    list: item.list,
    kind: item.kind,
    protocol: item.protocol.name,
    state: item.state,
    category: categoryOf({ protocol, item }),
    title: item.title,
    assignee: item.marks.assignee?.at(-1) ?? '',
    version: item.version,
    updatedAt: item.updatedAt,
    dueAt: dueAt(protocol, item),
    legacy: item.legacy,
    overdueAt: overdueAt(protocol, item),
    // Nobody has to see to what another took the place of.
    failures: successorTo(item) === undefined ? worstCount(item.counters) : 0,
  };
}
