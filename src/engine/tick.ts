import type { Elapsed } from '../kernel/event.ts';
import { elapsedEvents } from '../kernel/timeouts.ts';
import { draft, touch } from './draft.ts';
import { loadById } from './handle.ts';
import { nowOf, type Ports } from './ports.ts';
import { complete } from './transaction.ts';
import { readWorld } from './world.ts';

/** A threshold that passed, on the item that it belongs to. */
export interface Told {
  readonly item: string;
  readonly title: string;
  readonly event: Elapsed;
}

const AT_ONCE = 200;

/**
 * Records the thresholds of allowances that have passed and were not told yet. It moves nothing (LIFE-82). Whoever wakes
 * the engine next does it for a time when nobody was there: the event says when the threshold passed (LIFE-113). An item
 * that somebody writes at the same moment records its own.
 */
export async function tick(ports: Ports, limit = AT_ONCE): Promise<readonly Told[]> {
  const now = nowOf(ports);
  const told: Told[] = [];
  for (const row of await ports.store.due(now, limit)) {
    const handle = await loadById(ports, row.id);
    const events = elapsedEvents(handle.protocol, handle.item, now);
    const write = draft(ports.newId(), now);
    touch(write, handle, events);
    const { world } = await readWorld(ports, handle.protocol, handle.item.list);
    const { kind } = await ports.store.commit(await complete(ports, write, world));
    if (kind !== 'committed') continue;
    told.push(...events.map((event) => ({ item: handle.display, title: handle.item.title, event })));
  }
  return told;
}
