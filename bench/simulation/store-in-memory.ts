import type { Connection } from '../../src/store/sqlite/connection.ts';
import { connect } from '../../src/store/sqlite/driver.ts';
import { APPLICATION_ID, SCHEMA, SCHEMA_VERSION } from '../../src/store/sqlite/schema.ts';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.ts';

const TABLES = ['meta', 'streams', 'events', 'items', 'tallies', 'links', 'jobs', 'checkpoints'];

function empty(): Connection {
  const connection = connect(':memory:', 'any', 0);
  connection.immediate(() => {
    for (const sql of SCHEMA.values()) connection.exec(sql);
    connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
  return connection;
}

type Row = Readonly<Record<string, string | number | null>>;

/** All that a store holds, to begin others with. */
export type Content = ReadonlyMap<string, readonly Row[]>;

/** The store of the product, in a database that is in memory: nothing else of it is different. */
export function storeInMemory(content: Content): { readonly store: SqliteStore; content(): Content } {
  const connection = empty();
  connection.immediate(() => {
    for (const [table, rows] of content)
      for (const row of rows) {
        const names = Object.keys(row);
        const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
        connection.prepare(sql).run(...Object.values(row));
      }
  });
  return {
    store: new SqliteStore(':memory:', connection),
    content: () =>
      new Map(TABLES.map((table) => [table, connection.prepare<Row>(`SELECT * FROM ${table}`).all()])),
  };
}

/** A store that belongs to a repository, and knows nothing else. */
export const nothingOf = (repository: string): Content =>
  new Map([
    [
      'meta',
      [
        { name: 'repository', value: repository },
        { name: 'schema', value: String(SCHEMA_VERSION) },
      ],
    ],
  ]);
