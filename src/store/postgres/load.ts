import { sealOf } from '../seal.ts';
import { type Job, type StoredEvent, StoreError, type StorePart } from '../store.ts';
import type { Database, Session, Statement } from './database.ts';
import { sqlState } from './failure.ts';
import { columns, headRows, itemRows, linkRows } from './rows.ts';
import { BEGIN, ROLLBACK } from './write.ts';

const EVENTS = `INSERT INTO {}.events (position, stream, version, hash, command, body)
  SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[])`;
const JOBS = `INSERT INTO {}.jobs (topic, key, payload, available_at, fence, owner, lease_until, finished, seal)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[],
    $8::boolean[], $9::text[])`;
const CHECKPOINTS = `INSERT INTO {}.checkpoints (number, note, events)
  SELECT (SELECT coalesce(max(number), 0) FROM {}.checkpoints) + place, note, events
  FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS kept (note, events, place)`;
const TURN = 'SELECT position FROM {}.log WHERE one = 1 FOR UPDATE';
const OWNER = `SELECT value FROM {}.meta WHERE name = 'repository'`;
const LENGTH =
  'UPDATE {}.log SET position = (SELECT coalesce(max(position), 0) FROM {}.events) WHERE one = 1';
// Each part has moved the counts, and the rows that a transaction replaces stay until it ends: read with every page of a
// board, they are written once more, without what lies between them.
const FRESH_TALLIES = [
  'TRUNCATE {}.tallies',
  `INSERT INTO {}.tallies (list, protocol, state, category, legacy, count)
    SELECT list, protocol, state, category, legacy, count(*) FROM {}.items GROUP BY list, protocol, state, category, legacy`,
];
const TABLES = [
  'checkpoints',
  'jobs',
  'links',
  'tallies',
  'items',
  'events',
  'streams',
  'log',
  'meta',
  'migrations',
];

/**
 * Puts rows of another store as they stand into the empty one of a repository, in one transaction: each event under its
 * own position and hash. All of it is durable when the call answers, or nothing of it is there. Throws NOT_EMPTY.
 */
export async function loadPostgres(
  database: Database,
  repository: string,
  parts: () => AsyncIterable<StorePart>,
): Promise<void> {
  await database.insisting(() =>
    database.session(async (session) => {
      const [, turn, owner] = await session.all([BEGIN, { text: TURN }, { text: OWNER }]);
      try {
        assertEmpty(database, repository, turn, owner);
        for await (const part of parts()) await put(session, part);
        await session.all([...FRESH_TALLIES, LENGTH, 'COMMIT'].map((text) => ({ text })));
      } catch (error) {
        await session.all([ROLLBACK]).catch(() => undefined);
        throw error;
      }
    }),
  );
}

type Rows = readonly object[] | undefined;

/** Since it was looked at first, another may have come. */
function assertEmpty({ place }: Database, repository: string, turn: Rows, owner: Rows): void {
  const position = (turn as readonly { position: number }[] | undefined)?.[0]?.position;
  if (position !== 0) throw new StoreError('NOT_EMPTY', `${place} holds a log already; nothing was changed`);
  const found = (owner as readonly { value: string }[] | undefined)?.[0]?.value;
  if (found === repository) return;
  throw new StoreError('NOT_EMPTY', `${place} is for repository ${found}; nothing was changed`);
}

async function put(session: Session, part: StorePart): Promise<void> {
  const { events = [], heads = [], items = [], links = [], jobs = [], checkpoints = [] } = part;
  const statements = [
    ...(heads.length > 0 ? [headRows(heads)] : []),
    ...(events.length > 0 ? [eventRows(events)] : []),
    ...(items.length > 0 ? [itemRows(items)] : []),
    ...(links.length > 0 ? [linkRows(links)] : []),
    ...(jobs.length > 0 ? [jobRows(jobs)] : []),
    ...(checkpoints.length > 0 ? [noteRows(checkpoints)] : []),
  ];
  await session.all(statements);
}

const eventRows = (events: readonly StoredEvent[]): Statement => ({
  text: EVENTS,
  values: columns(
    events,
    (e) => e.position,
    (e) => e.stream,
    (e) => e.version,
    (e) => e.hash,
    (e) => e.command,
    (e) => e.body,
  ),
});

const jobRows = (jobs: readonly Job[]): Statement => ({
  text: JOBS,
  values: columns(
    jobs,
    (j) => j.topic,
    (j) => j.key,
    (j) => j.payload,
    (j) => j.availableAt,
    (j) => j.fence,
    (j) => j.owner,
    (j) => j.leaseUntil,
    (j) => j.finished,
    sealOf,
  ),
});

const noteRows = (notes: NonNullable<StorePart['checkpoints']>): Statement => ({
  text: CHECKPOINTS,
  values: columns(
    notes,
    ({ note }) => note,
    ({ events }) => events,
  ),
});

/** Takes away what a copy has made; the schema too, where nothing else is in it. */
export async function dropTables(database: Database): Promise<void> {
  for (const table of TABLES) await database.rows(`DROP TABLE IF EXISTS {}.${table}`);
  try {
    await database.rows('DROP SCHEMA {}');
  } catch (error) {
    // Somebody keeps something else there, or may not make schemas: then it was there before us.
    if (!['2BP01', '42501', '3F000'].includes(sqlState((error as Error).cause ?? error))) throw error;
  }
}
