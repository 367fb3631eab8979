import type { Job } from '../store.ts';
import type { Database, Session } from './database.ts';
import { putJobs } from './rows.ts';
import { BEGIN, ROLLBACK } from './write.ts';

export const JOB = `topic, key, payload, available_at AS "availableAt", fence, owner, lease_until AS "leaseUntil", finished`;

/** What a worker asks for: up to `limit` jobs of a topic that wait at `now`, or the one with the key. */
export interface Claim {
  readonly topic: string;
  readonly now: string;
  readonly limit: number;
  readonly leaseUntil: string;
  readonly owner: string;
  readonly key: string | undefined;
}

const OF_KEY = `SELECT ${JOB} FROM {}.jobs WHERE topic = $1 AND key = $2`;
const WAITING = `SELECT ${JOB} FROM {}.jobs
  WHERE topic = $1 AND NOT finished AND available_at <= $2 AND lease_until <= $2`;
const ANY = `${WAITING} ORDER BY available_at, key LIMIT $3`;
const ONE = `${WAITING} AND key = $3`;

export async function jobOf(database: Database, topic: string, key: string): Promise<Job | undefined> {
  const [job] = await database.rows<Job>(OF_KEY, [topic, key]);
  return job;
}

/** Jobs after a topic and key, in their order. */
export const jobsAfter = (database: Database, topic: string, key: string, limit: number) =>
  database.rows<Job>(
    `SELECT ${JOB} FROM {}.jobs WHERE (topic, key) > ($1, $2) ORDER BY topic, key LIMIT $3`,
    [topic, key, Math.max(0, limit)],
  );

/**
 * Leases jobs that wait or whose lease has run out, the longest waiting first; each gets the next fence. Jobs that
 * another claims at the moment are passed over, except when one is asked for by its key.
 */
export async function claimJobs(database: Database, claim: Claim): Promise<readonly Job[]> {
  const { topic, now, limit, key } = claim;
  if (limit <= 0) return [];
  const values = [topic, now, key ?? limit];
  const look = key === undefined ? ANY : ONE;
  // A look without locks first: workers that find nothing must not hold up those who write.
  if ((await database.rows(look, values)).length === 0) return [];
  const lock = key === undefined ? `${ANY} FOR UPDATE SKIP LOCKED` : `${ONE} FOR UPDATE`;
  return database.insisting(() =>
    database.session(async (session) => {
      const [, found] = await session.all([BEGIN, { text: lock, values }]);
      return lease(session, (found ?? []) as readonly Job[], claim);
    }),
  );
}

async function lease(session: Session, found: readonly Job[], { leaseUntil, owner }: Claim) {
  if (found.length === 0) {
    await session.all([ROLLBACK]);
    return [];
  }
  const leased = found.map((job) => ({ ...job, fence: job.fence + 1, owner, leaseUntil, finished: false }));
  await session.all([putJobs(leased), { text: 'COMMIT' }]);
  return leased;
}
