import { foldRoster, type Roster } from '../identity/roster.ts';
import type { RosterEvent } from '../identity/roster-event.ts';
import type { Ports } from './ports.ts';
import { eventOf } from './stored.ts';

export const ROSTER = 'roster';

/** The people and agents of the repository, and the version they were read at. */
export async function readRoster(ports: Pick<Ports, 'store'>): Promise<{ roster: Roster; version: number }> {
  const events = await ports.store.read(ROSTER);
  return { roster: foldRoster(events.map((e) => eventOf<RosterEvent>(e))), version: events.length };
}
