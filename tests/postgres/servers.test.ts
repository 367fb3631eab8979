import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildProgram, type Program } from '../cli/program.ts';
import { bundlePrograms, start } from '../contracts/store-programs.ts';
import { type Cluster, startCluster } from '../postgres.ts';
import { authorizationOf, type Server, startServer } from '../served/server.ts';
import { OWNER, openSession, type Session } from '../session.ts';

const CLIENTS = 16;
const ITEMS = 20;
const CRASHES = 10;

let cluster: Cluster;
let program: Program;
let session: Session;
let folder: string;
let servers: readonly Server[] = [];
beforeAll(async () => {
  cluster = startCluster();
  program = buildProgram();
  session = await openSession();
  folder = mkdtempSync(join(tmpdir(), 'countersign-asking-'));
  await bundlePrograms(folder, true);
  const copied = await session.say('', 'store', 'copy', '--to', await cluster.database(), '--use');
  expect(copied.code).toBe(0);
  servers = [await startServer(program, session), await startServer(program, session)];
});
afterAll(async () => {
  for (const server of servers) await server.stop('SIGKILL');
  cluster?.remove();
  program?.remove();
  session?.close();
  rmSync(folder, { recursive: true });
});

test('two servers and sixteen clients lose and double nothing while PostgreSQL crashes ten times', async () => {
  const urls = servers.map(({ url }) => url).join(',');
  const authorization = await authorizationOf(session, 'orchestrator', OWNER);
  const clients = Array.from({ length: CLIENTS }, (_, n) =>
    start(folder, 'ask', urls, authorization, `c${n}`, String(ITEMS)),
  );
  const answered = () => clients.flatMap(({ lines }) => lines);
  let over = false;
  const ended = Promise.all(clients.map((client) => client.ended)).finally(() => {
    over = true;
  });
  let crashes = 0;
  for (let crash = 1; crash <= CRASHES; crash += 1) {
    while (!over && answered().length < (crash * CLIENTS * ITEMS) / (CRASHES + 2)) await delay(20);
    if (over) break;
    crashes += 1;
    cluster.crash();
    await delay(50);
    cluster.start();
  }
  for (const one of await ended) expect(one).toEqual({ end: 0, stderr: '' });
  expect(crashes).toBe(CRASHES);
  expect(answered()).toHaveLength(CLIENTS * ITEMS);
  const titles = await session.with(async ({ ports }) => {
    const query = { list: undefined, states: [], categories: [], assignee: undefined, after: 0 };
    return (await ports.store.items({ ...query, limit: 1_000 })).map(({ title }) => title);
  });
  expect(titles.toSorted()).toEqual(answered().toSorted());
  for (const server of servers) expect(await server.stop()).toBe(0);
  expect((await session.say('', 'audit', 'verify')).code).toBe(0);
});
