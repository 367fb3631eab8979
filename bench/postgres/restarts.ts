import { setTimeout as delay } from 'node:timers/promises';
import { verifyChain } from '../../src/attestation/chain.ts';
import { openPostgres } from '../../src/store/postgres/open.ts';
import { printed, start } from '../../tests/contracts/store-programs.ts';
import type { Cluster } from '../../tests/postgres.ts';

const CRASHES = 10;
const CLIENTS = 16;

export interface Survived {
  readonly answered: number;
  /** Commits that were answered and are not there. */
  readonly lost: number;
  /** Commits that are there more than once. */
  readonly doubled: number;
  /** Streams whose chain is broken, and whatever else the store finds wrong with itself. */
  readonly broken: number;
}

/** Sixteen client processes, and a server that crashes ten times while they write. Every one of them must end well. */
export async function crashing(cluster: Cluster, programs: string, url: string): Promise<Survived> {
  await (await openPostgres(url, { mode: 'create', repositoryId: 'r' })).close();
  const clients = Array.from({ length: CLIENTS }, (_, n) => start(programs, 'write', url, `${n + 1}`, '150'));
  for (let crash = 1; crash <= CRASHES; crash += 1) {
    await Promise.all(clients.map((client) => printed(client, crash * 10)));
    cluster.crash();
    await delay(100);
    cluster.start();
  }
  for (const { ended } of clients) {
    const { end, stderr } = await ended;
    if (end !== 0) throw new Error(`a client ended with ${end}: ${stderr}`);
  }
  const answered = clients.flatMap(({ lines }) => lines);
  const store = await openPostgres(url, { mode: 'open', repositoryId: 'r' });
  const bodies = (await store.events(0, 10_000_000)).map(({ body }) => body).filter((body) => body !== '{}');
  const there = new Set(bodies);
  let broken = (await store.integrity()).length;
  for (const { stream } of await store.heads('', 1_000)) {
    if (verifyChain(stream, await store.read(stream)) !== undefined) broken += 1;
  }
  await store.close();
  const lost = answered.filter((id) => !there.has(id)).length;
  return { answered: answered.length, lost, doubled: bodies.length - there.size, broken };
}
