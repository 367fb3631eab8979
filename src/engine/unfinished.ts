import type { ItemRow } from '../store/store.ts';
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
const URGENCY = ['SUBMITTED', 'CHECKING', 'REWORK', 'CONFIRMED', 'WORKING', 'QUEUED'];
const PAGE = 100;

/** What is still open, at most `limit` items; empty when the list is finished. A superseded item is not open. */
export async function unfinished(
  ports: Ports,
  list: string | undefined,
  limit: number,
): Promise<readonly Unfinished[]> {
  const tallies = await ports.store.tally(list);
  const categories = [...new Set(tallies.map((t) => t.category))].filter((c) => c !== 'CLOSED');
  categories.sort((a, b) => place(a) - place(b));
  const open: Unfinished[] = [];
  for (const category of categories) {
    for await (const row of rowsOf(ports, list, category)) {
      if (open.length >= limit) return open;
      open.push({ item: displayId(row.number, row.protocol), title: row.title, state: row.state, category });
    }
  }
  return open;
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
