import { StoreError, type StoreErrorCode } from '../store.ts';

/** SQLSTATE classes and codes that a caller can do something about (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const CODES: ReadonlyMap<string, StoreErrorCode> = new Map([
  ['25006', 'READ_ONLY'],
  ['42501', 'READ_ONLY'],
  ['40001', 'BUSY'],
  ['40P01', 'BUSY'],
  ['55P03', 'BUSY'],
  ['57014', 'BUSY'],
  ['53300', 'BUSY'],
  ['53100', 'FULL'],
  ['53200', 'UNAVAILABLE'],
  ['58030', 'UNAVAILABLE'],
  ['28000', 'UNAVAILABLE'],
  ['28P01', 'UNAVAILABLE'],
  ['3D000', 'UNAVAILABLE'],
  ['0A000', 'UNAVAILABLE'],
  // A table, column or row that our writes exclude, or damage that the server itself has found.
  ['42P01', 'DAMAGED'],
  ['42703', 'DAMAGED'],
  ['3F000', 'DAMAGED'],
  ['23502', 'DAMAGED'],
  ['23505', 'DAMAGED'],
  ['23514', 'DAMAGED'],
  ['XX001', 'DAMAGED'],
  ['XX002', 'DAMAGED'],
]);

const ADVICE: Readonly<Partial<Record<StoreErrorCode, string>>> = {
  BUSY: 'other writers kept the store for too long, or it has no connection left; nothing was changed, try again',
  FULL: 'the disk of the database is full; nothing was changed',
  READ_ONLY: 'the store cannot be written by this user of the database; nothing was changed',
  UNAVAILABLE: 'the database cannot be reached or used',
};

/** What is wrong with what the database holds, for a person. */
export function damaged(place: string, detail: string, cause?: unknown): StoreError {
  return new StoreError('DAMAGED', `${place} is damaged: ${detail}; nothing was changed`, { cause });
}

/** Translates an error of the driver; what is no condition of the store is given back as it is. */
export function storeError(place: string, error: unknown): unknown {
  if (error instanceof StoreError || !(error instanceof Error)) return error;
  const code = isLost(error) || isWrongPlace(error) ? 'UNAVAILABLE' : CODES.get(sqlState(error));
  if (code === undefined) return error;
  if (code === 'DAMAGED') return damaged(place, error.message, error);
  return new StoreError(code, `${place}: ${ADVICE[code]} (${error.message || String(error)})`, {
    cause: error,
  });
}

function isWrongPlace(error: Error): boolean {
  const state = sqlState(error);
  return WRONG_PLACE.has(state) || UNTRUSTED.test(state) || (state === '' && UNTRUSTED.test(error.message));
}

/** The five characters of the server, or the code of the system call. */
export const sqlState = (error: unknown): string => String((error as { code?: unknown })?.code ?? '');

const SYSTEM = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
]);
/** No server is where the URL leads, or none that this program may talk to: waiting does not help. */
const WRONG_PLACE = new Set([
  'ENOTFOUND',
  'EACCES',
  'EPERM',
  'EINVAL',
  'EADDRNOTAVAIL',
  'ENOTSOCK',
  'EPROTO',
]);
const UNTRUSTED = /does not support SSL|SSL connection|CERT|certificate|ALTNAME|wrong version number/i;
/** The server is going down, coming up, or has no place left at the moment. */
const PASSING = new Set(['57P01', '57P02', '57P03', '53300']);
const TOLD =
  /terminat|connection error|Connection ended|timeout exceeded when trying to connect|not queryable|ECONNRE/i;

/** Whether a server answered, and will take us in a while. */
export const isPassing = (error: unknown): boolean => PASSING.has(sqlState(error));

/** Whether the connection was lost or could not be made: a server that restarts will take another one. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const state = sqlState(error);
  if (SYSTEM.has(state) || PASSING.has(state) || state.startsWith('08')) return true;
  return state === '' && TOLD.test(error.message);
}

/** A guard that did not hold, or a row that was there already: what was read before is no longer so. */
export const isOvertaken = (error: unknown) => ['22012', '23505', '40001', '40P01'].includes(sqlState(error));
