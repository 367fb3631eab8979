import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connect } from './driver.ts';
import { openSqlite } from './open.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-leave-'));
  path = join(folder, 'store.db');
  const store = await openSqlite(path, { mode: 'create', repositoryId: 'r-1' });
  await store.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** One command of a process that ends when it has closed the store. */
async function added(n: number): Promise<void> {
  const store = await openSqlite(path, { mode: 'open', repositoryId: 'r-1', leaves: true });
  await store.commit({
    commandId: `c-${n}`,
    appends: [{ stream: 'item-1', expected: n - 1, bodies: [`{"n":${n}}`] }],
    ...{ readSet: [], items: [], links: [], jobs: [], fences: [] },
  });
  await store.close();
  await expect(store.eventCount()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
}

async function countIn(file: string, repositoryId = 'r-1'): Promise<number> {
  const store = await openSqlite(file, { mode: 'open', repositoryId });
  const count = await store.eventCount();
  await store.close();
  return count;
}

it('the file alone holds all that was written, and its log is empty', async () => {
  await added(1);
  await added(2);
  expect(statSync(`${path}-wal`).size).toBe(0);
  copyFileSync(path, join(folder, 'copy.db'));
  expect(await countIn(join(folder, 'copy.db'))).toBe(2);
  expect(await countIn(path)).toBe(2);
});

it('waits for nobody who reads meanwhile, and loses nothing', async () => {
  const reader = connect(path, 'any', 0);
  const count = () => reader.prepare<{ n: number }>('SELECT count(*) AS n FROM events').get()?.n;
  reader.exec('BEGIN');
  expect(count()).toBe(0);
  await added(1);
  // Still on its own picture of the file.
  expect(count()).toBe(0);
  reader.exec('COMMIT');
  reader.close();
  expect(await countIn(path)).toBe(1);
});

it('a file that is taken away is missed, and its empty log is in nobody’s way', async () => {
  await added(1);
  rmSync(path);
  await expect(openSqlite(path, { mode: 'open', repositoryId: 'r-1' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  await (await openSqlite(path, { mode: 'create', repositoryId: 'r-2' })).close();
  expect(await countIn(path, 'r-2')).toBe(0);
});
