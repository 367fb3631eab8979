/** What is bound to a parameter or comes back in a column; all columns here are text or whole numbers. */
export type Value = string | number | null;

export interface Statement<Row> {
  run(...values: Value[]): { readonly changes: number; readonly lastInsertRowid: number };
  get(...values: Value[]): Row | undefined;
  all(...values: Value[]): Row[];
  iterate(...values: Value[]): Iterable<Row>;
}

export type DriverName = 'node:sqlite' | 'better-sqlite3';

/** One open SQLite file. Synchronous, as both libraries are; errors are those of the library. */
export interface Connection {
  readonly driver: DriverName;
  exec(sql: string): void;
  /** The statement for this text; prepared at its first use and kept. */
  prepare<Row>(sql: string): Statement<Row>;
  /** The value of a pragma that answers one row. */
  pragma(name: string): Value | undefined;
  /** Runs the work under the write lock: all of it is durable after the call, or none of it happened. */
  immediate<T>(work: () => T): T;
  /** Runs the queries on one snapshot of the file. */
  snapshot<T>(work: () => T): T;
  close(): void;
}

/** The part of a library that a connection is built on; `prepare` is called once for each text. */
export interface Library {
  exec(sql: string): unknown;
  prepare(sql: string): unknown;
  close(): unknown;
}

/** A connection over a library whose statements already have the shape of Statement. */
export function connectionOver(driver: DriverName, library: Library): Connection {
  const statements = new Map<string, Statement<unknown>>();
  const prepare = <Row>(sql: string): Statement<Row> => {
    let statement = statements.get(sql);
    if (!statement) {
      statement = library.prepare(sql) as Statement<unknown>;
      statements.set(sql, statement);
    }
    return statement as Statement<Row>;
  };
  const within = <T>(begin: string, work: () => T): T => {
    prepare(begin).run();
    try {
      const value = work();
      prepare('COMMIT').run();
      return value;
    } catch (error) {
      rollBack(library);
      throw error;
    }
  };
  return {
    driver,
    prepare,
    exec: (sql) => void library.exec(sql),
    pragma: (name) => Object.values(prepare<Record<string, Value>>(`PRAGMA ${name}`).get() ?? {})[0],
    immediate: (work) => within('BEGIN IMMEDIATE', work),
    snapshot: (work) => within('BEGIN', work),
    close: () => void library.close(),
  };
}

function rollBack(library: Library): void {
  try {
    library.exec('ROLLBACK');
  } catch {
    // SQLite has rolled back by itself (disk full, I/O error); the first error is the one to report.
  }
}
