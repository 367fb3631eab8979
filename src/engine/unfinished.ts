import type { Protocol } from '../kernel/protocol.ts';
import { BUILT_IN } from '../protocols/index.ts';
import type { ItemRow, Tally } from '../store/store.ts';
import { adoptedProtocols } from './adopted-protocols.ts';
import { displayId } from './display.ts';
import type { Ports } from './ports.ts';

/** An item that keeps its list from being finished. */
export interface Unfinished {
  readonly item: string;
  readonly title: string;
  readonly state: string;
  readonly category: string;
}

/** Claims come first: they are what somebody could take for done (2PC-62). */
const URGENCY = [
  'SUBMITTED',
  'CHECKING',
  'REWORK',
  'ESCALATED',
  'ACCEPTED',
  'CONFIRMED',
  'WORKING',
  'QUEUED',
];
const PAGE = 100;

/** What is still open, at most `limit` items; empty when the list is finished. A superseded item is not open. */
export async function unfinished(
  ports: Ports,
  list: string | undefined,
  limit: number,
): Promise<readonly Unfinished[]> {
  const tallies = await ports.store.tally(list);
  const ended = await endedStates(ports, tallies);
  const open = (t: Pick<ItemRow, 'protocol' | 'state'>) => !ended.has(`${t.protocol} ${t.state}`);
  const categories = [...new Set(tallies.filter(open).map((t) => t.category))].filter((c) => c !== 'CLOSED');
  categories.sort((a, b) => place(a) - place(b));
  const found: Unfinished[] = [];
  for (const category of categories) {
    for await (const row of rowsOf(ports, list, category)) {
      if (found.length >= limit) return found;
      if (!open(row)) continue;
      found.push({ item: displayId(row.number, row.protocol), title: row.title, state: row.state, category });
    }
  }
  return found;
}

/** How many items are open, and how many of them are claimed: what is shown of them is cut off. */
export async function countUnfinished(
  ports: Ports,
  list: string | undefined,
): Promise<{ readonly total: number; readonly claimed: number }> {
  const tallies = await ports.store.tally(list);
  const ended = await endedStates(ports, tallies);
  const open = tallies.filter((t) => !ended.has(`${t.protocol} ${t.state}`) && t.category !== 'CLOSED');
  const sum = (counted: readonly Tally[]) => counted.reduce((n, { count }) => n + count, 0);
  return { total: sum(open), claimed: sum(open.filter((t) => t.category === 'SUBMITTED')) };
}

/** What is over in its own protocol: a goal that is verified, a task that was given up. */
async function endedStates(
  ports: Ports,
  tallies: readonly Pick<Tally, 'protocol' | 'state'>[],
): Promise<ReadonlySet<string>> {
  const foreign = tallies.some(({ protocol }) => !Object.hasOwn(BUILT_IN, protocol));
  const own: ReadonlyMap<string, Protocol> = foreign ? await adoptedProtocols(ports) : new Map();
  return new Set(
    tallies.flatMap(({ protocol, state }) => {
      const definition = (own.get(protocol) ?? BUILT_IN[protocol])?.states[state];
      return definition?.final === true || definition?.success === true ? [`${protocol} ${state}`] : [];
    }),
  );
}

async function* rowsOf(ports: Ports, list: string | undefined, category: string): AsyncGenerator<ItemRow> {
  for (let after = 0; ; ) {
    const query = { list, states: [], categories: [category], assignee: undefined, after, limit: PAGE };
    const rows = await ports.store.items(query);
    yield* rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.number ?? 0;
  }
}

const place = (category: string) => {
  const at = URGENCY.indexOf(category);
  return at < 0 ? URGENCY.length : at;
};
