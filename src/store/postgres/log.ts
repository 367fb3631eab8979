import type { Head, StoredEvent } from '../store.ts';
import type { Database } from './database.ts';

export const EVENT = 'stream, version, position, hash, command, body';

/** The events of one stream, oldest first. */
export const eventsOfStream = (database: Database, stream: string) =>
  database.rows<StoredEvent>(`SELECT ${EVENT} FROM {}.events WHERE stream = $1 ORDER BY version`, [stream]);

/** Up to `limit` events after a position, in the order of the whole log. */
export const eventsAfter = (database: Database, position: number, limit: number) =>
  database.rows<StoredEvent>(
    `SELECT ${EVENT} FROM {}.events WHERE position > $1 ORDER BY position LIMIT $2`,
    [position, Math.max(0, limit)],
  );

/** Version and hash of the last event of a stream; version 0 and '' when it has none. */
export async function headOf(database: Database, stream: string): Promise<Head> {
  const [head] = await database.rows<Head>('SELECT stream, version, hash FROM {}.streams WHERE stream = $1', [
    stream,
  ]);
  return head ?? { stream, version: 0, hash: '' };
}

/** Heads of the streams after a name, ordered by the bytes of the name. */
export const headsAfter = (database: Database, stream: string, limit: number) =>
  database.rows<Head>(
    'SELECT stream, version, hash FROM {}.streams WHERE stream > $1 ORDER BY stream LIMIT $2',
    [stream, Math.max(0, limit)],
  );

/** Counts the rows; the number does not rest on the last position. */
export async function eventCount(database: Database): Promise<number> {
  const [row] = await database.rows<{ count: number }>('SELECT count(*) AS count FROM {}.events');
  return row?.count ?? 0;
}

/** The id of the repository whose store this is, '' when it does not say. */
export async function repositoryOf(database: Database): Promise<string> {
  const [row] = await database.rows<{ value: string }>(`SELECT value FROM {}.meta WHERE name = 'repository'`);
  return row?.value ?? '';
}
