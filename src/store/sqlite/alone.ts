import { StoreError } from '../store.ts';
import type { DriverChoice } from './driver.ts';
import { load } from './driver.ts';
import { storeError } from './failure.ts';

/** How long short commands that have it open are waited for, in milliseconds. */
const WAIT = 3_000;

/**
 * Makes sure that no other process has the file open: whoever has goes on writing there, whatever becomes of its name.
 * What was in its log is then in the file. Throws BUSY; what is no store is opened by nobody as one.
 */
export function assertAlone(path: string, driver: DriverChoice = 'any'): void {
  try {
    const connection = load(path, driver);
    try {
      // Said before the file is looked at: SQLite then shares it with nobody, or does not read it.
      connection.exec(`PRAGMA busy_timeout = ${WAIT}; PRAGMA locking_mode = EXCLUSIVE`);
      connection.prepare('SELECT count(*) FROM sqlite_schema').get();
    } finally {
      connection.close();
    }
  } catch (cause) {
    const told = storeError(path, cause);
    if (!(told instanceof StoreError) || told.code !== 'BUSY') return;
    throw new StoreError('BUSY', `${path} is open in another process, which would go on writing there`, {
      cause,
    });
  }
}
