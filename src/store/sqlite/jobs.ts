import { sealOf } from '../seal.ts';
import type { Fence, Job, NewJob } from '../store.ts';
import type { Connection } from './connection.ts';

const JOB = 'topic, key, payload, availableAt, fence, owner, leaseUntil, finished';

type StoredJob = Omit<Job, 'finished'> & { readonly finished: number };

/** What a worker asks for: up to `limit` jobs of a topic that wait at `now`, or the one with the key. */
export interface Claim {
  readonly topic: string;
  readonly now: string;
  readonly limit: number;
  readonly leaseUntil: string;
  readonly owner: string;
  readonly key: string | undefined;
}

export function jobOf(connection: Connection, topic: string, key: string): Job | undefined {
  const found = connection
    .prepare<StoredJob>(`SELECT ${JOB} FROM jobs WHERE topic = ? AND key = ?`)
    .get(topic, key);
  return found && { ...found, finished: found.finished !== 0 };
}

/** Jobs after a topic and key, in their order. */
export function jobsAfter(connection: Connection, topic: string, key: string, limit: number): Job[] {
  return connection
    .prepare<StoredJob>(`SELECT ${JOB} FROM jobs WHERE (topic, key) > (?, ?) ORDER BY topic, key LIMIT ?`)
    .all(topic, key, Math.max(0, limit))
    .map((job) => ({ ...job, finished: job.finished !== 0 }));
}

/** Puts a job as it stands, sealed. */
export function insertJob(connection: Connection, job: Job): void {
  connection
    .prepare(`INSERT INTO jobs (${JOB}, seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
    .run(
      ...[job.topic, job.key, job.payload, job.availableAt, job.fence, job.owner, job.leaseUntil],
      ...[job.finished ? 1 : 0, sealOf(job)],
    );
}

/** Adds a job; one with the same topic and key stays as it is, finished or not. */
export function enqueue(connection: Connection, added: NewJob): void {
  const job: Job = { ...added, fence: 0, owner: '', leaseUntil: '', finished: false };
  connection
    .prepare(
      `INSERT INTO jobs (${JOB}, seal) VALUES (?, ?, ?, ?, 0, '', '', 0, ?) ON CONFLICT (topic, key) DO NOTHING`,
    )
    .run(job.topic, job.key, job.payload, job.availableAt, sealOf(job));
}

/** Leases jobs that wait or whose lease has run out, the longest waiting first; each gets the next fence. */
export function claimJobs(connection: Connection, claim: Claim): Job[] {
  // A look without the write lock first: workers that find nothing must not hold up those who write.
  if (waiting(connection, claim).length === 0) return [];
  return connection.immediate(() =>
    waiting(connection, claim).map((job) => {
      const { leaseUntil, owner } = claim;
      const leased: Job = { ...job, fence: job.fence + 1, owner, leaseUntil, finished: false };
      put(connection, leased);
      return leased;
    }),
  );
}

function waiting(connection: Connection, { topic, now, limit, key }: Claim): StoredJob[] {
  const open = `SELECT ${JOB} FROM jobs WHERE topic = ? AND finished = 0 AND availableAt <= ? AND leaseUntil <= ?`;
  if (key !== undefined && limit > 0) {
    return connection.prepare<StoredJob>(`${open} AND key = ?`).all(topic, now, now, key);
  }
  return connection
    .prepare<StoredJob>(`${open} ORDER BY availableAt, key LIMIT ?`)
    .all(topic, now, now, Math.max(0, limit));
}

/** Whether the token is that of the last lease and the job is still open. Nobody holds a job never leased. */
export function isHeld(connection: Connection, { topic, key, token }: Fence): boolean {
  const job = jobOf(connection, topic, key);
  return job !== undefined && !job.finished && job.fence > 0 && job.fence === token;
}

/** Closes a job for good; its owner stays on record. */
export function finish(connection: Connection, { topic, key }: Fence): void {
  const job = jobOf(connection, topic, key);
  if (job) put(connection, { ...job, leaseUntil: '', finished: true });
}

function put(connection: Connection, job: Job): void {
  connection
    .prepare(
      'UPDATE jobs SET fence = ?, owner = ?, leaseUntil = ?, finished = ?, seal = ? WHERE topic = ? AND key = ?',
    )
    .run(job.fence, job.owner, job.leaseUntil, job.finished ? 1 : 0, sealOf(job), job.topic, job.key);
}

/** Jobs that do not fit their seal, by topic and key. */
export function unsealedJobs(connection: Connection): string[] {
  const found: string[] = [];
  for (const row of connection
    .prepare<StoredJob & { seal: string }>(`SELECT ${JOB}, seal FROM jobs`)
    .iterate()) {
    if (row.seal !== sealOf({ ...row, finished: row.finished !== 0 }))
      found.push(`jobs: the row ${row.topic}/${row.key} was changed outside the store`);
  }
  return found;
}
