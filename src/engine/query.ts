import type { Actor } from '../kernel/actor.ts';
import type { World } from '../kernel/context.ts';
import type { ItemEvent } from '../kernel/event.ts';
import type { Option } from '../kernel/guidance.ts';
import type { Protocol } from '../kernel/protocol.ts';
import { CATEGORIES } from '../kernel/protocol.ts';
import { BUILT_IN } from '../protocols/index.ts';
import type { ItemQuery, ItemRow, StoredEvent, Tally } from '../store/store.ts';
import { adoptedProtocols } from './adopted-protocols.ts';
import { EngineError } from './engine-error.ts';
import { type Handle, itemStream, loadById, loadItem } from './handle.ts';
import type { Ports } from './ports.ts';
import { type RefusalEvent, refusalStream } from './refuse.ts';
import { eventOf } from './stored.ts';
import { waysOn } from './ways.ts';
import { wordsFirst } from './words-first.ts';
import { readWorld } from './world.ts';

export interface Shown {
  readonly handle: Handle;
  readonly options: readonly Option[];
  readonly dependsOn: readonly string[];
  readonly world: World;
}

export async function show(ports: Ports, actor: Actor, ref: string): Promise<Shown> {
  const handle = await loadItem(ports, ref);
  const { world } = await readWorld(ports, handle.protocol, handle.item.list);
  const options = waysOn(handle, actor, world, await wordsFirst(ports, handle, world));
  return { handle, options, world, dependsOn: Object.keys(handle.item.members.dependencies ?? {}) };
}

export interface Listed {
  readonly rows: readonly ItemRow[];
  /** Number to continue after; 0 when this is the end. */
  readonly next: number;
  readonly progress: Progress;
  /** Those of the page that another item took the place of, by their internal ids: they are not open any more. */
  readonly replaced: ReadonlySet<string>;
}

/**
 * Done means the protocol's own success; a claim never counts (2PC-09). Old, unproved work stands beside. What
 * another item has replaced is neither done nor still to be done: `total` leaves it out.
 */
export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly legacy: number;
  readonly superseded: number;
  readonly byState: { readonly [state: string]: number };
}

/** Throws BAD_INPUT for a state that no protocol has: misspelt, it must not read as "there is none" (2PC-13). */
export async function list(ports: Ports, query: ItemQuery): Promise<Listed> {
  const states = await statesNamed(ports, query.states);
  assertCategories(query.categories);
  const rows = await wholeItems(ports, { ...query, states, limit: query.limit + 1 });
  const page = rows.slice(0, query.limit);
  const next = rows.length > query.limit ? (page.at(-1)?.number ?? 0) : 0;
  const replaced = await replacedOf(ports, page);
  return { rows: page, next, progress: await progress(ports, await ports.store.tally(query.list)), replaced };
}

/** Reviews, reviewers and runs of agents are parts of their phase: nobody's list of what there is to do. */
const PARTS: ReadonlySet<string> = new Set(['review', 'reviewer', 'agent-run']);

/** Rows of a query without those parts; further pages are read where a page holds some. */
async function wholeItems(ports: Ports, query: ItemQuery): Promise<readonly ItemRow[]> {
  const found: ItemRow[] = [];
  for (let { after } = query; ; ) {
    const page = await ports.store.items({ ...query, after });
    found.push(...page.filter(({ protocol }) => !PARTS.has(protocol)));
    if (found.length >= query.limit || page.length < query.limit) return found.slice(0, query.limit);
    after = page.at(-1)?.number ?? after;
  }
}

/** Closed rows in a state that is not closed of itself. */
async function replacedOf(ports: Ports, rows: readonly ItemRow[]): Promise<ReadonlySet<string>> {
  const closed = rows.filter(({ category }) => category === 'CLOSED');
  const own = await ownOf(ports, closed);
  const isItself = ({ protocol, state }: ItemRow) =>
    (own.get(protocol) ?? BUILT_IN[protocol])?.states[state]?.category === 'CLOSED';
  return new Set(closed.filter((row) => !isItself(row)).map(({ id }) => id));
}

/** The project's own protocols, read only where an item follows one. */
async function ownOf(
  ports: Ports,
  followers: readonly Pick<ItemRow, 'protocol'>[],
): Promise<ReadonlyMap<string, Protocol>> {
  const foreign = followers.some(({ protocol }) => !Object.hasOwn(BUILT_IN, protocol));
  return foreign ? adoptedProtocols(ports) : new Map();
}

function assertCategories(asked: readonly string[]): void {
  const unknown = asked.filter((category) => !(CATEGORIES as readonly string[]).includes(category));
  if (unknown.length === 0) return;
  throw new EngineError(
    'BAD_INPUT',
    `there is no category ${unknown.join(', ')}`,
    `known: ${CATEGORIES.join(', ')}`,
  );
}

/** States as protocols spell them, however they are typed: `active` are those of both spellings. */
async function statesNamed(ports: Ports, asked: readonly string[]): Promise<readonly string[]> {
  if (asked.length === 0) return [];
  const used = (await ports.store.tally(undefined)).map((t) => t.state);
  const known = new Set([...Object.values(BUILT_IN).flatMap((p) => Object.keys(p.states)), ...used]);
  const spelt = new Map(asked.map((name) => [name, [...known].filter((state) => isSame(state, name))]));
  const unknown = asked.filter((name) => spelt.get(name)?.length === 0);
  if (unknown.length === 0) return [...spelt.values()].flat();
  throw new EngineError(
    'BAD_INPUT',
    `there is no state ${unknown.join(', ')}`,
    `known: ${[...known].join(', ')}`,
  );
}

const isSame = (state: string, name: string) => state.toLowerCase() === name.toLowerCase();

/** How far the items are that were counted. */
export async function progress(ports: Ports, tallies: readonly Tally[]): Promise<Progress> {
  const own = await ownOf(ports, tallies);
  const byState: Record<string, number> = {};
  const sum = { done: 0, total: 0, legacy: 0, superseded: 0 };
  for (const { protocol, state, category, legacy, count } of tallies) {
    if (PARTS.has(protocol)) continue;
    const success = isSuccess(own.get(protocol) ?? BUILT_IN[protocol], state);
    if (category === 'CLOSED' && !success) {
      sum.superseded += count;
      continue;
    }
    byState[state] = (byState[state] ?? 0) + count;
    sum.total += count;
    if (legacy) sum.legacy += count;
    else if (success) sum.done += count;
  }
  return { ...sum, byState };
}

const isSuccess = (protocol: Protocol | undefined, state: string): boolean =>
  protocol?.states[state]?.success === true;

export interface LogLine {
  readonly stored: StoredEvent;
  readonly event: ItemEvent | RefusalEvent;
}

/** What happened to an item and what was refused, in the order of the log. */
export async function timeline(
  ports: Ports,
  ref: string,
): Promise<{ readonly handle: Handle; readonly lines: readonly LogLine[] }> {
  const handle = await loadItem(ports, ref);
  const own = await ports.store.read(itemStream(handle.id));
  const refused = await ports.store.read(refusalStream(handle.id));
  const lines = [...own, ...refused]
    .sort((a, b) => a.position - b.position)
    .map((stored) => ({ stored, event: eventOf<ItemEvent | RefusalEvent>(stored) }));
  return { handle, lines };
}

/** The item behind a row, for views that need more than the row. */
export const loadRow = (ports: Ports, row: ItemRow): Promise<Handle> => loadById(ports, row.id);
