import { StoreError, type StoreErrorCode } from '../store.ts';

const PRIMARY: Readonly<Record<string, number>> = {
  SQLITE_ERROR: 1,
  SQLITE_BUSY: 5,
  SQLITE_LOCKED: 6,
  SQLITE_READONLY: 8,
  SQLITE_IOERR: 10,
  SQLITE_CORRUPT: 11,
  SQLITE_FULL: 13,
  SQLITE_CANTOPEN: 14,
  SQLITE_PROTOCOL: 15,
  SQLITE_CONSTRAINT: 19,
  SQLITE_NOTADB: 26,
};

/** Result codes of SQLite (https://sqlite.org/rescode.html) that the caller can do something about. */
const CODES: ReadonlyMap<number, StoreErrorCode> = new Map([
  [5, 'BUSY'],
  [6, 'BUSY'],
  [8, 'READ_ONLY'],
  [10, 'UNAVAILABLE'],
  [11, 'DAMAGED'],
  [13, 'FULL'],
  [14, 'UNAVAILABLE'],
  [15, 'BUSY'],
  [26, 'DAMAGED'],
]);

/** What went wrong with the file, for a person: path, what was found, what was not done. */
export function damaged(path: string, detail: string, cause?: unknown): StoreError {
  const message = `${path} is damaged: ${detail}; nothing was changed`;
  return new StoreError('DAMAGED', message, { cause });
}

/** Translates an error of either SQLite library; whatever is no condition of the file is given back as it is. */
export function storeError(path: string, error: unknown): unknown {
  if (error instanceof StoreError || !(error instanceof Error)) return error;
  const primary = primaryCode(error);
  if (isContradiction(primary, error.message)) return damaged(path, error.message, error);
  const code = CODES.get(primary);
  if (code === undefined) return error;
  if (code === 'DAMAGED') return damaged(path, error.message, error);
  return new StoreError(code, `${path}: ${ADVICE[code] ?? error.message} (${error.message})`, {
    cause: error,
  });
}

const ADVICE: Readonly<Partial<Record<StoreErrorCode, string>>> = {
  BUSY: 'another process kept the store locked for too long; nothing was changed, try again',
  FULL: 'the disk is full; nothing was changed',
  READ_ONLY: 'the store cannot be written by this user; nothing was changed',
  UNAVAILABLE: 'the store cannot be opened, read or written',
};

/** Result code without its extension; better-sqlite3 names it (`code`), node:sqlite numbers it (`errcode`). */
function primaryCode(error: Error): number {
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff;
  const name = 'code' in error ? String(error.code) : '';
  return PRIMARY[name.split('_', 2).join('_')] ?? 0;
}

/** The file is a database and still not our store: a table is gone, or a row is there that our writes exclude. */
function isContradiction(primary: number, message: string): boolean {
  if (primary === 1) return /^no such (table|column|index)|has no column|^no such module/.test(message);
  return primary === 19 && /^(UNIQUE|FOREIGN KEY|CHECK|NOT NULL) constraint failed/.test(message);
}
