import { type Commit, type CommitResult, StoreError } from '../store.ts';
import type { Database } from './database.ts';
import { damaged, isLost, isOvertaken, sqlState } from './failure.ts';
import { type Outcome, type Plan, planCommits } from './plan.ts';
import { readFor } from './reading.ts';
import { ROLLBACK, takeTurn, writeInTurn, writePlan } from './write.ts';

/** Commits of one transaction at most. */
const BATCH = 64;
/** How long a batch waits for those who were in the one before, and how long after it, in milliseconds. */
const LINGER = 1;
const MOMENT = 5;
/** Plans that may be overtaken before we read only when it is our turn. */
const OVERTAKEN = 2;
/** Tries when it is our turn: who claims a job waits for no turn. */
const TURNS = 4;

interface Waiting {
  readonly commit: Commit;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes the commits of one process, as many as wait in one transaction: they share its wait for the turn and for the
 * disk. Each is decided on what those before it leave, so they are as good as one after the other.
 */
export function writerOf(database: Database): (commit: Commit) => Promise<CommitResult> {
  const queue: Waiting[] = [];
  const company = companyOf(queue);
  let busy = false;
  const work = async () => {
    busy = true;
    while (queue.length > 0) {
      await company.gathered();
      const batch = nextBatch(queue);
      await settle(database, batch);
      company.ended(batch.length);
    }
    busy = false;
  };
  return (commit) =>
    new Promise((resolve, reject) => {
      queue.push({ commit, resolve, reject });
      company.came();
      if (!busy) void work();
    });
}

/**
 * Waits a moment for those who were there a moment ago: whoever has just been answered asks again at once, and comes too
 * late for a batch that does not wait, so that two halves would take turns. Who is alone waits for nobody.
 */
function companyOf(queue: readonly unknown[]) {
  let expected = 1;
  let endedAt = 0;
  let enough = () => {};
  return {
    came: () => {
      if (queue.length >= expected) enough();
    },
    ended: (size: number) => {
      expected = Math.min(BATCH, size + queue.length);
      endedAt = performance.now();
    },
    async gathered(): Promise<void> {
      const isRecent = performance.now() - endedAt < MOMENT;
      if (!isRecent || queue.length >= expected) return;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        enough = resolve;
        timer = setTimeout(resolve, LINGER);
      });
      clearTimeout(timer);
      enough = () => {};
    },
  };
}

/** A command that is asked for twice is a matter of two batches: the second must see the first. */
function nextBatch(queue: Waiting[]): readonly Waiting[] {
  const batch: Waiting[] = [];
  const commands = new Set<string>();
  for (const waiting of queue) {
    if (batch.length === BATCH || commands.has(waiting.commit.commandId)) break;
    commands.add(waiting.commit.commandId);
    batch.push(waiting);
  }
  queue.splice(0, batch.length);
  return batch;
}

async function settle(database: Database, batch: readonly Waiting[]): Promise<void> {
  try {
    const results = await writeTogether(
      database,
      batch.map(({ commit }) => commit),
    );
    for (const [at, { resolve, reject }] of batch.entries()) {
      const result = results[at];
      if (result === undefined) reject(new Error('a commit was given no answer'));
      else resolve(result);
    }
  } catch (error) {
    if (batch.length === 1 || isLost((error as Error).cause)) for (const { reject } of batch) reject(error);
    // One of them cannot be written: the others shall not suffer for it.
    else for (const one of batch) await settle(database, [one]);
  }
}

/** All or nothing of all of them. What was decided is answered only when what it rests on is durable. */
function writeTogether(database: Database, commits: readonly Commit[]): Promise<readonly CommitResult[]> {
  return database.insisting(async (retried) => {
    for (let round = 0; ; round += 1) {
      const results = await attempt(database, commits, round, retried);
      if (results !== undefined) return results;
    }
  });
}

/** Undefined when it has to be tried again, on what others have left. */
async function attempt(database: Database, commits: readonly Commit[], round: number, retried: boolean) {
  try {
    if (round > OVERTAKEN) return await inTurn(database, commits, retried);
    // One alone is seldom refused; among many there is one, and a closer look costs less than a second one.
    const thorough = round > 0 || retried || commits.length > 1;
    return await ahead(database, commits, { thorough, retried });
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    if (round < OVERTAKEN + TURNS) return undefined;
    if (sqlState(error) !== '23505') throw busy(database, error);
    throw damaged(database.place, `its rows contradict each other: ${(error as Error).message}`, error);
  }
}

/** Reads without waiting, then writes under the condition that nothing moved. Undefined when a closer look is needed. */
async function ahead(
  database: Database,
  commits: readonly Commit[],
  how: { readonly thorough: boolean; readonly retried: boolean },
): Promise<readonly CommitResult[] | undefined> {
  return database.session(async (session) => {
    const plan = planCommits(commits, await readFor(session, commits, how));
    // Who is refused may have been applied before, which is not looked up at first.
    if (!how.thorough && plan.outcomes.some(({ kind }) => kind !== 'written')) return undefined;
    return answered(plan, isNothing(plan) ? 0 : await writePlan(session, database, plan));
  });
}

/** Reads when it is our turn, so that nobody can come between. */
async function inTurn(database: Database, commits: readonly Commit[], retried: boolean) {
  return database.session(async (session) => {
    await takeTurn(session);
    try {
      const plan = planCommits(commits, await readFor(session, commits, { thorough: true, retried }));
      return answered(plan, await writeInTurn(session, database, plan));
    } catch (error) {
      if (!isLost(error)) await session.all([ROLLBACK]);
      throw error;
    }
  });
}

function busy({ place }: Database, cause: unknown): StoreError {
  const message = `${place}: other writers came between again and again; nothing was changed, try again`;
  return new StoreError('BUSY', message, { cause });
}

const isNothing = ({ outcomes }: Plan) => outcomes.every(({ kind }) => kind !== 'written');

/** The answers, with the places that the events have in the log. */
function answered({ outcomes, events }: Plan, last: number): readonly CommitResult[] {
  let position = last - events.length;
  return outcomes.map((outcome: Outcome): CommitResult => {
    if (outcome.kind === 'kept') return { kind: 'committed', events: outcome.events };
    if (outcome.kind !== 'written') return outcome;
    const placed = outcome.events.map((event) => {
      position += 1;
      const { stream, version, hash, command, body } = event;
      return { stream, version, position, hash, command, body };
    });
    return { kind: 'committed', events: placed };
  });
}
