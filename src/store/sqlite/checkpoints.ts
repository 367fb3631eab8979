import type { Connection } from './connection.ts';

/** A signed note about the log, and the count of events it covers. */
export interface CheckpointRow {
  readonly note: string;
  readonly events: number;
}

/** Keeps a checkpoint, durable after the call; not when it was made to follow another note than the newest. */
export function saveCheckpoint(
  connection: Connection,
  note: string,
  events: number,
  after: string | undefined,
): boolean {
  return connection.immediate(() => {
    const [newest] = newestCheckpoints(connection, 1);
    if (after !== undefined && (newest?.note ?? '') !== after) return false;
    connection.prepare('INSERT INTO checkpoints (note, events) VALUES (?, ?)').run(note, events);
    return true;
  });
}

/** Newest first. */
export function newestCheckpoints(connection: Connection, limit: number): CheckpointRow[] {
  return connection
    .prepare<CheckpointRow>('SELECT note, events FROM checkpoints ORDER BY number DESC LIMIT ?')
    .all(Math.max(0, limit));
}
