import type { StoredEvent } from '../../store/store.ts';
import type { Ports } from '../ports.ts';

const PAGE = 2_000;

/** How far a reading of the log has come. It begins below every position, because a forged one may be negative. */
export interface LogReading {
  position: number;
  events: number;
}

/** Reads on to the end of the log, in pages; `see` gets every event in the order of positions. */
export async function readLog(
  ports: Pick<Ports, 'store'>,
  reading: LogReading,
  see: (event: StoredEvent) => void,
): Promise<void> {
  for (;;) {
    const page = await ports.store.events(reading.position, PAGE);
    for (const event of page) {
      reading.events += 1;
      see(event);
    }
    const last = page.at(-1)?.position ?? reading.position;
    // A position that no longer fits a number could hold the reading up for ever.
    const stuck = last <= reading.position;
    reading.position = last;
    if (page.length < PAGE || stuck) return;
  }
}
