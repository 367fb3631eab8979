import type { ItemQuery, ItemRow, Link, Tally } from '../store.ts';
import type { Database } from './database.ts';

const ITEM = `number, id, list, kind, protocol, state, category, title, assignee, version, updated_at AS "updatedAt",
  due_at AS "dueAt", legacy, overdue_at AS "overdueAt", failures`;
const LINK = 'source AS "from", kind, target AS "to"';
const TALLY = 'list, protocol, state, category, legacy, count';

const first = async (rows: Promise<readonly ItemRow[]>) => (await rows)[0];
const most = (limit: number) => Math.max(0, limit);

export const itemById = (database: Database, id: string) =>
  first(database.rows<ItemRow>(`SELECT ${ITEM} FROM {}.items WHERE id = $1`, [id]));

export const itemByNumber = (database: Database, number: number) =>
  first(database.rows<ItemRow>(`SELECT ${ITEM} FROM {}.items WHERE number = $1`, [number]));

/** Every item after a number, in order. */
export const itemsAfter = (database: Database, number: number, limit: number) =>
  database.rows<ItemRow>(`SELECT ${ITEM} FROM {}.items WHERE number > $1 ORDER BY number LIMIT $2`, [
    number,
    most(limit),
  ]);

/**
 * One page of a board. The tallies name the squares (list, state, category) that hold anything; each square is one
 * range of an index, already in order, so that a page costs the same at a million items.
 */
export function board(database: Database, query: ItemQuery): Promise<readonly ItemRow[]> {
  const { list, states, categories, assignee, after, limit } = query;
  if (list === undefined && assignee === undefined && states.length === 0 && categories.length === 0) {
    return itemsAfter(database, after, limit);
  }
  const square = [list ?? null, states.length > 0 ? states : null, categories.length > 0 ? categories : null];
  const values = [...square, after, most(limit), ...(assignee === undefined ? [] : [assignee])];
  return database.rows<ItemRow>(assignee === undefined ? PAGE : PAGE_OF_ONE, values);
}

const PAGE = pageOf('');
const PAGE_OF_ONE = pageOf('i.assignee = $6 AND ');

function pageOf(condition: string): string {
  return `WITH page AS (SELECT each.number FROM
    (SELECT DISTINCT list, state, category FROM {}.tallies WHERE count <> 0
      AND ($1::text IS NULL OR list = $1) AND ($2::text[] IS NULL OR state = ANY ($2))
      AND ($3::text[] IS NULL OR category = ANY ($3))) AS square
    CROSS JOIN LATERAL (SELECT i.number FROM {}.items AS i WHERE ${condition}i.list = square.list
      AND i.state = square.state AND i.category = square.category AND i.number > $4::bigint
      ORDER BY i.number LIMIT $5) AS each
    ORDER BY each.number LIMIT $5)
  SELECT ${ITEM} FROM {}.items WHERE number IN (SELECT number FROM page) ORDER BY number`;
}

/** The greatest display number in use, 0 for none. */
export async function lastNumber(database: Database): Promise<number> {
  const [row] = await database.rows<{ last: number }>(
    'SELECT coalesce(max(number), 0)::bigint AS last FROM {}.items',
  );
  return row?.last ?? 0;
}

/** Items whose timer is due, earliest first. */
export const due = (database: Database, now: string, limit: number) =>
  database.rows<ItemRow>(
    `SELECT ${ITEM} FROM {}.items WHERE due_at <> '' AND due_at <= $1 ORDER BY due_at, number LIMIT $2`,
    [now, most(limit)],
  );

/** Items past the allowance of their state, the longest first. */
export const overdue = (database: Database, now: string, limit: number) =>
  database.rows<ItemRow>(
    `SELECT ${ITEM} FROM {}.items WHERE overdue_at <> '' AND overdue_at <= $1 ORDER BY overdue_at, number LIMIT $2`,
    [now, most(limit)],
  );

/** Items with so many failures in one state, the most first. */
export const failing = (database: Database, atLeast: number, limit: number) =>
  database.rows<ItemRow>(
    `SELECT ${ITEM} FROM {}.items WHERE failures > 0 AND failures >= $1 ORDER BY failures DESC, number LIMIT $2`,
    [atLeast, most(limit)],
  );

/** The counts that are not zero, of one list or of all. */
export const tallies = (database: Database, list: string | undefined) =>
  database.rows<Tally>(
    `SELECT ${TALLY} FROM {}.tallies WHERE count <> 0 AND ($1::text IS NULL OR list = $1) ORDER BY ${TALLY}`,
    [list ?? null],
  );

export const linksFrom = (database: Database, id: string) =>
  database.rows<Link>(`SELECT ${LINK} FROM {}.links WHERE source = $1 ORDER BY kind, target`, [id]);

export const linksTo = (database: Database, id: string) =>
  database.rows<Link>(`SELECT ${LINK} FROM {}.links WHERE target = $1 ORDER BY source, kind`, [id]);

export const allLinks = (database: Database) =>
  database.rows<Link>(`SELECT ${LINK} FROM {}.links ORDER BY source, kind, target`);
