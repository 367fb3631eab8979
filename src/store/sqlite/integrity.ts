import type { Connection } from './connection.ts';
import { unsealedJobs } from './jobs.ts';
import { SCHEMA, SCHEMA_VERSION } from './schema.ts';

/**
 * Everything that SQLite and the store itself find wrong with the file, one sentence each; none is a sound file.
 * A check that cannot run is a finding. The content of streams and views is for the audit to judge.
 */
export function findings(connection: Connection): string[] {
  const checks = [pages, references, schema, meta, unsealedJobs];
  return checks.flatMap((check) => {
    try {
      return check(connection);
    } catch (error) {
      return [`${check.name}: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
}

function pages(connection: Connection): string[] {
  const rows = connection.prepare<{ integrity_check: string }>('PRAGMA integrity_check').all();
  return rows.map((row) => row.integrity_check).filter((line) => line !== 'ok');
}

function references(connection: Connection): string[] {
  const rows = connection
    .prepare<{ table: string; rowid: number; parent: string }>('PRAGMA foreign_key_check')
    .all();
  return rows.map(({ table, rowid, parent }) => `${table}: row ${rowid} has no row in ${parent}`);
}

function schema(connection: Connection): string[] {
  const version = connection.pragma('user_version');
  const found = version === SCHEMA_VERSION ? [] : [`schema: version ${version} instead of ${SCHEMA_VERSION}`];
  // SQLite's own indexes for keys have no text and cannot be dropped alone.
  const rows = connection
    .prepare<{ type: string; name: string; sql: string }>(
      'SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL',
    )
    .all();
  const actual = new Map(rows.map((row) => [row.name, row]));
  for (const [name, sql] of SCHEMA) {
    const row = actual.get(name);
    if (!row) found.push(`schema: ${name} is missing`);
    else if (row.sql !== sql) found.push(`schema: ${row.type} ${name} was changed`);
  }
  for (const { type, name } of rows) {
    if (!SCHEMA.has(name)) found.push(`schema: ${type} ${name} does not belong here`);
  }
  return found;
}

/** The repository's id and the schema's version, and nothing else. */
function meta(connection: Connection): string[] {
  const rows = connection
    .prepare<{ name: string; value: string }>('SELECT name, value FROM meta ORDER BY name')
    .all();
  const version = rows.find((row) => row.name === 'schema')?.value;
  const found =
    version === String(SCHEMA_VERSION) ? [] : [`meta: schema ${version} is not ${SCHEMA_VERSION}`];
  const stranger = rows.find((row) => row.name !== 'schema' && row.name !== 'repository');
  return stranger === undefined ? found : [...found, `meta: ${stranger.name} does not belong here`];
}
