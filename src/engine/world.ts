import { actorsOf, formerActorsOf, type Roster } from '../identity/roster.ts';
import type { World } from '../kernel/context.ts';
import type { Noted } from '../kernel/event.ts';
import type { Protocol } from '../kernel/protocol.ts';
import type { Member } from '../kernel/work-item.ts';
import type { Handle } from './handle.ts';
import type { Ports } from './ports.ts';
import { ROSTER, readRoster } from './roster.ts';
import { eventOf } from './stored.ts';

/** The shared documents, and the versions they were read at: a decision holds only while they stand. */
export interface ReadWorld {
  readonly world: World;
  /** With the tokens, and with who left. */
  readonly roster: Roster;
  readonly readSet: readonly { readonly stream: string; readonly version: number }[];
}

export const listStream = (list: string) => `list/${list}`;

/** The roster, and the item's list where the protocol asks about it. */
export async function readWorld(
  ports: Pick<Ports, 'store'>,
  protocol: Protocol,
  list: string,
): Promise<ReadWorld> {
  const { roster, version } = await readRoster(ports);
  const readSet = [{ stream: ROSTER, version }];
  // Those who left hold no role, but their lineage still counts.
  const people = [...actorsOf(roster), ...formerActorsOf(roster)];
  if (!protocol.groups.includes('list')) return { world: { roster: people, groups: {} }, roster, readSet };
  const notes = await ports.store.read(listStream(list));
  readSet.push({ stream: listStream(list), version: notes.length });
  const members: Record<string, Member> = {};
  for (const stored of notes) {
    const { member, state, category, asked } = eventOf<Noted>(stored);
    members[member] = { state, category, asked };
  }
  return { world: { roster: people, groups: { list: members } }, roster, readSet };
}

/** The shared documents, read once for each list: for views, which decide nothing. */
export function worldsOnce(ports: Ports): (handle: Pick<Handle, 'protocol' | 'item'>) => Promise<World> {
  const read = new Map<string, Promise<World>>();
  return ({ protocol, item }) => {
    const key = `${item.protocol.digest}/${item.list}`;
    const known = read.get(key) ?? readWorld(ports, protocol, item.list).then(({ world }) => world);
    read.set(key, known);
    return known;
  };
}
