import { StoreError } from '../store.ts';
import { openBetterSqlite } from './better-sqlite.ts';
import type { Connection, DriverName } from './connection.ts';
import { openNodeSqlite } from './node-sqlite.ts';

/** A driver by name, or 'any': the SQLite built into Node where there is one, else better-sqlite3. */
export type DriverChoice = DriverName | 'any';

const INSTALL_HINT =
  'no SQLite can be loaded: use Node 22.13 or later, which has one built in, or run `npm install better-sqlite3@12` (it is compiled with python3, make and g++)';

/**
 * Opens an SQLite file for durable work, and makes it when it is missing; `busyTimeout` is in milliseconds.
 * Throws StoreError UNAVAILABLE with the install line when no driver can be loaded, else the library's error.
 */
export function connect(path: string, driver: DriverChoice, busyTimeout: number): Connection {
  const connection = load(path, driver);
  try {
    connection.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
    // FULL: a commit is on the disk before it is answered.
    connection.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** A bare connection: nothing of the file was looked at yet. */
export function load(path: string, driver: DriverChoice): Connection {
  const failures: unknown[] = [];
  for (const open of candidates(driver)) {
    const connection = open(path, (failure) => failures.push(failure));
    if (connection) return connection;
  }
  const asked = driver === 'any' ? '' : ` (${driver} was asked for)`;
  throw new StoreError('UNAVAILABLE', `${INSTALL_HINT}${asked}`, { cause: failures.at(-1) });
}

function candidates(driver: DriverChoice) {
  if (driver === 'any') return [openNodeSqlite, openBetterSqlite];
  return driver === 'node:sqlite' ? [openNodeSqlite] : [openBetterSqlite];
}
