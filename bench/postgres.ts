import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { openPostgres } from '../src/store/postgres/open.ts';
import { bundlePrograms, printed, start } from '../tests/contracts/store-programs.ts';
import { histories } from '../tests/postgres/histories.ts';
import { isLinearizable } from '../tests/postgres/linearizable.ts';
import { type Cluster, startCluster } from '../tests/postgres.ts';
import { type Figure, figure, type MeasureOptions, median, quantile } from './figure.ts';
import { floorOf } from './postgres/floor.ts';
import { drive } from './postgres/load.ts';
import { crashing } from './postgres/restarts.ts';
import { twoServers } from './postgres/servers.ts';

const ROUNDS = 3;
const SECONDS = 3;
const HISTORIES = 300;
const CASES = [
  { figure: 'postgres, 1 client', clients: 1, one: false },
  { figure: 'postgres, 4 clients', clients: 4, one: false },
  { figure: 'postgres, 16 clients', clients: 16, one: false },
  { figure: 'postgres, 16 clients on one item', clients: 16, one: true },
] as const;

interface Bench {
  readonly cluster: Cluster;
  readonly database: string;
  readonly programs: string;
  readonly options: MeasureOptions;
}

/**
 * A real PostgreSQL on this machine, every commit durable. Clients of one process share its transactions, as those of a
 * server do; pgbench runs the statements of a transition as they are, one transaction each. The two take turns.
 */
export async function measure(options: MeasureOptions): Promise<readonly Figure[]> {
  const cluster = startCluster();
  const programs = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    await bundlePrograms(programs, true);
    const bench = { cluster, database: await cluster.database(), programs, options };
    const rates = [];
    for (const one of CASES) rates.push(...(await rated(bench, one)));
    return [
      ...rates,
      ...(await processes(bench)),
      ...(await twoServers(cluster, options)),
      ...(await linearizability(bench)),
      ...(await restarts(bench)),
    ];
  } finally {
    cluster.remove();
    rmSync(programs, { recursive: true });
  }
}

async function rated(
  { cluster, database, options }: Bench,
  { figure: name, clients, one }: (typeof CASES)[number],
): Promise<readonly Figure[]> {
  const schema = `rated_${clients}_${one}`;
  const store = await openPostgres(`${database}&schema=${schema}`, { mode: 'create', repositoryId: 'r' });
  const rounds: { own: number; floor: number }[] = [];
  const taken: number[] = [];
  // The first round warms up: plans, pages, code.
  for (let n = 0; n <= ROUNDS; n += 1) {
    const all = await drive(store, { clients, one, seconds: SECONDS, name: `n${n}` });
    const floor = floorOf(cluster, database, schema, { clients, one, seconds: SECONDS });
    if (n === 0) continue;
    rounds.push({ own: all.length / SECONDS, floor });
    taken.push(...all);
  }
  await store.close();
  const value = median(rounds.map(({ own }) => own));
  const ratio = median(rounds.map(({ own, floor }) => own / floor));
  const floor = { name: 'pgbench', value: value / ratio };
  const n = taken.length;
  const goal = 'ratio >= 0.6';
  return [
    figure({ figure: name, n, value, unit: 'durable transitions/s', floor, goal }, options),
    figure({ figure: `${name}, p50`, n, value: quantile(taken, 0.5), unit: 'ms' }, options),
    figure({ figure: `${name}, p99`, n, value: quantile(taken, 0.99), unit: 'ms' }, options),
  ];
}

/** Sixteen processes of one client each, which share no transaction. */
async function processes({ cluster, database, programs, options }: Bench): Promise<readonly Figure[]> {
  const schema = 'processes';
  const url = `${database}&schema=${schema}`;
  await (await openPostgres(url, { mode: 'create', repositoryId: 'r' })).close();
  const root = { absWorkingDir: options.root, bundle: true, platform: 'node', format: 'esm' } as const;
  await build({
    ...root,
    entryPoints: ['bench/postgres/client.ts'],
    external: ['pg'],
    outfile: join(programs, 'client.mjs'),
  });
  const clients = Array.from({ length: 16 }, (_, n) => start(programs, 'client', url, `p${n}`, `${SECONDS}`));
  await Promise.all(clients.map((client) => printed(client, 1)));
  for (const { child } of clients) child.stdin.write('go\n');
  const taken: number[] = [];
  for (const client of clients) {
    const { end, stderr } = await client.ended;
    if (end !== 0) throw new Error(`a client ended with ${end}: ${stderr}`);
    taken.push(...(JSON.parse(client.lines[1] ?? '[]') as number[]));
  }
  const value = taken.length / SECONDS;
  const floor = {
    name: 'pgbench',
    value: floorOf(cluster, database, schema, { clients: 16, one: false, seconds: SECONDS }),
  };
  const name = 'postgres, 16 processes';
  const n = taken.length;
  return [
    figure({ figure: name, n, value, unit: 'durable transitions/s', floor }, options),
    figure({ figure: `${name}, p99`, n, value: quantile(taken, 0.99), unit: 'ms' }, options),
  ];
}

async function linearizability({ database, programs, options }: Bench): Promise<readonly Figure[]> {
  const url = `${database}&schema=histories`;
  await (await openPostgres(url, { mode: 'create', repositoryId: 'r' })).close();
  const all = await histories(programs, url, HISTORIES);
  const value = all.filter((history) => !isLinearizable(history)).length;
  const name = 'postgres, histories that are not linearizable';
  return [
    figure({ figure: name, n: all.length, value, unit: 'histories of 30', goal: 'value = 0' }, options),
  ];
}

async function restarts({ cluster, database, programs, options }: Bench): Promise<readonly Figure[]> {
  const { answered, lost, doubled, broken } = await crashing(cluster, programs, `${database}&schema=crashes`);
  const of = (name: string, value: number) =>
    figure(
      { figure: `postgres, ten crashes, ${name}`, n: answered, value, unit: 'commits', goal: 'value = 0' },
      options,
    );
  return [of('lost', lost), of('doubled', doubled), of('broken', broken)];
}
