import { createRequire } from 'node:module';
import { sha256Hex } from '../../src/attestation/digest.ts';
import { SCHEMA } from '../../src/store/sqlite/schema.ts';
import type { ItemRow } from '../../src/store/store.ts';

interface Raw {
  exec(sql: string): unknown;
  prepare(sql: string): { run(...values: unknown[]): unknown };
  close(): unknown;
}

/** One transition as rows: the event, its stream's head, the item, and the counts it moves between. */
export interface Rows {
  readonly stream: string;
  readonly version: number;
  readonly body: string;
  readonly command: string;
  readonly row: ItemRow;
  readonly from: { readonly state: string; readonly category: string };
}

export interface Floor {
  /** Writes the rows in one transaction that is on the disk when the call answers; nothing is read or checked. */
  write(rows: Rows): void;
  close(): void;
}

const EVENT = 'INSERT INTO events (stream, version, hash, command, body) VALUES (?, ?, ?, ?, ?)';
const HEAD = `INSERT INTO streams (stream, version, hash) VALUES (?, ?, ?)
  ON CONFLICT (stream) DO UPDATE SET version = excluded.version, hash = excluded.hash`;
const ITEM = `INSERT INTO items (number, id, list, kind, protocol, state, category, title, assignee, version, updatedAt, dueAt, legacy,
  overdueAt, failures) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?) ON CONFLICT (number) DO UPDATE SET state = excluded.state,
  category = excluded.category, assignee = excluded.assignee, version = excluded.version, updatedAt = excluded.updatedAt`;
const TALLY = `INSERT INTO tallies (list, protocol, state, category, legacy, count) VALUES (?, ?, ?, ?, 0, ?)
  ON CONFLICT DO UPDATE SET count = count + excluded.count`;

/** The bare library on a file with the store's own tables and the same durability. */
export function floorDatabase(path: string): Floor {
  const Database = createRequire(import.meta.url)('better-sqlite3') as new (path: string) => Raw;
  const raw = new Database(path);
  raw.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  for (const sql of SCHEMA.values()) raw.exec(sql);
  const [begin, commit] = [raw.prepare('BEGIN IMMEDIATE'), raw.prepare('COMMIT')];
  const [event, head, item, tally] = [EVENT, HEAD, ITEM, TALLY].map((sql) => raw.prepare(sql));
  const hash = sha256Hex('as long as any other');
  return {
    write({ stream, version, body, command, row, from }) {
      begin?.run();
      head?.run(stream, version, hash);
      event?.run(stream, version, hash, command, body);
      const { number, id, list, kind, protocol, state, category, title, assignee, updatedAt, dueAt } = row;
      const { overdueAt, failures } = row;
      item?.run(
        number,
        id,
        list,
        kind,
        protocol,
        state,
        category,
        title,
        assignee,
        version,
        updatedAt,
        dueAt,
        overdueAt,
        failures,
      );
      tally?.run(list, protocol, from.state, from.category, -1);
      tally?.run(list, protocol, state, category, 1);
      commit?.run();
    },
    close: () => void raw.close(),
  };
}
