import type { Fence } from '../store.ts';
import type { Session, Statement } from './database.ts';
import { damaged } from './failure.ts';
import type { Plan } from './plan.ts';
import { columns, eventRows, headRows, itemRows, jobRows, linkRows, putJobs } from './rows.ts';

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
/**
 * Writes a plan in one transaction, sent in one go: whoever has the turn keeps others waiting for the disk, not for the
 * way to us and back. Answers the position of the last event. When the plan no longer holds, nothing is written and the
 * error of the guard is thrown.
 */
export async function writePlan(session: Session, { place }: { place: string }, plan: Plan): Promise<number> {
  const [, turn] = await session.all(transactionOf(plan));
  return positionOf(place, turn);
}

/** Every statement of the transaction, in order. */
export function transactionOf(plan: Plan): readonly Statement[] {
  return [BEGIN, { text: TURN, values: [plan.events.length] }, ...rowsOf(plan), COMMIT];
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
    ...(events.length > 0 ? [eventRows(events), headRows(heads)] : []),
    ...(items.length > 0 ? [itemRows(items)] : []),
    ...(links.length > 0 ? [linkRows(links)] : []),
    ...(jobs.length > 0 ? [jobRows(jobs)] : []),
    ...(finished.length > 0 ? [putJobs(finished)] : []),
  ];
}

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
