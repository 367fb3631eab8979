import { sealOf } from '../seal.ts';
import type { Fence, Head, ItemRow, Job, Link, NewJob } from '../store.ts';
import type { Session, Statement } from './database.ts';
import { damaged } from './failure.ts';
import type { Plan } from './plan.ts';

// Each text is constant and prepared once; rows come as arrays, so that many cost one statement.
export const BEGIN: Statement = { text: 'BEGIN ISOLATION LEVEL READ COMMITTED' };
const COMMIT: Statement = { text: 'COMMIT' };
export const ROLLBACK: Statement = { text: 'ROLLBACK' };
/** Takes places at the end of the log, and with them the turn to write. */
const TURN = 'UPDATE {}.log SET position = position + $1 WHERE one = 1 RETURNING position';
/** Divides by zero unless what the plan rests on still holds: the one error that ends a transaction everywhere. */
const GUARD = `SELECT 1 / CASE WHEN
  NOT EXISTS (SELECT 1 FROM {}.events WHERE command = ANY ($1::text[]))
  AND NOT EXISTS (SELECT 1 FROM unnest($2::text[], $3::bigint[]) AS seen (stream, version)
    LEFT JOIN {}.streams AS now ON now.stream = seen.stream WHERE coalesce(now.version, 0) <> seen.version)
  THEN 1 ELSE 0 END AS held`;
const HELD = `WITH held AS (
  SELECT 1 FROM {}.jobs AS j JOIN unnest($1::text[], $2::text[], $3::bigint[]) AS f (topic, key, token)
    ON j.topic = f.topic AND j.key = f.key AND j.fence = f.token
  WHERE NOT j.finished FOR UPDATE OF j)
  SELECT 1 / CASE WHEN count(*) = $4 THEN 1 ELSE 0 END AS held FROM held`;
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
export const PUT_JOBS = `UPDATE {}.jobs AS j SET fence = p.fence, owner = p.owner, lease_until = p.lease_until,
    finished = p.finished, seal = p.seal
  FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::boolean[], $7::text[])
    AS p (topic, key, fence, owner, lease_until, finished, seal) WHERE j.topic = p.topic AND j.key = p.key`;

/**
 * Writes a plan in one transaction, sent in one go: whoever has the turn keeps others waiting for the disk, not for the
 * way to us and back. Answers the position of the last event. When the plan no longer holds, nothing is written and the
 * error of the guard is thrown.
 */
export async function writePlan(session: Session, { place }: { place: string }, plan: Plan): Promise<number> {
  const [, turn] = await session.all([
    BEGIN,
    { text: TURN, values: [plan.events.length] },
    ...rowsOf(plan),
    COMMIT,
  ]);
  return positionOf(place, turn);
}

/** The same within a transaction that has the turn already. */
export async function writeInTurn(
  session: Session,
  { place }: { place: string },
  plan: Plan,
): Promise<number> {
  const [turn] = await session.all([{ text: TURN, values: [plan.events.length] }, ...rowsOf(plan), COMMIT]);
  return positionOf(place, turn);
}

/** Begins a transaction and waits for the turn. */
export const takeTurn = (session: Session) => session.all([BEGIN, { text: TURN, values: [0] }]);

function positionOf(place: string, turn: readonly object[] | undefined): number {
  const position = (turn as readonly { position: number }[] | undefined)?.[0]?.position;
  if (position === undefined) throw damaged(place, 'it does not say how long its log is');
  return position;
}

function rowsOf(plan: Plan): readonly Statement[] {
  const { events, heads, items, links, jobs, held, finished, versions, commands } = plan;
  const seen = [versions.map(({ stream }) => stream), versions.map(({ version }) => version)];
  const guard = { text: GUARD, values: [commands, ...seen] };
  return [
    ...(commands.length + versions.length > 0 ? [guard] : []),
    ...(held.length > 0 ? [heldBy(held)] : []),
    ...(events.length > 0 ? [eventRows(plan), headRows(heads)] : []),
    ...(items.length > 0 ? [itemRows(items)] : []),
    ...(links.length > 0 ? [linkRows(links)] : []),
    ...(jobs.length > 0 ? [jobRows(jobs)] : []),
    ...(finished.length > 0 ? [putJobs(finished)] : []),
  ];
}

/** One array for each member, as the statements take them. */
const columns = <Row>(rows: readonly Row[], ...members: readonly ((row: Row) => unknown)[]) =>
  members.map((member) => rows.map(member));

const heldBy = (fences: readonly Fence[]): Statement => ({
  text: HELD,
  values: [
    ...columns(
      fences,
      (f) => f.topic,
      (f) => f.key,
      (f) => f.token,
    ),
    fences.length,
  ],
});

const eventRows = ({ events }: Plan): Statement => ({
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

const headRows = (heads: readonly Head[]): Statement => ({
  text: HEADS,
  values: columns(
    heads,
    (h) => h.stream,
    (h) => h.version,
    (h) => h.hash,
  ),
});

const itemRows = (items: readonly ItemRow[]): Statement => ({
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

const linkRows = (links: readonly Link[]): Statement => ({
  text: LINKS,
  values: columns(
    links,
    (l) => l.from,
    (l) => l.kind,
    (l) => l.to,
  ),
});

const NEW = { fence: 0, owner: '', leaseUntil: '', finished: false };

const jobRows = (jobs: readonly NewJob[]): Statement => ({
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
