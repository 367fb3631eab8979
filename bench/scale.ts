import { loadPostgres } from '../src/store/postgres/load.ts';
import { databaseAt, openPostgres } from '../src/store/postgres/open.ts';
import type { ItemQuery, ItemRow, Store, StorePart } from '../src/store/store.ts';
import { type Cluster, startCluster } from '../tests/postgres.ts';
import { type Figure, figure, type MeasureOptions, median } from './figure.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;
const PAGE = 5_000;
const ROUNDS = 300;

/** Where items stand: most are closed, as on a board of years. */
const STATES = [
  { state: 'PENDING', category: 'QUEUED', share: 12 },
  { state: 'IN_PROGRESS', category: 'WORKING', share: 3 },
  { state: 'CLAIMED', category: 'SUBMITTED', share: 2 },
  { state: 'BLOCKED', category: 'REWORK', share: 1 },
  { state: 'COMPLETED', category: 'CLOSED', share: 82 },
];
const PLACES = STATES.flatMap(({ share, ...place }) => Array.from({ length: share }, () => place));

const ALL: ItemQuery = {
  ...{ list: undefined, states: [], categories: [], assignee: undefined, after: 0, limit: 50 },
};

/** What `next`, `list` and a board ask of the store, each on ten thousand items and on a million. */
const QUESTIONS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  next: async (store) => {
    await store.items({ ...ALL, categories: ['QUEUED', 'REWORK'], limit: 20 });
    await store.items({ ...ALL, assignee: 'agent-7', categories: ['WORKING'], limit: 20 });
    await store.due('2026-01-01T00:00:00.000Z', 20);
  },
  list: (store) => store.items({ ...ALL, list: 'list-3' }),
  board: async (store) => {
    await store.tally(undefined);
    for (const { category } of STATES) await store.items({ ...ALL, categories: [category], limit: 25 });
  },
};

/** The same questions at two sizes, in turns; each ratio is that of the medians. */
export async function measure(options: MeasureOptions): Promise<readonly Figure[]> {
  const cluster = startCluster(['max_wal_size=4GB', 'shared_buffers=512MB']);
  try {
    const database = await cluster.database();
    const small = await filled(cluster, database, SMALL);
    const began = performance.now();
    const large = await filled(cluster, database, LARGE);
    const seconds = (performance.now() - began) / 1_000;
    const figures = [
      figure({ figure: 'scale, a million items loaded', n: LARGE, value: seconds, unit: 's' }, options),
    ];
    for (const [name, ask] of Object.entries(QUESTIONS))
      figures.push(await compared(name, ask, small, large, options));
    await small.close();
    await large.close();
    return figures;
  } finally {
    cluster.remove();
  }
}

async function filled(cluster: Cluster, database: string, count: number) {
  const url = `${database}&schema=items_${count}`;
  const store = await openPostgres(url, { mode: 'create', repositoryId: 'r' });
  const loading = databaseAt(url);
  await loadPostgres(loading, 'r', () => generated(count));
  await loading.close();
  await cluster.sql(database, 'VACUUM ANALYZE');
  return store;
}

async function* generated(count: number): AsyncGenerator<StorePart> {
  for (let first = 1; first <= count; first += PAGE) {
    const numbers = Array.from({ length: Math.min(PAGE, count - first + 1) }, (_, n) => first + n);
    const hash = 'a'.repeat(64);
    const body = JSON.stringify({ type: 'opened', data: { title: 'x'.repeat(120) } });
    yield {
      items: numbers.map(itemOf),
      heads: numbers.map((number) => ({ stream: `item/${number}`, version: 1, hash })),
      events: numbers.map((number) => ({
        ...{ stream: `item/${number}`, version: 1, position: number, hash, command: `c-${number}`, body },
      })),
    };
  }
}

/** Spread by a multiplication, so that neighbours stand in different places. */
function itemOf(number: number): ItemRow {
  const spread = (number * 7_919) % 1_000_003;
  const { state, category } = PLACES[spread % PLACES.length] ?? { state: '', category: '' };
  return {
    ...{
      id: `item-${number}`,
      number,
      list: `list-${spread % 5}`,
      kind: 'code',
      protocol: 'two-phase',
      state,
      category,
    },
    ...{
      title: `Implement part ${number}`,
      assignee: spread % 4 === 0 ? `agent-${spread % 9}` : '',
      version: 1,
    },
    updatedAt: '2026-01-01T00:00:00.000Z',
    dueAt: spread % 50 === 0 ? `2026-0${1 + (spread % 9)}-01T00:00:00.000Z` : '',
    ...{ legacy: false, overdueAt: '', failures: 0 },
  };
}

async function compared(
  name: string,
  ask: (store: Store) => Promise<unknown>,
  small: Store,
  large: Store,
  options: MeasureOptions,
): Promise<Figure> {
  const taken = { small: [] as number[], large: [] as number[] };
  for (let n = 0; n < ROUNDS; n += 1) {
    taken.small.push(await timed(() => ask(small)));
    taken.large.push(await timed(() => ask(large)));
  }
  // The first thirty warm up.
  const value = median(taken.large.slice(30));
  const floor = { name: 'with 10,000', value: median(taken.small.slice(30)) };
  return figure(
    {
      figure: `scale, ${name} at 1,000,000 items`,
      n: ROUNDS - 30,
      value,
      unit: 'ms',
      floor,
      goal: 'ratio <= 1.5',
    },
    options,
  );
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
