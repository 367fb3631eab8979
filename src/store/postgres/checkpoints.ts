import type { Database } from './database.ts';
import { BEGIN } from './write.ts';

/** A signed note about the log, and the count of events it covers. */
export interface CheckpointRow {
  readonly note: string;
  readonly events: number;
}

const NEWEST = 'SELECT note, events FROM {}.checkpoints ORDER BY number DESC LIMIT $1';
const TURN = 'SELECT position FROM {}.log WHERE one = 1 FOR UPDATE';
const KEEP = `INSERT INTO {}.checkpoints (number, note, events)
  SELECT coalesce(max(number), 0) + 1, $1, $2::bigint FROM {}.checkpoints HAVING $3::text IS NULL
    OR $3 = coalesce((SELECT note FROM {}.checkpoints ORDER BY number DESC LIMIT 1), '') RETURNING number`;

/** Keeps a checkpoint, durable after the call; not when it was made to follow another note than the newest. */
export async function saveCheckpoint(
  database: Database,
  note: string,
  events: number,
  after: string | undefined,
): Promise<boolean> {
  return database.insisting(async (retried) => {
    if (retried && (await newestCheckpoints(database, 1))[0]?.note === note) return true;
    return database.session(async (session) => {
      const keep = { text: KEEP, values: [note, events, after ?? null] };
      const [, , kept] = await session.all([BEGIN, { text: TURN }, keep, { text: 'COMMIT' }]);
      return kept?.length === 1;
    });
  });
}

/** Newest first. */
export const newestCheckpoints = (database: Database, limit: number) =>
  database.rows<CheckpointRow>(NEWEST, [Math.max(0, limit)]);
