import { actorsOf, EMPTY_ROSTER, foldRoster, formerActorsOf, type Roster } from '../../identity/roster.ts';
import type { RosterEvent } from '../../identity/roster-event.ts';
import type { World } from '../../kernel/context.ts';
import type { Noted } from '../../kernel/event.ts';
import type { Protocol } from '../../kernel/protocol.ts';
import type { Member } from '../../kernel/work-item.ts';

/** The shared documents as they stood at any position of the log: what a decision of that time could read. */
export interface WorldHistory {
  addRoster(position: number, event: RosterEvent): void;
  addList(position: number, list: string, note: Noted): void;
  at(position: number, protocol: Protocol, list: string): World;
  roster(): Roster;
}

interface Told {
  readonly positions: number[];
  readonly notes: Noted[];
}

/** Snapshots of lists that are kept; items that follow each other ask about almost the same moments. */
const SNAPSHOTS = 500;

export function worldHistory(): WorldHistory {
  const positions: number[] = [];
  const people: World['roster'][] = [];
  const lists = new Map<string, Told>();
  const snapshots = new Map<string, { readonly [id: string]: Member }>();
  let roster = EMPTY_ROSTER;
  return {
    roster: () => roster,
    addRoster(position, event) {
      roster = foldRoster([event], roster);
      positions.push(position);
      people.push([...actorsOf(roster), ...formerActorsOf(roster)]);
    },
    addList(position, list, note) {
      const told = lists.get(list) ?? { positions: [], notes: [] };
      lists.set(list, told);
      told.positions.push(position);
      told.notes.push(note);
    },
    at(position, protocol, list) {
      const actors = people[before(positions, position) - 1] ?? [];
      const told = lists.get(list);
      if (!protocol.groups.includes('list')) return { roster: actors, groups: {} };
      if (told === undefined) return { roster: actors, groups: { list: {} } };
      const count = before(told.positions, position);
      const key = `${count} ${list}`;
      const members = snapshots.get(key) ?? membersOf(told.notes.slice(0, count));
      if (snapshots.size > SNAPSHOTS) snapshots.clear();
      snapshots.set(key, members);
      return { roster: actors, groups: { list: members } };
    },
  };
}

/** How many of the sorted positions lie before this one. */
function before(positions: readonly number[], position: number): number {
  let [low, high] = [0, positions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((positions[middle] ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function membersOf(notes: readonly Noted[]): { readonly [id: string]: Member } {
  const members: Record<string, Member> = {};
  for (const { member, state, category, asked } of notes) members[member] = { state, category, asked };
  return members;
}
