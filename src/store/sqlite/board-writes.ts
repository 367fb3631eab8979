import type { ItemRow } from '../store.ts';
import type { Connection } from './connection.ts';

/** What a tally counts by, as stored, and where the item's row is. */
interface OldRow {
  readonly number: number;
  readonly id: string;
  readonly list: string;
  readonly protocol: string;
  readonly state: string;
  readonly category: string;
  readonly legacy: number;
}

interface ItemWrite {
  readonly old: OldRow | undefined;
  readonly row: ItemRow;
}

/** The rows to write, or the first display number that belongs to another item, and the greatest in use. */
export interface Planned {
  readonly writes: readonly ItemWrite[];
  readonly taken: number | undefined;
  readonly last: number;
}

// Texts are constants: a connection keeps its statements by them, and building one takes as long as running it.
const OLD = 'SELECT number, id, list, protocol, state, category, legacy FROM items';
const OLD_BY_NUMBER = `${OLD} WHERE number = ?`;
const OLD_BY_ID = `${OLD} WHERE id = ?`;
const TALLY = 'INSERT INTO tallies (list, protocol, state, category, legacy, count) VALUES';
const ADDED = 'ON CONFLICT DO UPDATE SET count = count + excluded.count';
const COUNT = `${TALLY} (?, ?, ?, ?, ?, 1) ${ADDED}`;
const MOVE = `${TALLY} (?, ?, ?, ?, ?, -1), (?, ?, ?, ?, ?, 1) ${ADDED}`;

/** Finds the old row of each item. Of several rows for one item the last counts. */
export function planItems(connection: Connection, rows: readonly ItemRow[]): Planned {
  const owners = new Map<number, string>();
  const writes: ItemWrite[] = [];
  for (const row of rows.length > 1 ? new Map(rows.map((row) => [row.id, row])).values() : rows) {
    const holder = connection.prepare<OldRow>(OLD_BY_NUMBER).get(row.number);
    const owner = holder?.id ?? owners.get(row.number) ?? row.id;
    if (owner !== row.id) return { writes: [], taken: row.number, last: lastNumber(connection) };
    owners.set(row.number, row.id);
    writes.push({ old: holder ?? connection.prepare<OldRow>(OLD_BY_ID).get(row.id), row });
  }
  return { writes, taken: undefined, last: 0 };
}

/** The greatest display number in use, 0 for none. */
export function lastNumber(connection: Connection): number {
  return (
    connection.prepare<{ last: number | null }>('SELECT max(number) AS last FROM items').get()?.last ?? 0
  );
}

/** Writes the rows and moves the counts with them. */
export function writeItems(connection: Connection, writes: readonly ItemWrite[]): void {
  for (const { old, row } of writes) {
    if (old) update(connection, old, row);
    else insert(connection, row);
    const legacy = row.legacy ? 1 : 0;
    if (old && sameTally(old, row, legacy)) continue;
    const to = tallyOf(row, legacy);
    if (old) connection.prepare(MOVE).run(...tallyOf(old, old.legacy), ...to);
    else connection.prepare(COUNT).run(...to);
  }
}

function insert(connection: Connection, row: ItemRow): void {
  connection
    .prepare(
      `INSERT INTO items (number, id, list, kind, protocol, state, category, title, assignee, version, updatedAt, dueAt, legacy,
       overdueAt, failures) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(row.number, row.id, ...values(row));
}

/** The row id stays out of the update unless it changes, because it stands in every index. */
function update(connection: Connection, old: OldRow, row: ItemRow): void {
  if (old.number !== row.number) {
    connection.prepare('UPDATE items SET number = ? WHERE number = ?').run(row.number, old.number);
  }
  connection
    .prepare(
      `UPDATE items SET list = ?, kind = ?, protocol = ?, state = ?, category = ?, title = ?, assignee = ?,
       version = ?, updatedAt = ?, dueAt = ?, legacy = ?, overdueAt = ?, failures = ? WHERE number = ?`,
    )
    .run(...values(row), row.number);
}

function values(row: ItemRow): (string | number)[] {
  return [
    row.list,
    row.kind,
    row.protocol,
    row.state,
    row.category,
    row.title,
    row.assignee,
    row.version,
    row.updatedAt,
    row.dueAt,
    row.legacy ? 1 : 0,
    row.overdueAt,
    row.failures,
  ];
}

function sameTally(old: OldRow, row: ItemRow, legacy: number): boolean {
  return (
    old.state === row.state &&
    old.category === row.category &&
    old.list === row.list &&
    old.protocol === row.protocol &&
    old.legacy === legacy
  );
}

type TallyKey = Pick<ItemRow, 'list' | 'protocol' | 'state' | 'category'>;

const tallyOf = ({ list, protocol, state, category }: TallyKey, legacy: number) =>
  [list, protocol, state, category, legacy] as const;
