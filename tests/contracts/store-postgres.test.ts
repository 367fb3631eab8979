import { afterAll, beforeAll } from 'vitest';
import { openPostgres } from '../../src/store/postgres/open.ts';
import { type Cluster, startCluster } from '../postgres.ts';
import { storeContract } from './store.ts';
import type { OpenedStore } from './store-samples.ts';

let cluster: Cluster;
let database: string;
let schemas = 0;
beforeAll(async () => {
  cluster = startCluster();
  database = await cluster.database();
});
afterAll(() => cluster?.remove());

async function open(): Promise<OpenedStore> {
  const url = `${database}&schema=contract_${++schemas}`;
  const again = () => openPostgres(url, { mode: 'create', repositoryId: 'r-1' });
  let store = await again();
  return {
    store,
    again,
    reopen: async () => {
      await store.close();
      store = await again();
      return store;
    },
    dispose: () => store.close(),
  };
}

storeContract('PostgreSQL', open);
