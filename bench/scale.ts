import { join } from 'node:path';
import { next } from '../src/engine/next.ts';
import type { Ports } from '../src/engine/ports.ts';
import { list } from '../src/engine/query.ts';
import { partsOf } from '../src/engine/store-copy.ts';
import { loadPostgres } from '../src/store/postgres/load.ts';
import { databaseAt, openPostgres } from '../src/store/postgres/open.ts';
import { loadSqlite } from '../src/store/sqlite/load.ts';
import { openSqlite } from '../src/store/sqlite/open.ts';
import type { ItemQuery, ItemRow, StorePart } from '../src/store/store.ts';
import { type Cluster, startCluster } from '../tests/postgres.ts';
import { type Figure, figure, type MeasureOptions, median } from './figure.ts';
import { addItems, type BenchSession, benchRepository, sessionOf } from './scratch/repository.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;
/** Items that the engine opened itself: those that it looks into. */
const REAL = 60;
const PAGE = 5_000;
const ROUNDS = 300;

/** Where the others stand: most are closed, as on a board of years. */
const STATES = [
  { state: 'pending', category: 'QUEUED', share: 18 },
  { state: 'completed', category: 'CLOSED', share: 82 },
];
const PLACES = STATES.flatMap(({ share, ...place }) => Array.from({ length: share }, () => place));

const ALL: ItemQuery = {
  ...{ list: undefined, states: [], categories: [], assignee: undefined, after: 0, limit: 50 },
};

/** What the commands ask of the engine: `next`, a page of `list`, and a board of a page for each category. */
const QUESTIONS: Readonly<Record<string, (asked: Asked) => Promise<unknown>>> = {
  next: ({ ports, caller }) => next(ports, caller.actor, undefined),
  list: ({ ports }) => list(ports, ALL),
  board: async ({ ports }) => {
    for (const { category } of STATES) await list(ports, { ...ALL, categories: [category], limit: 25 });
  },
};

type Asked = Pick<BenchSession, 'ports' | 'caller'>;

/** One kind of store, made from parts and opened. */
type Made = (name: string, parts: () => AsyncIterable<StorePart>) => Promise<Ports['store']>;

/** The same questions at two sizes, in turns, on both kinds of store; each ratio is that of the medians. */
export async function measure(options: MeasureOptions): Promise<readonly Figure[]> {
  const cluster = startCluster(['max_wal_size=4GB', 'shared_buffers=512MB']);
  const bench = await benchRepository();
  try {
    const session = await sessionOf(bench);
    await addItems(session, REAL);
    const figures = [];
    const kinds = { SQLite: inFiles(bench.repository.root), PostgreSQL: await inDatabase(cluster) };
    for (const [kind, made] of Object.entries(kinds))
      figures.push(...(await comparedIn(kind, made, session, options)));
    await session.ports.store.close();
    return figures;
  } finally {
    cluster.remove();
    bench.remove();
  }
}

const inFiles =
  (folder: string): Made =>
  async (name, parts) => {
    const path = join(folder, `${name}.db`);
    await loadSqlite(path, 'r', parts);
    return openSqlite(path, { mode: 'open', repositoryId: 'r' });
  };

async function inDatabase(cluster: Cluster): Promise<Made> {
  const database = await cluster.database();
  return async (name, parts) => {
    const url = `${database}&schema=${name}`;
    const store = await openPostgres(url, { mode: 'create', repositoryId: 'r' });
    const loading = databaseAt(url);
    await loadPostgres(loading, 'r', parts);
    await loading.close();
    await cluster.sql(database, 'VACUUM ANALYZE');
    return store;
  };
}

async function comparedIn(
  kind: string,
  made: Made,
  session: BenchSession,
  options: MeasureOptions,
): Promise<readonly Figure[]> {
  const small = await made(`items_${SMALL}`, () => generated(session, SMALL));
  const began = performance.now();
  const large = await made(`items_${LARGE}`, () => generated(session, LARGE));
  const value = (performance.now() - began) / 1_000;
  const name = `scale, ${kind}, a million items loaded`;
  const figures = [figure({ figure: name, n: LARGE, value, unit: 's' }, options)];
  const over = (store: Ports['store']): Asked => ({ ...session, ports: { ...session.ports, store } });
  for (const [question, ask] of Object.entries(QUESTIONS)) {
    const asked = { small: () => ask(over(small)), large: () => ask(over(large)) };
    figures.push(await compared(`scale, ${kind}, ${question} at 1,000,000 items`, asked, options));
  }
  await small.close();
  await large.close();
  return figures;
}

/** The store of a real project with a few items, and behind them rows of many more that nobody looks into. */
async function* generated({ ports: { store } }: BenchSession, count: number): AsyncGenerator<StorePart> {
  const before = await store.eventCount();
  yield* partsOf(store);
  for (let first = REAL + 1; first <= count; first += PAGE) {
    const numbers = Array.from({ length: Math.min(PAGE, count - first + 1) }, (_, n) => first + n);
    const hash = 'a'.repeat(64);
    const body = JSON.stringify({ type: 'opened', data: { title: 'x'.repeat(120) } });
    yield {
      items: numbers.map(itemOf),
      heads: numbers.map((number) => ({ stream: `item/${number}`, version: 1, hash })),
      events: numbers.map((number) => ({
        ...{ stream: `item/${number}`, version: 1, position: before + number - REAL, hash },
        ...{ command: `c-${number}`, body },
      })),
    };
  }
}

/** Spread by a multiplication, so that neighbours stand in different places. */
function itemOf(number: number): ItemRow {
  const spread = (number * 7_919) % 1_000_003;
  const { state, category } = PLACES[spread % PLACES.length] ?? { state: '', category: '' };
  return {
    ...{ id: `item-${number}`, number, list: `list-${spread % 5}`, kind: 'code', protocol: 'two-phase' },
    ...{ state, category },
    title: `Implement part ${number}`,
    assignee: spread % 4 === 0 ? `agent-${spread % 9}` : '',
    version: 1,
    updatedAt: '2026-01-01T00:00:00.000Z',
    dueAt: spread % 50 === 0 ? `2026-0${1 + (spread % 9)}-01T00:00:00.000Z` : '',
    ...{ legacy: false, overdueAt: '', failures: 0 },
  };
}

async function compared(
  name: string,
  ask: { readonly small: () => Promise<unknown>; readonly large: () => Promise<unknown> },
  options: MeasureOptions,
): Promise<Figure> {
  const taken = { small: [] as number[], large: [] as number[] };
  for (let n = 0; n < ROUNDS; n += 1) {
    taken.small.push(await timed(ask.small));
    taken.large.push(await timed(ask.large));
  }
  // The first thirty warm up.
  const value = median(taken.large.slice(30));
  const floor = { name: 'with 10,000', value: median(taken.small.slice(30)) };
  const n = ROUNDS - 30;
  return figure({ figure: name, n, value, unit: 'ms', floor, goal: 'ratio <= 1.5' }, options);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
