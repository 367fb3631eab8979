import type { Commit, Head, Job, StoredEvent } from '../store.ts';
import type { Session, Statement } from './database.ts';
import { JOB } from './jobs.ts';
import { EVENT } from './log.ts';
import { jobKey, type Seen } from './plan.ts';

export const HEADS = 'SELECT stream, version, hash FROM {}.streams WHERE stream = ANY ($1::text[])';
const JOBS = `SELECT ${JOB} FROM {}.jobs
  JOIN unnest($1::text[], $2::text[]) AS asked (topic, key) USING (topic, key)`;
const COMMANDS = `SELECT ${EVENT} FROM {}.events WHERE command = ANY ($1::text[]) ORDER BY position`;
const NUMBERS = 'SELECT number, id FROM {}.items WHERE number = ANY ($1::bigint[])';
const LAST = 'SELECT coalesce(max(number), 0)::bigint AS last FROM {}.items';

/**
 * Reads what a plan needs, in one round. `thorough` asks also for what the database refuses by itself: commands that
 * were applied, numbers that are taken. Read without a lock: whoever writes checks it again under one.
 */
export async function readFor(
  session: Session,
  commits: readonly Commit[],
  { thorough, retried }: { readonly thorough: boolean; readonly retried: boolean },
): Promise<Seen> {
  const streams = commits.flatMap(({ appends, readSet }) =>
    [...appends, ...readSet].map(({ stream }) => stream),
  );
  const fences = commits.flatMap((commit) => commit.fences);
  const statements: Statement[] = [{ text: HEADS, values: [[...new Set(streams)]] }];
  if (fences.length > 0) {
    const asked = [...new Map(fences.map((fence) => [jobKey(fence), fence])).values()];
    const values = [asked.map(({ topic }) => topic), asked.map(({ key }) => key)];
    statements.push({ text: JOBS, values });
  }
  if (thorough) {
    const numbers = commits.flatMap(({ items }) => items.map(({ number }) => number));
    statements.push({ text: COMMANDS, values: [commits.map(({ commandId }) => commandId)] });
    statements.push({ text: NUMBERS, values: [[...new Set(numbers)]] }, { text: LAST });
  }
  const answers = [...(await session.all(statements))];
  const heads = answers.shift() as readonly Head[];
  const jobs = (fences.length > 0 ? answers.shift() : []) as readonly Job[];
  const [events = [], numbers = [], last = []] = answers;
  return {
    heads: new Map(heads.map((head) => [head.stream, head])),
    jobs: new Map(jobs.map((job) => [jobKey(job), job])),
    commands: byCommand(events as readonly StoredEvent[]),
    numbers: new Map(
      (numbers as readonly { number: number; id: string }[]).map((row) => [row.number, row.id]),
    ),
    lastNumber: (last as readonly { last: number }[])[0]?.last ?? 0,
    retried,
  };
}

function byCommand(events: readonly StoredEvent[]): ReadonlyMap<string, readonly StoredEvent[]> {
  const found = new Map<string, StoredEvent[]>();
  for (const event of events) found.set(event.command, [...(found.get(event.command) ?? []), event]);
  return found;
}
