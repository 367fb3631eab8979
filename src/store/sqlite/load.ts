import type { ItemRow, Link, StoredEvent, StorePart } from '../store.ts';
import { planItems, writeItems } from './board-writes.ts';
import type { Connection } from './connection.ts';
import { create } from './create.ts';
import { connect } from './driver.ts';
import { storeError } from './failure.ts';
import { insertJob } from './jobs.ts';

/**
 * Makes a store file that holds rows of another store as they stand, each event under its own position and hash. All of
 * it is durable when the call answers. Whoever calls takes a file away that was left half made.
 */
export async function loadSqlite(
  path: string,
  repositoryId: string,
  parts: () => AsyncIterable<StorePart>,
): Promise<void> {
  create(path, repositoryId, 'any');
  const connection = connect(path, 'any', 0);
  try {
    connection.exec('BEGIN IMMEDIATE');
    for await (const part of parts()) put(connection, part);
    connection.exec('COMMIT');
  } catch (error) {
    throw storeError(path, error);
  } finally {
    connection.close();
  }
}

function put(connection: Connection, part: StorePart): void {
  for (const { stream, version, hash } of part.heads ?? []) {
    connection
      .prepare('INSERT INTO streams (stream, version, hash) VALUES (?, ?, ?)')
      .run(stream, version, hash);
  }
  for (const event of part.events ?? []) putEvent(connection, event);
  putItems(connection, part.items ?? []);
  for (const link of part.links ?? []) putLink(connection, link);
  for (const job of part.jobs ?? []) insertJob(connection, job);
  for (const { note, events } of part.checkpoints ?? []) {
    connection.prepare('INSERT INTO checkpoints (note, events) VALUES (?, ?)').run(note, events);
  }
}

function putEvent(
  connection: Connection,
  { position, stream, version, hash, command, body }: StoredEvent,
): void {
  connection
    .prepare('INSERT INTO events (position, stream, version, hash, command, body) VALUES (?, ?, ?, ?, ?, ?)')
    .run(position, stream, version, hash, command, body);
}

function putItems(connection: Connection, items: readonly ItemRow[]): void {
  writeItems(connection, planItems(connection, items).writes);
}

function putLink(connection: Connection, { from, kind, to }: Link): void {
  connection.prepare('INSERT INTO links (source, kind, target) VALUES (?, ?, ?)').run(from, kind, to);
}
