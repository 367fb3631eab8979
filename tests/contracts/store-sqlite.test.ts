import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DriverName } from '../../src/store/sqlite/connection.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import { storeContract } from './store.ts';
import type { OpenedStore } from './store-samples.ts';

const opener = (driver: DriverName) => async (): Promise<OpenedStore> => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-store-'));
  const again = () => openSqlite(join(folder, 'store.db'), { mode: 'create', repositoryId: 'r-1', driver });
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

storeContract('SQLite by better-sqlite3', opener('better-sqlite3'));
if (process.getBuiltinModule('node:sqlite')) storeContract('SQLite of Node', opener('node:sqlite'));
