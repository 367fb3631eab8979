import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Places } from './engine/composition.ts';
import { delegating } from './engine/delegating.ts';
import { EngineError } from './engine/engine-error.ts';
import { urlWith } from './store/postgres/location.ts';
import { openSqlite } from './store/sqlite/open.ts';
import { SqliteStore } from './store/sqlite/sqlite-store.ts';
import type { Store, StoreContent } from './store/store.ts';
import { type Choice, choicePath, chosenStore, keepChoice, VARIABLE } from './store-choice.ts';
import { ANCHOR_REF, isAnchored } from './workspace/anchor.ts';
import type { Repository } from './workspace/repository.ts';

/** A store and what it is. */
export interface AnyStore extends Store, StoreContent {
  /** The library or the server that keeps it, for people. */
  readonly driver: string;
  /** Where it lies, for people. */
  readonly path: string;
}

type InDatabase = Extract<Choice, { readonly driver: 'postgres' }>;

/** Opens the store of a repository. Throws NOT_INITIALISED where it has none, STORE_GONE where it had one. */
export async function openStore(repo: Repository, env: NodeJS.ProcessEnv): Promise<AnyStore> {
  const choice = chosenStore(placesOf(repo).state, env);
  try {
    if (choice.driver === 'sqlite')
      return await openSqlite(storePath(repo), { mode: 'open', repositoryId: '' });
    return await openDatabase(choice);
  } catch (cause) {
    if ((cause as { code?: string }).code !== 'NOT_FOUND') throw cause;
    throw absent(repo, choice, cause);
  }
}

/** The store of a repository for a process that serves many callers. Throws as openStore does. */
export async function openForMany(repo: Repository, env: NodeJS.ProcessEnv): Promise<AnyStore> {
  const store = await openStore(repo, env);
  if (!(store instanceof SqliteStore)) return store;
  const { grouped } = await import('./store/sqlite/grouped.ts');
  return delegating<AnyStore>(store, { commit: grouped(store) });
}

/** The store of a repository, made where there is none. In a database, `store.json` says so from then on. */
export async function createStore(
  repo: Repository,
  env: NodeJS.ProcessEnv,
  repositoryId: string,
): Promise<AnyStore> {
  const { state } = placesOf(repo);
  const choice = chosenStore(state, env);
  if (choice.driver === 'sqlite') return openSqlite(storePath(repo), { mode: 'create', repositoryId });
  // A store that is on record and is not there has been taken away: another in its place would hide that.
  if (choice.noted) return openStore(repo, env);
  const { openPostgres } = await import('./store/postgres/open.ts');
  const store = await openPostgres(urlWith(choice.url, choice.schema), { mode: 'create', repositoryId });
  keepChoice(state, { url: choice.url, schema: store.schema, repository: await store.repositoryId() });
  return store;
}

/** Loaded by those alone whose store is in a database. */
async function openDatabase(choice: InDatabase): Promise<AnyStore> {
  if (choice.schema === '') {
    const message = `${VARIABLE} names no schema, and nothing here says which one is the store of this repository`;
    const hint = 'for a new store run: countersign init; for one that is there, add ?schema=NAME to the URL';
    throw new EngineError('NOT_INITIALISED', message, hint);
  }
  const { openPostgres } = await import('./store/postgres/open.ts');
  return openPostgres(urlWith(choice.url, choice.schema), { mode: 'open', repositoryId: choice.repository });
}

function absent(repo: Repository, choice: Choice, cause: unknown): EngineError {
  const { state } = placesOf(repo);
  if (choice.driver === 'postgres' && choice.noted) {
    const message = `the Countersign store of this repository is gone: ${(cause as Error).message}`;
    const hint = `bring the database back from a copy; for a new store, which knows nothing of it, take ${choicePath(state)} away and run: countersign init`;
    return new EngineError('STORE_GONE', message, hint, { cause });
  }
  const left = leftBehind(repo);
  if (left !== undefined) {
    const place = choice.driver === 'postgres' ? 'the database' : storePath(repo);
    const message = `the Countersign store of this repository is gone, and what it named is still in ${left}`;
    const hint = `bring ${place} back from a copy; a new one, which knows nothing of it: countersign init`;
    return new EngineError('STORE_GONE', message, hint, { cause });
  }
  const message = 'this repository has no Countersign store yet';
  return new EngineError('NOT_INITIALISED', message, 'run: countersign init', { cause });
}

/** What only a store makes: a folder that it fills, or the ref of its checkpoints. Whoever took the store away left it. */
function leftBehind(repo: Repository): string | undefined {
  const folders = ['proofpacks', 'evidence'].map((name) => join(placesOf(repo).state, name));
  return folders.find((folder) => existsSync(folder)) ?? (isAnchored(repo) ? ANCHOR_REF : undefined);
}

/** Where the store of a repository and what belongs to it lie. */
export function placesOf({ top, commonDir }: Repository): Places {
  return { top, state: join(commonDir, 'countersign') };
}

export const storePath = (repo: Repository) => join(placesOf(repo).state, 'store.db');
