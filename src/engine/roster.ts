import { EMPTY_ROSTER, foldRoster, type Roster } from '../identity/roster.ts';
import type { RosterEvent } from '../identity/roster-event.ts';
import type { StoredEvent } from '../store/store.ts';
import type { Ports } from './ports.ts';
import { eventOf } from './stored.ts';

export const ROSTER = 'roster';

interface RosterRead {
  readonly roster: Roster;
  readonly version: number;
  /** Of the last event that is in it. */
  readonly hash: string;
}

/** What was read last, by store: each run of an agent adds to the roster, and a command asks for it several times. */
const READ = new WeakMap<object, RosterRead>();

/** The people and agents of the repository, and the version they were read at. */
export async function readRoster(ports: Pick<Ports, 'store'>): Promise<{ roster: Roster; version: number }> {
  const { store } = ports;
  const before = READ.get(store);
  const head = await store.head(ROSTER);
  if (before !== undefined && before.version === head.version && before.hash === head.hash) return before;
  const events = await store.read(ROSTER);
  // What was read already is folded on only where the chain goes on from it.
  const goesOn = before !== undefined && events[before.version - 1]?.hash === before.hash;
  const start = goesOn ? before : { roster: EMPTY_ROSTER, version: 0 };
  const roster = foldRoster(eventsFrom(events, start.version), start.roster);
  const now = { roster, version: events.length, hash: events.at(-1)?.hash ?? '' };
  READ.set(store, now);
  return now;
}

/** One after the other: of thousands of runs none has to be kept. */
function* eventsFrom(events: readonly StoredEvent[], start: number): Generator<RosterEvent> {
  for (let n = start; n < events.length; n++) {
    const stored = events[n];
    if (stored !== undefined) yield eventOf<RosterEvent>(stored);
  }
}
