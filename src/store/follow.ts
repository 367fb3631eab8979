import { setTimeout as delay } from 'node:timers/promises';
import type { StoredEvent } from './store.ts';

const PAGE = 256;
const PAUSE_MS = 50;

/**
 * Yields every event after a position once and in order, and asks again while there is none, until aborted or
 * until `page` answers undefined. Positions appear in order because writers take turns, so none is overtaken.
 */
export async function* followPages(
  page: (after: number, limit: number) => Promise<readonly StoredEvent[] | undefined>,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<StoredEvent, void, undefined> {
  let position = after;
  while (!signal.aborted) {
    const events = await page(position, PAGE);
    if (!events) return;
    for (const event of events) {
      if (signal.aborted) return;
      position = event.position;
      yield event;
    }
    if (events.length === 0) await pause(signal);
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  try {
    await delay(PAUSE_MS, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
