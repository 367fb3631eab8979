import { randomUUID } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from './engine/engine-error.ts';
import { privateDirectory, readPrivate, writePrivate } from './identity/private-file.ts';
import { splitSchema } from './store/postgres/location.ts';

/** The variable that names the database of the store. */
export const VARIABLE = 'COUNTERSIGN_DATABASE_URL';
const FORMAT = 'countersign/store/1';

/** What `store.json` in the state folder says: the store of this repository lies in a database. */
export interface Noted {
  /** With the password, where there is one: the file is for its owner alone. */
  readonly url: string;
  readonly schema: string;
  /** The repository whose store it is; another one in its place is not believed. */
  readonly repository: string;
}

/** Where the store of a repository is. `schema` is '' where it is yet to be made under the name of the repository. */
export type Choice =
  | { readonly driver: 'sqlite' }
  | ({ readonly driver: 'postgres'; readonly noted: boolean } & Noted);

export const choicePath = (state: string) => join(state, 'store.json');
const sqlitePath = (state: string) => join(state, 'store.db');

/**
 * The store that is meant: the one that the variable names, else the one of `store.json`, else SQLite. Throws BAD_CONFIG
 * where that is not clear: a variable that happens to be set never takes the place of a store that is there.
 */
export function chosenStore(state: string, env: NodeJS.ProcessEnv): Choice {
  const noted = readChoice(state);
  const variable = env[VARIABLE] ?? '';
  if (variable === '')
    return noted === undefined ? { driver: 'sqlite' } : { driver: 'postgres', noted: true, ...noted };
  if (noted === undefined && isThere(sqlitePath(state))) {
    const message = `${VARIABLE} names a database, and the store of this repository is ${sqlitePath(state)}`;
    throw new EngineError(
      'BAD_CONFIG',
      message,
      `countersign store copy --to URL --use, or: unset ${VARIABLE}`,
    );
  }
  const [url, schema] = splitSchema(variable);
  const named = schema || (noted?.schema ?? '');
  return {
    driver: 'postgres',
    noted: noted !== undefined,
    url,
    schema: named,
    repository: noted?.repository ?? '',
  };
}

/**
 * Evidence and proof packs lie beside the note of where the store is. Who comes by the variable alone would lay them where nobody
 * else looks, and the log would name what is not there. Throws BAD_CONFIG.
 */
export function assertOwnFolder(state: string, env: NodeJS.ProcessEnv): void {
  if ((env[VARIABLE] ?? '') === '') return;
  const choice = chosenStore(state, env);
  if (choice.driver === 'sqlite' || choice.noted) return;
  const message = `${state} is not the folder that belongs to this store: evidence and proof packs would be kept from everybody else`;
  const hint =
    'bring that folder there, by a link or a mount, from where the store was made (docs/stores.md); or work with a server: countersign connect URL';
  throw new EngineError('BAD_CONFIG', message, hint);
}

/** Whether the repository has a store of any kind, as far as can be told without asking a server. */
export function hasStore(state: string, env: NodeJS.ProcessEnv): boolean {
  if (isThere(sqlitePath(state)) || isThere(choicePath(state))) return true;
  return splitSchema(env[VARIABLE] ?? '')[1] !== '';
}

/** Says from now on that the store is this one. The file is replaced as a whole. */
export function keepChoice(state: string, { url, schema, repository }: Noted): void {
  privateDirectory(state);
  const text = JSON.stringify({ format: FORMAT, driver: 'postgres', url, schema, repository }, null, 2);
  writePrivate(choicePath(state), `${text}\n`, 'replace', randomUUID());
}

/** From now on the store is SQLite's. */
export const dropChoice = (state: string) => rmSync(choicePath(state), { force: true });

function readChoice(state: string): Noted | undefined {
  const path = choicePath(state);
  const text = readIf(path);
  if (text === undefined) return undefined;
  const { format, driver, url, schema, repository } = parsed(text);
  const texts = [url, schema, repository].every((value) => typeof value === 'string' && value !== '');
  if (format === FORMAT && driver === 'postgres' && texts) return { url, schema, repository } as Noted;
  const message = `${path} does not say where the store is`;
  throw new EngineError(
    'BAD_CONFIG',
    message,
    'restore the file from a copy, or write it anew as docs/stores.md shows',
  );
}

function parsed(text: string): { readonly [member: string]: unknown } {
  try {
    return (JSON.parse(text) ?? {}) as { readonly [member: string]: unknown };
  } catch {
    return {};
  }
}

/** Throws IdentityError where others can read the file: it may hold a password. */
function readIf(path: string): string | undefined {
  if (!isThere(path)) return undefined;
  return readPrivate(path);
}

/** Below what is no folder there is nothing; who makes the folder hears why it cannot be. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    throw error;
  }
}
