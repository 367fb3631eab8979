import { createRequire } from 'node:module';

interface Database {
  prepare(sql: string): {
    all(...values: unknown[]): Record<string, unknown>[];
    run(...values: unknown[]): { changes: number };
  };
  pragma(text: string): unknown;
  exec(sql: string): void;
  close(): void;
}

/** The store's file, opened by somebody who goes round the product. */
export function raw<T>(path: string, work: (db: Database) => T): T {
  const Sqlite = createRequire(import.meta.url)('better-sqlite3') as new (path: string) => Database;
  const db = new Sqlite(path);
  try {
    db.pragma('foreign_keys = OFF');
    return work(db);
  } finally {
    db.close();
  }
}

export interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
}

/** Every column of every table, as the file itself lists them. */
export function columnsOf(path: string): readonly Column[] {
  return raw(path, (db) => {
    const tables = db.prepare(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`).all();
    return tables.flatMap(({ name }) =>
      db
        .prepare(`SELECT name, type FROM pragma_table_info(?)`)
        .all(name)
        .map((info) => ({ table: String(name), column: String(info.name), type: String(info.type) })),
    );
  });
}

export type Row = Readonly<Record<string, unknown>>;

export function rowsOf(path: string, table: string): readonly Row[] {
  return raw(path, (db) => db.prepare(`SELECT * FROM ${table}`).all());
}

/** Puts a value into one column of exactly this row. */
export function setValue(path: string, { table, column }: Column, row: Row, value: unknown): void {
  const where = Object.keys(row).map((name) => `"${name}" IS ?`);
  raw(path, (db) => {
    const update = db.prepare(`UPDATE ${table} SET "${column}" = ? WHERE ${where.join(' AND ')}`);
    if (update.run(value, ...Object.values(row)).changes !== 1) throw new Error('nothing was changed');
  });
}

export function insertRow(path: string, table: string, row: Row): void {
  const names = Object.keys(row).map((name) => `"${name}"`);
  raw(path, (db) =>
    db
      .prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`)
      .run(...Object.values(row)),
  );
}

export function deleteRow(path: string, table: string, row: Row): void {
  const where = Object.keys(row).map((name) => `"${name}" IS ?`);
  raw(path, (db) =>
    db.prepare(`DELETE FROM ${table} WHERE ${where.join(' AND ')}`).run(...Object.values(row)),
  );
}

/** Another value of the same type: one character or digit is not what it was. */
export function otherValue(value: unknown, random: (limit: number) => number): unknown {
  if (typeof value === 'number') return value + (random(2) === 0 ? 1 : -1);
  const text = String(value);
  if (text === '') return 'x';
  const at = random(text.length);
  const code = text.charCodeAt(at);
  return `${text.slice(0, at)}${String.fromCharCode(code === 0x7a ? 0x79 : code + 1)}${text.slice(at + 1)}`;
}
