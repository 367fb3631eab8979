import type { Elapsed } from '../kernel/event.ts';
import { elapsedEvents } from '../kernel/timeouts.ts';
import { draft, touch } from './draft.ts';
import { loadById } from './handle.ts';
import { hearersOf } from './hearers.ts';
import { nowOf, type Ports } from './ports.ts';
import { complete } from './transaction.ts';
import { readWorld } from './world.ts';

/** A threshold that passed, on the item that it belongs to. */
export interface Told {
  readonly item: string;
  readonly title: string;
  readonly event: Elapsed;
  /** The role that is to hear of it. */
  readonly recipient: string;
}

const AT_ONCE = 200;
const ROUNDS = 50;

/**
 * Records the thresholds of allowances that have passed and were not told yet. It moves nothing (LIFE-82). Whoever wakes
 * the engine next does it for a time when nobody was there: the event says when the threshold passed (LIFE-113). An item
 * that somebody writes at the same moment records its own.
 */
export async function tick(ports: Ports): Promise<readonly Told[]> {
  const now = nowOf(ports);
  const told: Told[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const due = await ports.store.due(now, AT_ONCE);
    const before = told.length;
    for (const { id } of due) told.push(...(await tell(ports, id, now)));
    if (due.length < AT_ONCE || told.length === before) break;
  }
  return told;
}

async function tell(ports: Ports, id: string, now: string): Promise<readonly Told[]> {
  const handle = await loadById(ports, id);
  const events = elapsedEvents(handle.protocol, handle.item, now);
  if (events.length === 0) return [];
  const write = draft(ports.newId(), now);
  touch(write, handle, events);
  const { world } = await readWorld(ports, handle.protocol, handle.item.list);
  const { kind } = await ports.store.commit(await complete(ports, write, world));
  if (kind !== 'committed') return [];
  const { recipient } = hearersOf(handle.protocol);
  const { title } = handle.item;
  return events.map((event) => ({ item: handle.display, title, event, recipient }));
}
