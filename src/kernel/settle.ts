import type { World } from './context.ts';
import { decide } from './decide.ts';
import type { Moved } from './event.ts';
import { evolve } from './evolve.ts';
import type { Protocol } from './protocol.ts';
import { unasked } from './standing.ts';
import type { WorkItem } from './work-item.ts';

export interface Settled {
  readonly item: WorkItem;
  readonly events: readonly Moved[];
  /** The table moved the item more often than it has states: a loop, which `protocol check` reports. */
  readonly loop: boolean;
}

/** Takes eventless rows until nothing moves. */
export function settle(protocol: Protocol, item: WorkItem, world: World, at: string): Settled {
  const command = unasked(at);
  const events: Moved[] = [];
  let current = item;
  if (!protocol.rows.some((row) => row.command === '')) return { item, events, loop: false };
  for (let n = 0; n <= Object.keys(protocol.states).length; n++) {
    const decision = decide(protocol, current, command, world);
    if (decision.kind === 'refused') return { item: current, events, loop: false };
    for (const event of decision.events) {
      current = evolve(protocol, current, event);
      events.push(event);
    }
  }
  return { item: current, events, loop: true };
}
