import type { ItemQuery, ItemRow, Link, Tally } from '../store.ts';
import type { Connection } from './connection.ts';

const ITEM =
  'id, number, list, kind, protocol, state, category, title, assignee, version, updatedAt, dueAt, legacy, overdueAt, failures';
const LINK = 'source AS "from", kind, target AS "to"';
const TALLY = 'list, protocol, state, category, legacy, count';

type Stored<Row extends { readonly legacy: boolean }> = Omit<Row, 'legacy'> & { readonly legacy: number };

const read = <Row extends { readonly legacy: boolean }>(stored: Stored<Row>) => ({
  ...stored,
  legacy: stored.legacy !== 0,
});

export function itemById(connection: Connection, id: string): ItemRow | undefined {
  const found = connection.prepare<Stored<ItemRow>>(`SELECT ${ITEM} FROM items WHERE id = ?`).get(id);
  return found && read<ItemRow>(found);
}

export function itemByNumber(connection: Connection, number: number): ItemRow | undefined {
  const found = connection.prepare<Stored<ItemRow>>(`SELECT ${ITEM} FROM items WHERE number = ?`).get(number);
  return found && read<ItemRow>(found);
}

/** Every item after a number, in order. */
export function itemsAfter(connection: Connection, number: number, limit: number): ItemRow[] {
  return connection
    .prepare<Stored<ItemRow>>(`SELECT ${ITEM} FROM items WHERE number > ? ORDER BY number LIMIT ?`)
    .all(number, Math.max(0, limit))
    .map((row) => read<ItemRow>(row));
}

/**
 * One page of a board. The tallies name the squares (list, state, category) that hold anything; each square is
 * one range of an index, already in order, so that a page costs the same at a million items.
 */
export function board(connection: Connection, query: ItemQuery): ItemRow[] {
  const { list, states, categories, assignee, after } = query;
  const limit = Math.max(0, query.limit);
  if (list === undefined && assignee === undefined && states.length === 0 && categories.length === 0) {
    return itemsAfter(connection, after, limit);
  }
  return connection.snapshot(() => {
    const found = squares(connection, query);
    const [square] = found;
    if (square !== undefined && found.length === 1)
      return inSquare<Stored<ItemRow>>(connection, ITEM, square, query).map((row) => read<ItemRow>(row));
    const numbers = found.flatMap((one) => inSquare<{ number: number }>(connection, 'number', one, query));
    const page = numbers
      .map(({ number }) => number)
      .sort((a, b) => a - b)
      .slice(0, limit);
    return connection
      .prepare<Stored<ItemRow>>(OF_PAGE)
      .all(JSON.stringify(page))
      .map((row) => read<ItemRow>(row));
  });
}

/** The rows of a page in one question, whatever squares they stand in. */
const OF_PAGE = `SELECT ${ITEM} FROM items WHERE number IN (SELECT value FROM json_each(?)) ORDER BY number`;

type Square = Pick<ItemRow, 'list' | 'state' | 'category'>;

function squares(connection: Connection, { list, states, categories }: ItemQuery): Square[] {
  return connection
    .prepare<Square>('SELECT DISTINCT list, state, category FROM tallies WHERE count <> 0')
    .all()
    .filter(
      (square) =>
        (list === undefined || square.list === list) &&
        (states.length === 0 || states.includes(square.state)) &&
        (categories.length === 0 || categories.includes(square.category)),
    );
}

function inSquare<Row>(
  connection: Connection,
  columns: string,
  { list, state, category }: Square,
  { assignee, after, limit }: ItemQuery,
): Row[] {
  const square = 'list = ? AND state = ? AND category = ? AND number > ? ORDER BY number LIMIT ?';
  const place = [list, state, category, after, Math.max(0, limit)];
  return assignee === undefined
    ? connection.prepare<Row>(`SELECT ${columns} FROM items WHERE ${square}`).all(...place)
    : connection
        .prepare<Row>(`SELECT ${columns} FROM items WHERE assignee = ? AND ${square}`)
        .all(assignee, ...place);
}

/** Items whose timer is due, earliest first. */
export function due(connection: Connection, now: string, limit: number): ItemRow[] {
  return connection
    .prepare<Stored<ItemRow>>(
      `SELECT ${ITEM} FROM items WHERE dueAt <> '' AND dueAt <= ? ORDER BY dueAt, number LIMIT ?`,
    )
    .all(now, Math.max(0, limit))
    .map((row) => read<ItemRow>(row));
}

const OVERDUE = `SELECT ${ITEM} FROM items WHERE overdueAt <> '' AND overdueAt <= ? ORDER BY overdueAt, number LIMIT ?`;
const FAILING = `SELECT ${ITEM} FROM items WHERE failures > 0 AND failures >= ? ORDER BY failures DESC, number LIMIT ?`;

/** Items past the allowance of their state, the longest first. */
export function overdue(connection: Connection, now: string, limit: number): ItemRow[] {
  const rows = connection.prepare<Stored<ItemRow>>(OVERDUE).all(now, Math.max(0, limit));
  return rows.map((row) => read<ItemRow>(row));
}

/** Items with so many failures in one state, the most first. */
export function failing(connection: Connection, atLeast: number, limit: number): ItemRow[] {
  const rows = connection.prepare<Stored<ItemRow>>(FAILING).all(atLeast, Math.max(0, limit));
  return rows.map((row) => read<ItemRow>(row));
}

/** The counts that are not zero, of one list or of all. */
export function tallies(connection: Connection, list: string | undefined): Tally[] {
  const rows =
    list === undefined
      ? connection.prepare<Stored<Tally>>(`SELECT ${TALLY} FROM tallies WHERE count <> 0`).all()
      : connection
          .prepare<Stored<Tally>>(`SELECT ${TALLY} FROM tallies WHERE count <> 0 AND list = ?`)
          .all(list);
  return rows.map((row) => read<Tally>(row));
}

export function linksFrom(connection: Connection, id: string): Link[] {
  return connection.prepare<Link>(`SELECT ${LINK} FROM links WHERE source = ? ORDER BY kind, target`).all(id);
}

export function linksTo(connection: Connection, id: string): Link[] {
  return connection.prepare<Link>(`SELECT ${LINK} FROM links WHERE target = ? ORDER BY source, kind`).all(id);
}

export function allLinks(connection: Connection): Link[] {
  return connection.prepare<Link>(`SELECT ${LINK} FROM links ORDER BY source, kind, target`).all();
}
