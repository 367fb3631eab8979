import type { ItemEvent } from '../kernel/event.ts';
import { evolve } from '../kernel/evolve.ts';
import type { Append, Fence, Link, NewJob } from '../store/store.ts';
import type { Handle } from './handle.ts';
import { later } from './later.ts';

/** One item inside a write: what it was, what happened to it, what it became. */
export interface Touched {
  readonly handle: Handle;
  readonly expected: number;
  readonly events: readonly ItemEvent[];
}

/** A write in the making: events of one item, and whatever they cause elsewhere, in one commit. */
export interface Draft {
  readonly commandId: string;
  readonly at: string;
  readonly touched: Map<string, Touched>;
  readonly documents: Append[];
  readonly links: Link[];
  readonly jobs: NewJob[];
  readonly fences: Fence[];
  readonly readSet: { readonly stream: string; readonly version: number }[];
}

export function draft(commandId: string, at: string): Draft {
  return { commandId, at, touched: new Map(), documents: [], links: [], jobs: [], fences: [], readSet: [] };
}

/**
 * Adds events to an item of the draft. Answers the item as it stands now. The time of an item never goes back, even where
 * the clock of the machine did (LIFE-109).
 */
export function touch(write: Draft, handle: Handle, events: readonly ItemEvent[]): Handle {
  const before = write.touched.get(handle.id) ?? { handle, expected: handle.item.version, events: [] };
  const { updatedAt } = before.handle.item;
  const timed = events.map((event) => ({ ...event, at: later(event.at, updatedAt) }));
  const item = timed.reduce((i, e) => evolve(handle.protocol, i, e), before.handle.item);
  const after: Touched = { ...before, handle: { ...handle, item }, events: [...before.events, ...timed] };
  write.touched.set(handle.id, after);
  return after.handle;
}
