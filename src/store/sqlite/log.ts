import { genesis, link } from '../../attestation/chain.ts';
import type { Append, Head, StoredEvent } from '../store.ts';
import type { Connection } from './connection.ts';
import { damaged } from './failure.ts';

const EVENT = 'stream, version, position, hash, command, body';
const OF_STREAM = `SELECT ${EVENT} FROM events WHERE stream = ? ORDER BY version`;
const OF_COMMAND = `SELECT ${EVENT} FROM events WHERE command = ? ORDER BY position`;

/** The events of one stream, oldest first. */
export function eventsOfStream(connection: Connection, stream: string): StoredEvent[] {
  return connection.prepare<StoredEvent>(OF_STREAM).all(stream);
}

/** The events that a command caused, oldest first; none when it was never applied. */
export function eventsOfCommand(connection: Connection, command: string): StoredEvent[] {
  return connection.prepare<StoredEvent>(OF_COMMAND).all(command);
}

/** Up to `limit` events after a position, in the order of the whole log. */
export function eventsAfter(connection: Connection, position: number, limit: number): StoredEvent[] {
  return connection
    .prepare<StoredEvent>(`SELECT ${EVENT} FROM events WHERE position > ? ORDER BY position LIMIT ?`)
    .all(position, limit);
}

/** Version and hash of the last event of a stream; version 0 and '' when it has none. */
export function headOf(connection: Connection, stream: string): Head {
  return (
    connection.prepare<Head>('SELECT stream, version, hash FROM streams WHERE stream = ?').get(stream) ?? {
      stream,
      version: 0,
      hash: '',
    }
  );
}

/**
 * Chains and writes new events to one stream, behind the head that the caller has read under the write lock.
 * Positions are without gaps because SQLite gives a row the number after the greatest and writers take turns.
 */
export function append(connection: Connection, head: Head, command: string, added: Append): StoredEvent[] {
  const { stream, bodies } = added;
  let { version } = head;
  let hash = version === 0 ? genesis(stream) : head.hash;
  if (!/^[0-9a-f]{64}$/.test(hash)) throw damaged(`stream ${stream}`, 'its head carries no hash');
  const chained = bodies.map((body) => {
    version += 1;
    hash = link(hash, stream, version, body);
    return { stream, version, hash, command, body };
  });
  if (chained.length === 0) return [];
  connection
    .prepare(
      `INSERT INTO streams (stream, version, hash) VALUES (?, ?, ?)
       ON CONFLICT (stream) DO UPDATE SET version = excluded.version, hash = excluded.hash`,
    )
    .run(stream, version, hash);
  const insert = connection.prepare(
    'INSERT INTO events (stream, version, hash, command, body) VALUES (?, ?, ?, ?, ?)',
  );
  return chained.map((event) => {
    const row = insert.run(stream, event.version, event.hash, command, event.body);
    return { ...event, position: Number(row.lastInsertRowid) };
  });
}

/** Heads of the streams after a name, ordered by the bytes of the name. */
export function headsAfter(connection: Connection, stream: string, limit: number): Head[] {
  return connection
    .prepare<Head>('SELECT stream, version, hash FROM streams WHERE stream > ? ORDER BY stream LIMIT ?')
    .all(stream, limit);
}

/** Counts the rows; the number does not rest on the last position. */
export function eventCount(connection: Connection): number {
  return connection.prepare<{ count: number }>('SELECT count(*) AS count FROM events').get()?.count ?? 0;
}
