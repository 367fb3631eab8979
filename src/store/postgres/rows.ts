import { sealOf } from '../seal.ts';
import type { Head, ItemRow, Job, Link, NewJob } from '../store.ts';
import type { Statement } from './database.ts';
import type { PlannedEvent } from './plan.ts';

// Each text is constant and prepared once; rows come as arrays, so that many cost one statement.
const EVENTS = `INSERT INTO {}.events (position, stream, version, hash, command, body)
  SELECT (SELECT position FROM {}.log WHERE one = 1) - $1::bigint + place, stream, version, hash, command, body
  FROM unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[]) WITH ORDINALITY
    AS added (stream, version, hash, command, body, place)`;
const HEADS = `INSERT INTO {}.streams (stream, version, hash)
  SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[])
  ON CONFLICT (stream) DO UPDATE SET version = excluded.version, hash = excluded.hash`;
const COLUMNS =
  'number, id, list, kind, protocol, state, category, title, assignee, version, updated_at, due_at, legacy, overdue_at, failures';
const SQUARE = 'list, protocol, state, category, legacy';
/** Rows and, with them, the counts of the squares that they leave and enter. */
const ITEMS = `WITH added AS (SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
    $7::text[], $8::text[], $9::text[], $10::bigint[], $11::text[], $12::text[], $13::boolean[], $14::text[], $15::bigint[])
    AS row (${COLUMNS})),
  old AS (SELECT ${SQUARE} FROM {}.items WHERE id = ANY ($2::text[])),
  put AS (INSERT INTO {}.items (${COLUMNS}) SELECT ${COLUMNS} FROM added
    ON CONFLICT (id) DO UPDATE SET number = excluded.number, list = excluded.list, kind = excluded.kind,
      protocol = excluded.protocol, state = excluded.state, category = excluded.category, title = excluded.title,
      assignee = excluded.assignee, version = excluded.version, updated_at = excluded.updated_at,
      due_at = excluded.due_at, legacy = excluded.legacy, overdue_at = excluded.overdue_at, failures = excluded.failures),
  change AS (SELECT ${SQUARE}, sum(by) AS count FROM
    (SELECT ${SQUARE}, -1 AS by FROM old UNION ALL SELECT ${SQUARE}, 1 FROM added) AS each
    GROUP BY ${SQUARE} HAVING sum(by) <> 0)
  INSERT INTO {}.tallies (${SQUARE}, count) SELECT ${SQUARE}, count FROM change
  ON CONFLICT (${SQUARE}) DO UPDATE SET count = tallies.count + excluded.count`;
const LINKS = `INSERT INTO {}.links (source, kind, target)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) ON CONFLICT DO NOTHING`;
const JOBS = `INSERT INTO {}.jobs (topic, key, payload, available_at, fence, owner, lease_until, finished, seal)
  SELECT topic, key, payload, available_at, 0, '', '', false, seal
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) AS added (topic, key, payload, available_at, seal)
  ON CONFLICT DO NOTHING`;
const PUT_JOBS = `UPDATE {}.jobs AS j SET fence = p.fence, owner = p.owner, lease_until = p.lease_until,
    finished = p.finished, seal = p.seal
  FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::boolean[], $7::text[])
    AS p (topic, key, fence, owner, lease_until, finished, seal) WHERE j.topic = p.topic AND j.key = p.key`;

/** One array for each member, as the statements take them. */
export const columns = <Row>(rows: readonly Row[], ...members: readonly ((row: Row) => unknown)[]) =>
  members.map((member) => rows.map(member));

export const eventRows = (events: readonly PlannedEvent[]): Statement => ({
  text: EVENTS,
  values: [
    events.length,
    ...columns(
      events,
      (e) => e.stream,
      (e) => e.version,
      (e) => e.hash,
      (e) => e.command,
      (e) => e.body,
    ),
  ],
});

export const headRows = (heads: readonly Head[]): Statement => ({
  text: HEADS,
  values: columns(
    heads,
    (h) => h.stream,
    (h) => h.version,
    (h) => h.hash,
  ),
});

export const itemRows = (items: readonly ItemRow[]): Statement => ({
  text: ITEMS,
  values: columns(items, ...ITEM_MEMBERS),
});

const ITEM_MEMBERS: readonly ((row: ItemRow) => unknown)[] = [
  (r) => r.number,
  (r) => r.id,
  (r) => r.list,
  (r) => r.kind,
  (r) => r.protocol,
  (r) => r.state,
  (r) => r.category,
  (r) => r.title,
  (r) => r.assignee,
  (r) => r.version,
  (r) => r.updatedAt,
  (r) => r.dueAt,
  (r) => r.legacy,
  (r) => r.overdueAt,
  (r) => r.failures,
];

export const linkRows = (links: readonly Link[]): Statement => ({
  text: LINKS,
  values: columns(
    links,
    (l) => l.from,
    (l) => l.kind,
    (l) => l.to,
  ),
});

const NEW = { fence: 0, owner: '', leaseUntil: '', finished: false };

export const jobRows = (jobs: readonly NewJob[]): Statement => ({
  text: JOBS,
  values: columns(
    jobs,
    (j) => j.topic,
    (j) => j.key,
    (j) => j.payload,
    (j) => j.availableAt,
    (j) => sealOf({ ...j, ...NEW }),
  ),
});

/** Jobs as they stand from now on. */
export const putJobs = (jobs: readonly Job[]): Statement => ({
  text: PUT_JOBS,
  values: columns(
    jobs,
    (j) => j.topic,
    (j) => j.key,
    (j) => j.fence,
    (j) => j.owner,
    (j) => j.leaseUntil,
    (j) => j.finished,
    sealOf,
  ),
});
