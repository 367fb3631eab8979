import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgres } from '../../src/store/postgres/open.ts';
import type { PostgresStore } from '../../src/store/postgres/postgres-store.ts';
import type { Commit, CommitResult } from '../../src/store/store.ts';
import { append, commitOf, itemRow } from '../contracts/store-samples.ts';
import { expectSound } from '../contracts/store-sound.ts';
import { type Cluster, startCluster } from '../postgres.ts';

let cluster: Cluster;
let one: PostgresStore;
let other: PostgresStore;
beforeAll(async () => {
  cluster = startCluster();
  const url = `${await cluster.database()}&schema=races`;
  const open = () => openPostgres(url, { mode: 'create', repositoryId: 'r-1' });
  one = await open();
  other = await open();
});
afterAll(async () => {
  await one?.close();
  await other?.close();
  cluster?.remove();
});

const ROUNDS = 100;

/** Two commits at the same time, through two connections that know nothing of each other; the kinds of their answers. */
async function both(mine: Commit, theirs: Commit): Promise<readonly CommitResult['kind'][]> {
  const answers = await Promise.all([one.commit(mine), other.commit(theirs)]);
  return answers.map(({ kind }) => kind).sort();
}

it('never lets two commits both rest on what the other changes', async () => {
  for (let n = 0; n < ROUNDS; n += 1) {
    const [a, b] = [`a${n}`, `b${n}`];
    const skew = (id: string, reads: string) =>
      commitOf(id, { appends: [append(id, 0, 'x')], readSet: [{ stream: reads, version: 0 }] });
    expect(await both(skew(a, b), skew(b, a))).toEqual(['committed', 'conflict']);
  }
});

it('applies a command once that comes over two connections', async () => {
  for (let n = 0; n < ROUNDS; n += 1) {
    const command = commitOf(`twice-${n}`, { appends: [append('twice', 'any', `${n}`)] });
    expect(await both(command, command)).toEqual(['committed', 'duplicate']);
  }
  expect(await one.read('twice')).toHaveLength(ROUNDS);
});

it('gives a display number to one of two', async () => {
  for (let n = 1; n <= ROUNDS; n += 1) {
    const item = (id: string) => commitOf(id, { appends: [append(id, 0, 'x')], items: [itemRow(n, { id })] });
    expect(await both(item(`left-${n}`), item(`right-${n}`))).toEqual(['committed', 'conflict']);
  }
  await expectSound(one);
});

it('lets a late holder write or be fenced, never both it and its successor', async () => {
  for (let n = 0; n < ROUNDS; n += 1) {
    const key = `k${n}`;
    const jobs = [{ topic: 't', key, payload: '', availableAt: '1' }];
    await one.commit(commitOf(`seed-${n}`, { appends: [append('seed', 'any', key)], jobs }));
    await one.claim('t', '1', 1, '2', 'first', key);
    const late = commitOf(`late-${n}`, {
      ...{ appends: [append(`late-${n}`, 0, 'x')] },
      fences: [{ topic: 't', key, token: 1, finish: true }],
    });
    const [result, taken] = await Promise.all([
      one.commit(late),
      other.claim('t', '3', 1, '9', 'second', key),
    ]);
    expect([result.kind, taken.length]).toEqual(
      result.kind === 'committed' ? ['committed', 0] : ['fenced', 1],
    );
    const job = await one.job('t', key);
    expect(job).toMatchObject(
      result.kind === 'committed' ? { fence: 1, finished: true } : { fence: 2, finished: false },
    );
  }
  await expectSound(one);
});

it('keeps the counts of a board right when many move rows between the same squares', async () => {
  const move = (store: PostgresStore, n: number) =>
    store.commit(
      commitOf(`move-${n}`, { items: [itemRow(1_000 + (n % 20), { state: n % 3 === 0 ? 'A' : 'B' })] }),
    );
  const moves = Array.from({ length: 200 }, (_, n) => move(n % 2 === 0 ? one : other, n));
  await Promise.all(moves);
  await expectSound(one);
  const rows = (await one.allItems(999, 100)).map(({ state }) => state);
  const count = async (state: string) =>
    (await one.allTallies()).find((tally) => tally.state === state && tally.list === 'main')?.count ?? 0;
  expect(await count('A')).toBe(rows.filter((state) => state === 'A').length);
  expect(await count('B')).toBe(rows.filter((state) => state === 'B').length);
});
