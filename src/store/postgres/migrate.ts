import { StoreError } from '../store.ts';
import type { Database, Session } from './database.ts';
import { damaged, sqlState } from './failure.ts';
import { digestOf, MIGRATIONS, MIGRATIONS_TABLE, type Migration } from './migrations.ts';

export interface Applied {
  readonly number: number;
  readonly name: string;
  readonly digest: string;
  readonly appliedAt: string;
}

/** How a schema stands to the migrations that this program knows. */
export interface SchemaState {
  readonly applied: readonly Applied[];
  readonly pending: readonly Migration[];
}

const APPLIED = 'SELECT number, name, digest, applied_at AS "appliedAt" FROM {}.migrations ORDER BY number';

/**
 * Reads what ran in the schema. Undefined where there is no store: no schema, or an empty one. Throws StoreError
 * DAMAGED where the schema is not a store's, or a migration is not the one we know, NEWER_SCHEMA where it knows more.
 */
export async function readSchema(database: Database, known = MIGRATIONS): Promise<SchemaState | undefined> {
  try {
    return await appliedIn(database, known);
  } catch (error) {
    if (!isAbsent(error)) throw error;
    const tables = await relationsIn(database);
    if (tables.length === 0) return undefined;
    // Somebody may have made them between the two questions.
    return appliedIn(database, known).catch((still) => {
      if (!isAbsent(still)) throw still;
      throw damaged(database.place, `it holds ${tables.join(', ')} and is no store of ours`, still);
    });
  }
}

const appliedIn = async (database: Database, known: readonly Migration[]) =>
  stateOf(database, await database.rows<Applied>(APPLIED), known);

/** The table of migrations, or its schema, is not there. */
const isAbsent = (error: unknown) => ['42P01', '3F000'].includes(sqlState((error as Error).cause));

function stateOf({ place }: Database, applied: readonly Applied[], known: readonly Migration[]): SchemaState {
  const last = applied.at(-1)?.number ?? 0;
  const newest = known.at(-1)?.number ?? 0;
  if (last > newest) {
    const message = `${place} has migration ${last}, this countersign knows ${newest}; nothing was changed; update countersign`;
    throw new StoreError('NEWER_SCHEMA', message);
  }
  for (const [at, { number, name, digest }] of applied.entries()) {
    const own = known[at];
    if (own?.number !== number || own.name !== name || digestOf(own) !== digest) {
      throw damaged(place, `its migration ${number} is not the one that this countersign knows`);
    }
  }
  return { applied, pending: known.slice(applied.length) };
}

async function relationsIn(database: Database): Promise<readonly string[]> {
  const rows = await database.rows<{ name: string }>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1 ORDER BY table_name LIMIT 5',
    [database.schema],
  );
  return rows.map(({ name }) => name);
}

/** Makes the tables in a schema that has none. Two at once: the second finds what the first made. */
export async function createSchema(database: Database, repositoryId: string, at: string): Promise<void> {
  if (repositoryId === '') throw new RangeError('a new store needs a repository id');
  await once(database, async (session) => {
    // Who may use a schema that another made need not be allowed to make one.
    const found = await session.rows('SELECT 1 FROM information_schema.schemata WHERE schema_name = $1', [
      database.schema,
    ]);
    if (found.length === 0) await session.rows('CREATE SCHEMA {}');
    await session.rows(MIGRATIONS_TABLE);
    for (const migration of MIGRATIONS) await apply(session, migration, at);
    await session.rows(`INSERT INTO {}.meta (name, value) VALUES ('repository', $1)`, [repositoryId]);
  });
}

/** Brings the schema to the newest form, each step in a transaction of its own. Answers those that ran. */
export async function migrateSchema(
  database: Database,
  at: string,
  known = MIGRATIONS,
): Promise<readonly Migration[]> {
  const state = await readSchema(database, known);
  if (state === undefined) throw new StoreError('NOT_FOUND', `there is no store in ${database.place}`);
  for (const migration of state.pending) {
    await once(database, async (session) => {
      // Writers wait, and a second one that migrates at the same time finds it done.
      await session.rows('SELECT position FROM {}.log FOR UPDATE');
      const [ran] = await session.rows('SELECT 1 FROM {}.migrations WHERE number = $1', [migration.number]);
      if (ran === undefined) await apply(session, migration, at);
    });
  }
  return state.pending;
}

async function apply(session: Session, migration: Migration, at: string): Promise<void> {
  for (const statement of migration.statements) await session.rows(statement);
  await session.rows('INSERT INTO {}.migrations (number, name, digest, applied_at) VALUES ($1, $2, $3, $4)', [
    migration.number,
    migration.name,
    digestOf(migration),
    at,
  ]);
}

const TAKEN = ['23505', '42P06', '42P07', '42710', '40001', '40P01'];

/** All in one transaction; when somebody else did the same meanwhile, nothing of it. */
async function once(database: Database, work: (session: Session) => Promise<void>): Promise<void> {
  await database.insisting(() =>
    database.session(async (session) => {
      await session.rows('BEGIN ISOLATION LEVEL READ COMMITTED');
      try {
        await work(session);
        await session.rows('COMMIT');
      } catch (error) {
        await session.rows('ROLLBACK').catch(() => undefined);
        if (!TAKEN.includes(sqlState(error))) throw error;
      }
    }),
  );
}
