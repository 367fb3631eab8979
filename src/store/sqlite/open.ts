import { statSync } from 'node:fs';
import { StoreError } from '../store.ts';
import type { Connection } from './connection.ts';
import { create } from './create.ts';
import { connect, type DriverChoice } from './driver.ts';
import { damaged, storeError } from './failure.ts';
import { inspectHeader } from './header.ts';
import { repositoryOf } from './meta.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { SqliteStore } from './sqlite-store.ts';
import { upgrade } from './upgrade.ts';

export interface SqliteOptions {
  /** 'create' makes a missing file; a file that exists is opened in both modes and keeps its repository id. */
  readonly mode: 'create' | 'open';
  /** The id of a new file. In mode 'open' the file must carry it, unless it is ''. */
  readonly repositoryId: string;
  /** 'any' unless given. */
  readonly driver?: DriverChoice;
  /** How long a call waits for the lock of another process, in milliseconds; 10,000 unless given. */
  readonly busyTimeout?: number;
}

/**
 * Opens the store of a repository: one file, shared by any number of processes.
 * Throws StoreError NOT_FOUND, DAMAGED, NEWER_SCHEMA, BUSY, READ_ONLY, FULL or UNAVAILABLE. A file that is
 * there and is not a store of ours is reported and never written, not even in mode 'create'.
 */
export async function openSqlite(path: string, options: SqliteOptions): Promise<SqliteStore> {
  const { mode, repositoryId, driver = 'any', busyTimeout = 10_000 } = options;
  try {
    if (!isThere(path)) {
      if (mode === 'open')
        throw new StoreError('NOT_FOUND', `there is no store at ${path}; run \`countersign init\``);
      create(path, repositoryId, driver);
    }
    inspectHeader(path);
    const connection = connect(path, driver, busyTimeout);
    try {
      recognise(connection, path, mode === 'open' ? repositoryId : '');
    } catch (error) {
      connection.close();
      throw error;
    }
    return new SqliteStore(path, connection);
  } catch (error) {
    throw storeError(path, error);
  }
}

/** A log beside a missing file means that somebody took the store away; a new file would swallow its rest. */
function isThere(path: string): boolean {
  if (exists(path)) return true;
  if (!exists(`${path}-wal`)) return false;
  // Asked again, because another process may have made the store in between.
  if (exists(path)) return true;
  throw damaged(path, `the file is missing while its log ${path}-wal is there`);
}

/** What cannot be looked at is not absent. Throws UNAVAILABLE. */
function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (cause) {
    throw new StoreError('UNAVAILABLE', `the store cannot be read by this user: ${path}`, { cause });
  }
}

function recognise(connection: Connection, path: string, repositoryId: string): void {
  const version = connection.pragma('user_version');
  if (typeof version !== 'number' || version < 1) throw damaged(path, 'it carries no schema version');
  if (version > SCHEMA_VERSION) {
    const message = `${path} has schema ${version}, this countersign knows ${SCHEMA_VERSION}; nothing was changed; update countersign`;
    throw new StoreError('NEWER_SCHEMA', message);
  }
  // Without its write-ahead log the file would no longer be safe to share and durable in one sync.
  const journal = connection.pragma('journal_mode');
  if (journal !== 'wal') throw damaged(path, `its journal mode was changed to ${journal}`);
  const found = repositoryOf(connection);
  if (found === '') throw damaged(path, 'it does not say whose store it is');
  if (repositoryId !== '' && repositoryId !== found) {
    throw damaged(path, `it belongs to repository ${found}, not ${repositoryId}`);
  }
  if (version < SCHEMA_VERSION) upgrade(connection);
}
