import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { EngineError } from './engine/engine-error.ts';
import type { CopyTarget, StoreDesk, StoreState } from './engine/store-desk.ts';
import { singleQuoted } from './kernel/single-quoted.ts';
import { openStore, placesOf, storePath } from './open-store.ts';
import type { Database } from './store/postgres/database.ts';
import { dropTables, loadPostgres } from './store/postgres/load.ts';
import { splitSchema, urlWith } from './store/postgres/location.ts';
import { repositoryOf } from './store/postgres/log.ts';
import { createSchema, migrateSchema, readSchema } from './store/postgres/migrate.ts';
import { databaseAt, openPostgres } from './store/postgres/open.ts';
import { assertAlone } from './store/sqlite/alone.ts';
import { putInPlace } from './store/sqlite/create.ts';
import { loadSqlite } from './store/sqlite/load.ts';
import { openSqlite } from './store/sqlite/open.ts';
import { StoreError } from './store/store.ts';
import { chosenStore, dropChoice, keepChoice } from './store-choice.ts';
import type { Repository } from './workspace/repository.ts';

/** What can be asked of the store of a repository besides opening it: what it is, to renew it, to copy it elsewhere. */
export function storeDesk(repo: Repository, env: NodeJS.ProcessEnv): StoreDesk {
  return {
    state: () => stateOf(repo, env),
    async migrate(dryRun) {
      const { pending } = await stateOf(repo, env);
      if (!dryRun && pending.length > 0)
        await inDatabase(repo, env, (database) => migrateSchema(database, now()));
      return pending;
    },
    assertUnused: async () => assertUnused(repo, env),
    target: async (to, repositoryId) =>
      to === 'sqlite' ? fileTarget(repo, env, repositoryId) : databaseTarget(repo, to, repositoryId),
  };
}

const now = () => new Date().toISOString();

async function stateOf(repo: Repository, env: NodeJS.ProcessEnv): Promise<StoreState> {
  if (chosenStore(placesOf(repo).state, env).driver === 'sqlite') {
    const store = await openStore(repo, env);
    const { driver, path: place } = store;
    const repository = await store.repositoryId().finally(() => store.close());
    return { driver, place, repository, applied: [], pending: [] };
  }
  return inDatabase(repo, env, async (database) => {
    const state = await readSchema(database);
    if (state === undefined) throw new StoreError('NOT_FOUND', `there is no store in ${database.place}`);
    const [row] = await database.rows<{ version: string }>(
      `SELECT split_part(current_setting('server_version'), ' ', 1) AS version`,
    );
    const pending = state.pending.map(({ number, name }) => ({ number, name }));
    const applied = state.applied.map(({ number, name, appliedAt }) => ({ number, name, appliedAt }));
    const repository = await repositoryOf(database);
    return { driver: `PostgreSQL ${row?.version}`, place: database.place, repository, applied, pending };
  });
}

async function inDatabase<T>(
  repo: Repository,
  env: NodeJS.ProcessEnv,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const choice = chosenStore(placesOf(repo).state, env);
  if (choice.driver === 'sqlite') throw new RangeError('the store of this repository is in no database');
  const database = databaseAt(urlWith(choice.url, choice.schema));
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** A file is filled under another name, and gets its own when the copy was judged. */
function fileTarget(repo: Repository, env: NodeJS.ProcessEnv, repository: string): CopyTarget {
  const path = storePath(repo);
  if (chosenStore(placesOf(repo).state, env).driver === 'sqlite')
    throw new EngineError(
      'BAD_INPUT',
      `the record is in this file already: ${path}`,
      'name a database: --to URL',
    );
  assertFree(path);
  const draft = `${path}.${randomBytes(6).toString('hex')}.copy`;
  const drop = async () => {
    for (const end of ['', '-wal', '-shm']) rmSync(`${draft}${end}`, { force: true });
  };
  return {
    place: path,
    drop,
    async fill(parts) {
      await loadSqlite(draft, repository, parts);
      return openSqlite(draft, { mode: 'open', repositoryId: '' });
    },
    async keep() {
      assertFree(path);
      if (!putInPlace(draft, path)) assertFree(path);
      await drop();
    },
    use: () => dropChoice(placesOf(repo).state),
  };
}

/** A database is asked anew for each write, and only those that have its URL go on with it. */
function assertUnused(repo: Repository, env: NodeJS.ProcessEnv): void {
  if (chosenStore(placesOf(repo).state, env).driver === 'sqlite') assertClosed(storePath(repo));
}

function assertClosed(path: string): void {
  if (!existsSync(path)) return;
  try {
    assertAlone(path);
  } catch (cause) {
    const { message } = cause as Error;
    throw new EngineError(
      'BUSY',
      message,
      `end servers, workers, agents and sessions that use it, and try again`,
      {
        cause,
      },
    );
  }
}

/** Of a file: itself, and its log, which would be played over another file of that name. */
const PARTS = ['', '-wal', '-shm', '-journal'];

function assertFree(path: string): void {
  // The log of a file that nobody has open is brought in, so that the file can be moved by itself.
  assertClosed(path);
  const there = partsOf(path);
  const [first] = there;
  if (first === undefined) return;
  const aside = asideOf(path);
  const moves = there.map(
    (part) => `mv ${singleQuoted(`${path}${part}`)} ${singleQuoted(`${aside}${part}`)}`,
  );
  throw new EngineError(
    'NOT_EMPTY',
    `${path}${first} is there already`,
    `move it away: ${moves.join(' && ')}`,
  );
}

const partsOf = (path: string) => PARTS.filter((part) => existsSync(`${path}${part}`));

/** A name beside it that nothing has. */
function asideOf(path: string): string {
  for (let n = 1; ; n += 1) {
    const aside = n === 1 ? `${path}.before` : `${path}.before-${n}`;
    if (partsOf(aside).length === 0) return aside;
  }
}

async function databaseTarget(repo: Repository, to: string, repository: string): Promise<CopyTarget> {
  const database = databaseAt(to, { repositoryId: repository });
  const [url] = splitSchema(to);
  const { schema, place } = database;
  try {
    await assertEmpty(database);
  } finally {
    await database.close();
  }
  let filled = false;
  return {
    place,
    async fill(parts) {
      await withDatabase(to, repository, async (target) => {
        if ((await readSchema(target)) === undefined) await createSchema(target, repository, now());
        await loadPostgres(target, repository, parts);
      });
      filled = true;
      return openPostgres(urlWith(url, schema), { mode: 'open', repositoryId: repository });
    },
    keep: async () => undefined,
    use: () => keepChoice(placesOf(repo).state, { url, schema, repository }),
    // What is there without us is somebody's, who came between our look at it and the copy.
    drop: async () => (filled ? withDatabase(to, repository, dropTables) : undefined),
  };
}

async function withDatabase(to: string, repositoryId: string, work: (database: Database) => Promise<void>) {
  const database = databaseAt(to, { repositoryId });
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

/** Tables without a log are what an interrupted copy leaves. */
async function assertEmpty(database: Database): Promise<void> {
  if ((await readSchema(database)) === undefined) return;
  const [row] = await database.rows<{ position: number }>('SELECT position FROM {}.log WHERE one = 1');
  if (row?.position === 0) return;
  const hint = 'name another schema: --to URL?schema=NAME';
  throw new EngineError('NOT_EMPTY', `${database.place} holds a log already`, hint);
}
