import { verifyChain } from '../attestation/chain.ts';
import type { ItemEvent } from '../kernel/event.ts';
import { fold } from '../kernel/evolve.ts';
import type { Protocol } from '../kernel/protocol.ts';
import type { WorkItem } from '../kernel/work-item.ts';
import type { ItemRow, StoredEvent } from '../store/store.ts';
import { displayId, isCalled, numberOf } from './display.ts';
import { EngineError } from './engine-error.ts';
import { givenUpFor } from './given-up.ts';
import type { Ports } from './ports.ts';
import { protocolOf } from './protocols.ts';
import { eventOf } from './stored.ts';

/** An item as its stream tells it. */
export interface Handle {
  readonly id: string;
  readonly display: string;
  readonly protocol: Protocol;
  readonly item: WorkItem;
  /** Roles that may open work in the place of what it waits for and was given up, by the name of that. */
  readonly openers?: { readonly [item: string]: readonly string[] };
}

export const itemStream = (id: string) => `item/${id}`;

/** The row behind what people write: T-42, TASK-042, 42, or the internal id. Throws NOT_FOUND. */
export async function findRow(ports: Pick<Ports, 'store'>, ref: string): Promise<ItemRow> {
  const number = numberOf(ref);
  const row = number === undefined ? await ports.store.itemById(ref) : await ports.store.itemByNumber(number);
  if (row !== undefined && (number === undefined || isCalled(ref, row.protocol))) return row;
  if (row !== undefined) {
    const is = displayId(row.number, row.protocol);
    throw new EngineError(
      'NOT_FOUND',
      `there is no ${ref}: number ${row.number} is ${is}`,
      `countersign show ${is}`,
    );
  }
  throw new EngineError('NOT_FOUND', `there is no item ${ref}`, 'see what there is: countersign list');
}

/** Reads, checks the chain of the stream, and folds. A view that says otherwise than the log is reported, not believed. */
export async function loadItem(ports: Pick<Ports, 'store'>, ref: string): Promise<Handle> {
  const row = await findRow(ports, ref);
  const handle = await loadById(ports, row.id);
  const { state, version } = handle.item;
  // A row read just before another writer's commit is older than the stream; that is no damage.
  if (row.version > version || (row.version === version && row.state !== state)) {
    const what = `the store shows ${handle.display} as ${row.state}, its log says ${state}`;
    throw new EngineError(
      'DAMAGED',
      `${what}: it was changed behind the engine`,
      'run: countersign audit verify',
    );
  }
  return handle;
}

/** The item of an internal id. Throws NOT_FOUND, DAMAGED. */
export async function loadById(ports: Pick<Ports, 'store'>, id: string): Promise<Handle> {
  const stream = itemStream(id);
  const stored = await ports.store.read(stream);
  const broken = verifyChain(stream, stored);
  if (broken !== undefined) {
    throw new EngineError(
      'DAMAGED',
      `${stream}, event ${broken.version}: ${broken.what}`,
      'run: countersign audit verify',
    );
  }
  return foldHandle(ports, id, stored);
}

/**
 * The same, without checking the chain: for views, which decide nothing. What a view shows is checked by the command
 * that acts on it. Throws NOT_FOUND; DAMAGED only where an event cannot be read.
 */
export async function peekById(ports: Pick<Ports, 'store'>, id: string): Promise<Handle> {
  return foldHandle(ports, id, await ports.store.read(itemStream(id)));
}

async function foldHandle(
  ports: Pick<Ports, 'store'>,
  id: string,
  stored: readonly StoredEvent[],
): Promise<Handle> {
  const events = stored.map((e) => eventOf<ItemEvent>(e));
  const first = events[0];
  if (first?.type !== 'opened') throw new EngineError('NOT_FOUND', `there is no item ${id}`);
  const protocol = await protocolOf(ports, first.protocol);
  const item = fold(protocol, events);
  const handle = { id, display: displayId(item.number, protocol.name), protocol, item };
  const gone = givenUpFor(handle);
  return gone.length === 0 ? handle : { ...handle, openers: await openersOf(ports, gone) };
}

/** The protocol of each decides who opens its follow-up, whatever waits for it. */
async function openersOf(
  ports: Pick<Ports, 'store'>,
  names: readonly string[],
): Promise<NonNullable<Handle['openers']>> {
  const openers: Record<string, readonly string[]> = {};
  for (const name of names) {
    const row = await ports.store.itemByNumber(numberOf(name) ?? 0);
    const [first] = row === undefined ? [] : await ports.store.read(itemStream(row.id));
    const opened = first && eventOf<ItemEvent>(first);
    if (opened?.type === 'opened') openers[name] = (await protocolOf(ports, opened.protocol)).openers;
  }
  return openers;
}
