import { spawnSync } from 'node:child_process';
import type { Cluster } from '../../tests/postgres.ts';
import { type Figure, figure, type MeasureOptions, median, quantile } from '../figure.ts';
import { type Bench, benchRepository, sessionOf } from '../scratch/repository.ts';
import { addRefs, orchestrator, type Serving, serve, type Walked, walk } from '../scratch/serving.ts';

const CLIENTS = 16;
/** Steps of each client in a round. */
const STEPS = 60;
const ROUNDS = 5;

/**
 * Sixteen clients over HTTP through one server, and through two on the same database, eight at each. The two ways take
 * turns, both servers run all the time, and no item is walked twice, whose stream would be longer the second time.
 */
export async function twoServers(cluster: Cluster, options: MeasureOptions): Promise<readonly Figure[]> {
  const bench = await benchRepository();
  const servers: Serving[] = [];
  try {
    moveStore(bench, options.bin, await cluster.database());
    const session = await sessionOf(bench);
    const token = await orchestrator(session);
    const refs = await addRefs(session, 2 * CLIENTS * (ROUNDS + 1));
    await session.ports.store.close();
    for (let n = 0; n < 2; n += 1) servers.push(await serve(bench, options.bin));
    const rounds: { one: Walked; two: Walked }[] = [];
    for (let n = 0; n <= ROUNDS; n += 1) {
      const fresh = (way: number) => refs.slice((2 * n + way) * CLIENTS, (2 * n + way + 1) * CLIENTS);
      // Each server is the one alone in its turn.
      const alone = servers.slice(n % 2, (n % 2) + 1);
      const one = await walk(alone, token, fresh(0), STEPS);
      const two = await walk(servers, token, fresh(1), STEPS);
      // The first round warms up: plans, pages, code.
      if (n > 0) rounds.push({ one, two });
    }
    return compared(rounds, options);
  } finally {
    for (const server of servers) await server.stop();
    bench.remove();
  }
}

/** From then on the store of the repository is the database. */
function moveStore({ top, env }: Bench, bin: string, url: string): void {
  const words = [bin, 'store', 'copy', '--to', url, '--use'];
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: top, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`store copy ended with ${status}: ${stderr}`);
}

function compared(
  rounds: readonly { readonly one: Walked; readonly two: Walked }[],
  options: MeasureOptions,
): readonly Figure[] {
  const rate = {
    one: median(rounds.map(({ one }) => one.rate)),
    two: median(rounds.map(({ two }) => two.rate)),
  };
  const ratio = median(rounds.map(({ one, two }) => two.rate / one.rate));
  const floor = { name: 'one server', value: rate.two / ratio };
  const rated = (name: string, all: readonly Walked[], own: Pick<Figure, 'value' | 'floor'>) => {
    const times = all.flatMap((walked) => walked.times);
    const n = times.length;
    return [
      figure({ figure: name, n, ...own, unit: 'steps/s' }, options),
      figure({ figure: `${name}, p50`, n, value: quantile(times, 0.5), unit: 'ms' }, options),
      figure({ figure: `${name}, p99`, n, value: quantile(times, 0.99), unit: 'ms' }, options),
    ];
  };
  const one = rounds.map((round) => round.one);
  const two = rounds.map((round) => round.two);
  return [
    ...rated('postgres, one server, 16 clients', one, { value: rate.one, floor: null }),
    ...rated('postgres, two servers, 16 clients', two, { value: rate.two, floor }),
  ];
}
