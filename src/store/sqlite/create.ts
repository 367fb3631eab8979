import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../store.ts';
import { connect, type DriverChoice } from './driver.ts';
import { APPLICATION_ID, SCHEMA, SCHEMA_VERSION } from './schema.ts';

/**
 * Makes a store under another name and links it into place when it is whole: nobody ever sees half of one, and
 * of several processes that create at once the first wins. An existing file is left as it is.
 */
export function create(path: string, repositoryId: string, driver: DriverChoice): void {
  if (repositoryId === '') throw new RangeError('a new store needs a repository id');
  const folder = dirname(path);
  makeFolder(folder);
  const draft = `${path}.${randomBytes(8).toString('hex')}.new`;
  try {
    fill(draft, repositoryId, driver);
    chmodSync(draft, 0o600);
    putInPlace(draft, path);
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${draft}${suffix}`, { force: true });
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new StoreError('UNAVAILABLE', `the store cannot be made by this user in ${folder}`, { cause });
  }
}

function fill(draft: string, repositoryId: string, driver: DriverChoice): void {
  const connection = connect(draft, driver, 0);
  try {
    connection.immediate(() => {
      for (const sql of SCHEMA.values()) connection.exec(sql);
      const note = connection.prepare('INSERT INTO meta (name, value) VALUES (?, ?)');
      note.run('repository', repositoryId);
      note.run('schema', String(SCHEMA_VERSION));
      connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
    });
    connection.exec('PRAGMA journal_mode = WAL');
  } finally {
    connection.close();
  }
}

/** Gives a whole file its name, durable; false where the name is taken. Both are in one folder. */
export function putInPlace(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (existsSync(path)) return false;
    const message = `${path} cannot be made; its folder must be on a file system with hard links`;
    throw new StoreError('UNAVAILABLE', message, { cause: error });
  }
  syncFolder(dirname(path));
  return true;
}

/** The new name is durable only when its folder is. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
