import type { Connection } from './connection.ts';
import { SCHEMA, SCHEMA_VERSION } from './schema.ts';

/** Columns of an item's row in the first schema; the second adds when it is overdue, and its failures. */
const FIRST =
  'number, id, list, kind, protocol, state, category, title, assignee, version, updatedAt, dueAt, legacy';

/**
 * Brings a file of an earlier schema to the present one, in one transaction. The log stays as it is, byte for byte: only
 * the views are made anew. What the new columns say of an item from before is nothing, as no protocol of that time had
 * allowances or counted failures. A second process that comes at the same time finds it done.
 */
export function upgrade(connection: Connection): void {
  connection.immediate(() => {
    if (connection.pragma('user_version') === SCHEMA_VERSION) return;
    connection.exec('ALTER TABLE items RENAME TO items_before');
    connection.exec(SCHEMA.get('items') ?? '');
    connection.exec(
      `INSERT INTO items (${FIRST}, overdueAt, failures) SELECT ${FIRST}, '', 0 FROM items_before`,
    );
    connection.exec('DROP TABLE items_before');
    for (const [name, sql] of SCHEMA) if (name.startsWith('items_')) connection.exec(sql);
    connection.prepare('UPDATE meta SET value = ? WHERE name = ?').run(String(SCHEMA_VERSION), 'schema');
    connection.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}
