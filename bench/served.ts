import { join } from 'node:path';
import { delegating } from '../src/engine/delegating.ts';
import { grouped } from '../src/store/sqlite/grouped.ts';
import { openSqlite } from '../src/store/sqlite/open.ts';
import { floorDatabase } from './commits/floor.ts';
import { commitMove, MOVES, readItems } from './commits/pair.ts';
import { type Figure, figure, type MeasureOptions, median, quantile } from './figure.ts';
import { addItems, type BenchSession, benchRepository, sessionOf } from './scratch/repository.ts';
import { addRefs, orchestrator, type Serving, serve, type Walked, walk } from './scratch/serving.ts';

const CLIENTS = [1, 4, 16] as const;
/** Steps of each client. */
const STEPS = 60;
const ROUNDS = 7;

/**
 * Steps through a server over HTTP, each durable before its answer, against raw commits of the same rows; and the store's own
 * share, where commits of one turn become durable together.
 */
export async function measure(options: MeasureOptions): Promise<readonly Figure[]> {
  const bench = await benchRepository();
  const session = await sessionOf(bench);
  const floor = floorDatabase(join(bench.repository.root, 'floor.db'));
  let server: Serving | undefined;
  try {
    const token = await orchestrator(session);
    const refs = await addRefs(session, 64);
    const raw = await rawRate(session, floor);
    const figures = [await together(session, raw, options)];
    server = await serve(bench, options.bin);
    await walk([server], token, refs.slice(0, 4), STEPS);
    for (const clients of CLIENTS) {
      const times = await walk([server], token, refs.slice(0, clients), STEPS);
      figures.push(...rated(`served ${clients} clients`, times, raw, options));
    }
    const one = await walk(
      [server],
      token,
      Array.from({ length: 16 }, () => refs[0] ?? ''),
      STEPS / 4,
    );
    figures.push(...rated('served 16 clients, one item', one, raw, options));
    return figures;
  } finally {
    await server?.stop();
    floor.close();
    await session.ports.store.close();
    bench.remove();
  }
}

/** Commits a second of the bare library, one after the other. */
async function rawRate(session: BenchSession, floor: ReturnType<typeof floorDatabase>): Promise<number> {
  const rates: number[] = [];
  for (let n = 0; n < ROUNDS; n++) {
    const block = await readItems(session, await addItems(session, 50));
    let spent = 0;
    for (const move of MOVES) {
      for (let i = 0; i < 50; i++) {
        const rows = await commitMove(session, block, i, move);
        const began = performance.now();
        floor.write(rows);
        spent += performance.now() - began;
      }
    }
    rates.push((50 * MOVES.length * 1_000) / spent);
  }
  return median(rates);
}

/** Sixteen callers at the store itself. */
async function together(session: BenchSession, raw: number, options: MeasureOptions): Promise<Figure> {
  const path = join(session.places.state, 'store.db');
  const own = await openSqlite(path, { mode: 'open', repositoryId: '' });
  const store = delegating<typeof own>(own, { commit: grouped(own) });
  const many = { ...session, ports: { ...session.ports, store } };
  const rates: number[] = [];
  for (let n = 0; n < ROUNDS; n++) {
    const blocks = await Promise.all(
      Array.from({ length: 16 }, async () => readItems(many, await addItems(many, 10))),
    );
    const began = performance.now();
    await Promise.all(
      blocks.map(async (block) => {
        for (const move of MOVES) for (let i = 0; i < 10; i++) await commitMove(many, block, i, move);
      }),
    );
    rates.push((16 * 10 * MOVES.length * 1_000) / (performance.now() - began));
  }
  await own.close();
  const floor = { name: 'raw better-sqlite3, one after the other', value: raw };
  return figure(
    { figure: 'commits together, 16 callers', n: ROUNDS, value: median(rates), unit: '1/s', floor },
    options,
  );
}

function rated(
  name: string,
  { times, rate }: Walked,
  raw: number,
  options: MeasureOptions,
): readonly Figure[] {
  const n = times.length;
  const floor = { name: 'raw better-sqlite3, one after the other', value: raw };
  return [
    figure({ figure: name, n, value: rate, unit: 'steps/s', floor }, options),
    figure({ figure: `${name} p50`, n, value: median(times), unit: 'ms' }, options),
    figure({ figure: `${name} p99`, n, value: quantile(times, 0.99), unit: 'ms' }, options),
  ];
}
