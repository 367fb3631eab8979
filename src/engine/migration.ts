import type { Facts, Linked, Opened, ProtocolRef } from '../kernel/event.ts';
import type { WorkItem } from '../kernel/work-item.ts';
import type { Handle } from './handle.ts';
import { refOf } from './protocols.ts';

/** A table as it is named in the log of a move: what it is called, and which one it was. */
type Table = { readonly [name in keyof ProtocolRef]: string };

/** What the first event of a moved item says of the one whose place it took. */
export interface Origin {
  readonly item: string;
  readonly uuid: string;
  readonly protocol: Table;
  readonly state: string;
  readonly reason: string;
  /** Where what passed for that one began: what nobody relies on any more is there to be claimed anew. */
  readonly base?: string;
}

/** The fact under which a new item remembers where it came from. */
export const originFact = ({ id, display, item }: Handle, reason: string, base: string): Facts => ({
  migrated_from: {
    ...{ item: display, uuid: id, protocol: { ...item.protocol }, state: item.state, reason },
    ...(base === '' ? {} : { base }),
  },
});

/** Where an item came from, undefined for one that was opened anew. */
export function originOf({ facts }: Pick<WorkItem | Opened, 'facts'>): Origin | undefined {
  const from = facts.migrated_from;
  // Early stores kept no more than the number that people call it by.
  return typeof from === 'object' && from !== null ? (from as unknown as Origin) : undefined;
}

/** What became of an item: the one that took its place, and where another table is why, from which to which. */
export interface Successor {
  readonly item: string;
  readonly from?: Table;
  readonly to?: Table;
  readonly reason?: string;
}

/** The event on the old item: who took its place, under which table, and why. */
export function movedTo(old: Handle, created: Handle, at: string, reason: string): Linked {
  const { openedBy: by } = created.item;
  const facts = { from: { ...old.item.protocol }, to: { ...refOf(created.protocol) }, reason };
  return { type: 'linked', at, by, kind: 'superseded-by', to: created.display, facts };
}

/** The item that took the place of this one, undefined where none did. */
export function successorTo({ links }: Pick<WorkItem, 'links'>): Successor | undefined {
  const link = links.find(({ kind }) => kind === 'superseded-by');
  return link && { item: link.to, ...(link.facts as Omit<Successor, 'item'> | undefined) };
}

const named = ({ name, version }: Table) => `${name} ${version}`;

/** Where an item came from and where it went, in words; empty where it did neither. */
export function placeLines(item: WorkItem): readonly string[] {
  const [from, to] = [originOf(item), successorTo(item)];
  const because = (reason: string | undefined) => (reason ? `, because: ${reason}` : '');
  return [
    ...(from === undefined
      ? []
      : [`took the place of ${from.item} (${named(from.protocol)}, ${from.state})${because(from.reason)}`]),
    ...(to === undefined ? [] : [`replaced by ${to.item}${tables(to)}${because(to.reason)}`]),
  ];
}

const tables = ({ from, to }: Successor) =>
  from === undefined || to === undefined ? '' : ` (from ${named(from)} to ${named(to)})`;

/** The same as data. */
export function placeData(item: WorkItem) {
  const [from, to] = [originOf(item), successorTo(item)];
  return {
    ...(from === undefined ? {} : { migrated_from: from }),
    ...(to?.to === undefined ? {} : { migrated_to: to }),
  };
}
