import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres } from '../../src/store/postgres/open.ts';
import type { Store, StoredEvent } from '../../src/store/store.ts';
import { bundlePrograms, killAfter, type Program, printed, start } from '../contracts/store-programs.ts';
import { expectSound } from '../contracts/store-sound.ts';
import { type Cluster, startCluster } from '../postgres.ts';

describe('one database and many processes', () => {
  let folder: string;
  let cluster: Cluster;
  let database: string;
  beforeAll(async () => {
    cluster = startCluster();
    database = await cluster.database();
    folder = mkdtempSync(join(tmpdir(), 'countersign-processes-'));
    await bundlePrograms(folder, true);
  });
  afterAll(() => {
    cluster?.remove();
    rmSync(folder, { recursive: true });
  });

  const open = (url: string) => openPostgres(url, { mode: 'create', repositoryId: 'r-1' });
  const writers = (url: string, count: number, commits: number) =>
    Array.from({ length: count }, (_, n) => start(folder, 'write', url, String(n + 1), String(commits)));

  /** Every commit that was answered is there once, and no more than `unknown` that were not. */
  async function expectKept(
    store: Store & Parameters<typeof expectSound>[0],
    answered: string[],
    unknown = 0,
  ) {
    const bodies = (await store.events(0, 1_000_000)).map(({ body }) => body).filter((body) => body !== '{}');
    expect(new Set(bodies).size).toBe(bodies.length);
    expect(answered.filter((id) => !bodies.includes(id))).toEqual([]);
    expect(bodies.length - answered.length).toBeLessThanOrEqual(unknown);
    expect(await store.eventCount()).toBe(bodies.length * 2);
    await expectSound(store);
  }

  it('lets one of sixteen be first, also when they make the schema at the same time', async () => {
    const url = `${database}&schema=race`;
    const racers = Array.from({ length: 16 }, (_, n) => start(folder, 'race', url, `racer-${n}`));
    await Promise.all(racers.map((racer) => printed(racer, 1)));
    for (const { child } of racers) child.stdin.write('go\n');
    for (const { ended } of racers) expect(await ended).toEqual({ end: 0, stderr: '' });
    const results = racers.map(({ lines }) => lines[1]);
    expect(results.filter((kind) => kind === 'committed')).toHaveLength(1);
    expect(results.filter((kind) => kind === 'conflict')).toHaveLength(15);
    const store = await open(url);
    const winner = `racer-${results.indexOf('committed')}`;
    expect((await store.read('race')).map((event) => event.body)).toEqual([winner]);
    expect(await store.repositoryId()).toMatch(/^racer-/);
    await expectSound(store);
    await store.close();
  });

  it('is followed without gaps or repeats while eight processes write', async () => {
    const url = `${database}&schema=followed`;
    const store = await open(url);
    const stop = new AbortController();
    const seen: StoredEvent[] = [];
    const following = (async () => {
      for await (const event of store.follow(0, stop.signal)) if (seen.push(event) === 800) stop.abort();
    })();
    const all = writers(url, 8, 50);
    await expectEnded(all);
    await following;
    expect(seen.map(({ position }) => position)).toEqual(seen.map((_, n) => n + 1));
    expect(seen).toEqual(await store.events(0, 1_000));
    await expectKept(
      store,
      all.flatMap(({ lines }) => lines),
    );
    await store.close();
  });

  it('loses and doubles nothing that it answered when a client is killed ten times', async () => {
    const url = `${database}&schema=killed`;
    await (await open(url)).close();
    const answered: string[] = [];
    for (let round = 1; round <= 10; round += 1) {
      const writer = start(folder, 'write', url, String(round), '100000');
      await killAfter(writer, 1 + ((round * 7) % 23));
      answered.push(...writer.lines);
      // The server finishes what a dead client had asked for; a store opened now may yet see it come.
      const store = await open(url);
      await store.commit(nothing(`after-${round}`));
      await expectKept(store, answered, round);
      await store.close();
    }
  });

  it('loses and doubles nothing that it answered when the server crashes under load', async () => {
    const url = `${database}&schema=crashed`;
    await (await open(url)).close();
    const all = writers(url, 4, 150);
    for (let crash = 1; crash <= 3; crash += 1) {
      await Promise.all(all.map((writer) => printed(writer, crash * 25)));
      cluster.crash();
      await delay(50);
      cluster.start();
    }
    await expectEnded(all);
    const store = await open(url);
    const answered = all.flatMap(({ lines }) => lines);
    expect(answered).toHaveLength(600);
    await expectKept(store, answered);
    await store.close();
  });

  it('goes on with a store that was open when the server crashed, and follows on', async () => {
    const store = await open(`${database}&schema=followed`);
    const stop = new AbortController();
    const seen: number[] = [];
    const following = (async () => {
      for await (const { position } of store.follow(800, stop.signal))
        if (seen.push(position) === 3) stop.abort();
    })();
    expect(await store.commit(one('before', 'late'))).toMatchObject({ kind: 'committed' });
    cluster.crash();
    const during = store.commit(one('during', 'late'));
    cluster.start();
    expect(await during).toMatchObject({ kind: 'committed' });
    expect(await store.commit(one('during', 'late'))).toMatchObject({ kind: 'duplicate' });
    expect(await store.commit(one('after', 'late'))).toMatchObject({ kind: 'committed' });
    await following;
    expect(seen).toEqual([801, 802, 803]);
    await store.close();
  });

  it('says UNAVAILABLE when the server stays away', async () => {
    const store = await openPostgres(`${database}&schema=followed`, {
      ...{ mode: 'open', repositoryId: 'r-1', patience: 200 },
    });
    cluster.crash();
    await expect(store.eventCount()).rejects.toMatchObject({ name: 'StoreError', code: 'UNAVAILABLE' });
    await expect(store.commit(one('never', 'late'))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await store.close();
    cluster.start();
    const again = await open(`${database}&schema=followed`);
    expect(await again.read('late')).toHaveLength(3);
    await again.close();
  });
});

const nothing = (commandId: string) => ({
  ...{ commandId, appends: [], readSet: [], items: [], links: [], jobs: [], fences: [] },
});

const one = (commandId: string, stream: string) => ({
  ...nothing(commandId),
  appends: [{ stream, expected: 'any' as const, bodies: [commandId] }],
});

async function expectEnded(programs: readonly Program[]): Promise<void> {
  for (const { ended } of programs) expect(await ended).toEqual({ end: 0, stderr: '' });
}
