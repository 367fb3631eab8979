import { StoreError } from '../store.ts';
import { connect, type Database } from './database.ts';
import { damaged } from './failure.ts';
import { locationOf, schemaOf } from './location.ts';
import { createSchema, readSchema, type SchemaState } from './migrate.ts';
import { PostgresStore } from './postgres-store.ts';

export interface PostgresOptions {
  /** 'create' makes the tables where there are none; a store that exists keeps its repository id. */
  readonly mode: 'create' | 'open';
  /** The id of a new store. In mode 'open' the store must carry it, unless it is ''. */
  readonly repositoryId: string;
  /** How long a call waits for a server that is away, in milliseconds; 10,000 unless given. */
  readonly patience?: number;
  /** At most so many connections; 4 unless given. */
  readonly connections?: number;
}

/**
 * Opens the store of a repository in one schema of a PostgreSQL database, named by `?schema=` of the URL; a new one
 * may take its name from the repository. Throws
 * StoreError NOT_FOUND, DAMAGED, NEWER_SCHEMA, OLDER_SCHEMA, BUSY, READ_ONLY, FULL, UNAVAILABLE or BAD_URL. A schema
 * that holds something else is reported and never written, not even in mode 'create'.
 */
export async function openPostgres(url: string, options: PostgresOptions): Promise<PostgresStore> {
  const { mode, repositoryId, connections = 4, patience = 10_000 } = options;
  const database = databaseAt(url, {
    connections,
    patience,
    repositoryId: mode === 'create' ? repositoryId : '',
  });
  try {
    let state = await readSchema(database);
    if (state === undefined) {
      if (mode === 'open') {
        throw new StoreError('NOT_FOUND', `there is no store in ${database.place}; run \`countersign init\``);
      }
      await assertUsable(database);
      await createSchema(database, repositoryId, new Date().toISOString());
      state = await readSchema(database);
    }
    const version = await recognise(database, state, mode === 'open' ? repositoryId : '');
    return new PostgresStore(database, version);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The schema that a URL names, or that of a repository; not looked at yet. */
export function databaseAt(url: string, options: Partial<Omit<PostgresOptions, 'mode'>> = {}): Database {
  const { connections = 1, patience = 10_000, repositoryId = '' } = options;
  const { connection, schema } = locationOf(url);
  if (schema !== '' || repositoryId !== '') {
    return connect({ connection, schema: schema || schemaOf(repositoryId) }, { connections, patience });
  }
  throw new StoreError('BAD_URL', 'the URL names no schema: add ?schema=NAME');
}

/** Names are ordered by their bytes, and everything that an event may hold must fit. */
async function assertUsable(database: Database): Promise<void> {
  const [row] = await database.rows<{ encoding: string }>(
    `SELECT current_setting('server_encoding') AS encoding`,
  );
  if (row?.encoding === 'UTF8') return;
  const message = `${database.place}: a store needs a database with encoding UTF8, this one has ${row?.encoding}`;
  throw new StoreError('UNAVAILABLE', message);
}

/** Answers the version of the server. */
async function recognise(
  database: Database,
  state: SchemaState | undefined,
  repositoryId: string,
): Promise<string> {
  if (state === undefined) throw new StoreError('NOT_FOUND', `there is no store in ${database.place}`);
  if (state.pending.length > 0) {
    const message = `${database.place} has the tables of an earlier countersign; nothing was changed; run \`countersign store migrate\``;
    throw new StoreError('OLDER_SCHEMA', message);
  }
  const [row] = await database.rows<{ id: string | null; version: string }>(
    `SELECT (SELECT value FROM {}.meta WHERE name = 'repository') AS id, split_part(current_setting('server_version'), ' ', 1) AS version`,
  );
  const found = row?.id ?? '';
  if (found === '') throw damaged(database.place, 'it does not say whose store it is');
  if (repositoryId !== '' && repositoryId !== found) {
    throw damaged(database.place, `it belongs to repository ${found}, not ${repositoryId}`);
  }
  return row?.version ?? '';
}
