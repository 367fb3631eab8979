import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { delegating } from '../../src/engine/delegating.ts';
import type { DriverName } from '../../src/store/sqlite/connection.ts';
import { grouped } from '../../src/store/sqlite/grouped.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import type { SqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { storeContract } from './store.ts';
import { append, commitOf, type OpenedStore } from './store-samples.ts';

const alone = (store: SqliteStore) => store;
const together = (store: SqliteStore) => delegating(store, { commit: grouped(store) });

const opener = (driver: DriverName, as: typeof alone) => async (): Promise<OpenedStore> => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-store-'));
  const path = join(folder, 'store.db');
  const again = async () => as(await openSqlite(path, { mode: 'create', repositoryId: 'r-1', driver }));
  let store = await again();
  return {
    store,
    again,
    reopen: async () => {
      await store.close();
      store = await again();
      return store;
    },
    dispose: async () => {
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
};

storeContract('SQLite by better-sqlite3', opener('better-sqlite3', alone));
storeContract('SQLite, commits made durable together', opener('better-sqlite3', together));
if (process.getBuiltinModule('node:sqlite')) storeContract('SQLite of Node', opener('node:sqlite', alone));

test('what fails of commits that come together leaves the others as they are', async () => {
  const { store, dispose } = await opener('better-sqlite3', together)();
  const commit = (n: number, stream: string, expected: number) =>
    store.commit(commitOf(`c-${n}`, { appends: [append(stream, expected, `{"n":${n}}`)] }));
  const broken = store.commit(commitOf('c-x', { appends: [append('s/x', 0, null as never)] }));
  const all = await Promise.allSettled([
    commit(1, 's/1', 0),
    broken,
    commit(2, 's/2', 0),
    commit(3, 's/1', 0),
    commit(4, 's/1', 1),
  ]);
  expect(all.map((one) => (one.status === 'fulfilled' ? one.value.kind : 'failed'))).toEqual([
    'committed',
    'failed',
    'committed',
    'conflict',
    'committed',
  ]);
  expect((await store.events(0, 10)).map(({ position }) => position)).toEqual([1, 2, 3]);
  expect((await store.read('s/x')).length).toBe(0);
  await dispose();
});
