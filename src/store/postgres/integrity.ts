import { sealOf } from '../seal.ts';
import type { Job } from '../store.ts';
import { CATALOG } from './catalog.ts';
import type { Database } from './database.ts';
import { JOB } from './jobs.ts';
import { readSchema } from './migrate.ts';

/**
 * Everything that the database and the store itself find wrong, one sentence each; none is a sound store. A check that
 * cannot run is a finding. The content of streams and views is for the audit to judge.
 */
export async function findings(database: Database): Promise<readonly string[]> {
  const checks = [migrations, catalog, log, streams, meta, unsealedJobs];
  const found: string[] = [];
  for (const check of checks) {
    try {
      found.push(...(await check(database)));
    } catch (error) {
      found.push(`${check.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return found;
}

async function migrations(database: Database): Promise<readonly string[]> {
  const state = await readSchema(database);
  if (state === undefined) return ['schema: it is gone'];
  return state.pending.map(({ number }) => `schema: migration ${number} did not run`);
}

/** One line for each column, index, trigger, rule, view, heir and function of the schema, as the server describes it. */
export const DESCRIPTION = `
  SELECT 'column ' || table_name || '.' || column_name || ' ' || data_type
      || CASE WHEN collation_name IS NULL THEN '' ELSE ' ' || collation_name END
      || CASE WHEN is_nullable = 'YES' THEN ' null' ELSE '' END
      || CASE WHEN column_default IS NULL THEN '' ELSE ' default ' || column_default END AS line
    FROM information_schema.columns WHERE table_schema = $1
  UNION ALL SELECT 'index ' || tablename || ': ' || replace(indexdef, schemaname || '.', '')
    FROM pg_catalog.pg_indexes WHERE schemaname = $1
  UNION ALL SELECT 'constraint ' || c.relname || ': ' || pg_catalog.pg_get_constraintdef(k.oid)
    FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_class c ON c.oid = k.conrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND k.contype <> 'n'
  UNION ALL SELECT 'trigger ' || c.relname || ': ' || t.tgname
    FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND NOT t.tgisinternal
  UNION ALL SELECT 'rule ' || tablename || ': ' || rulename FROM pg_catalog.pg_rules WHERE schemaname = $1
  UNION ALL SELECT 'policy ' || tablename || ': ' || policyname FROM pg_catalog.pg_policies WHERE schemaname = $1
  UNION ALL SELECT 'heir of ' || c.relname || ': ' || i.inhrelid::pg_catalog.regclass::text
    FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhparent
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1
  UNION ALL SELECT 'function ' || routine_name FROM information_schema.routines WHERE routine_schema = $1
  UNION ALL SELECT 'unlogged ' || c.relname FROM pg_catalog.pg_class c
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relkind = 'r' AND c.relpersistence <> 'p'`;

async function catalog(database: Database): Promise<readonly string[]> {
  const rows = await database.rows<{ line: string }>(DESCRIPTION, [database.schema]);
  const actual = new Set(rows.map(({ line }) => line.replaceAll(`"${database.schema}".`, '')));
  const missing = CATALOG.filter((line) => !actual.delete(line));
  return [
    ...missing.map((line) => `schema: missing or changed: ${line}`),
    ...Array.from(actual, (line) => `schema: does not belong here: ${line}`),
  ];
}

async function log(database: Database): Promise<readonly string[]> {
  const [row] = await database.rows<{ rows: number; position: number; last: number; count: number }>(
    `SELECT (SELECT count(*) FROM {}.log) AS rows, (SELECT max(position) FROM {}.log) AS position,
      (SELECT coalesce(max(position), 0) FROM {}.events) AS last, (SELECT count(*) FROM {}.events) AS count`,
  );
  if (row?.rows !== 1) return [`log: it has ${row?.rows} rows instead of 1`];
  const { position, last, count } = row;
  if (position === last && count === last) return [];
  return [`log: it says ${position} events, the last stands at ${last}, and there are ${count}`];
}

async function streams(database: Database): Promise<readonly string[]> {
  const rows = await database.rows<{ stream: string }>(
    `SELECT DISTINCT stream FROM {}.events AS e WHERE NOT EXISTS
      (SELECT 1 FROM {}.streams AS s WHERE s.stream = e.stream) ORDER BY stream LIMIT 100`,
  );
  return rows.map(({ stream }) => `streams: ${stream} has events and no head`);
}

/** The repository's id and nothing else. */
async function meta(database: Database): Promise<readonly string[]> {
  const rows = await database.rows<{ name: string }>(
    `SELECT name FROM {}.meta WHERE name <> 'repository' ORDER BY name LIMIT 1`,
  );
  return rows.map(({ name }) => `meta: ${name} does not belong here`);
}

async function unsealedJobs(database: Database): Promise<readonly string[]> {
  const found: string[] = [];
  let last = { topic: '', key: '' };
  for (;;) {
    const page = await database.rows<Job & { seal: string }>(
      `SELECT ${JOB}, seal FROM {}.jobs WHERE (topic, key) > ($1, $2) ORDER BY topic, key LIMIT 1000`,
      [last.topic, last.key],
    );
    for (const row of page) {
      if (row.seal !== sealOf(row))
        found.push(`jobs: the row ${row.topic}/${row.key} was changed outside the store`);
    }
    const end = page.at(-1);
    if (end === undefined) return found;
    last = end;
  }
}
