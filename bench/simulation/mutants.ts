import type { Ports } from '../../src/engine/ports.ts';
import type { Protocol, Row } from '../../src/kernel/protocol.ts';
import { goal } from '../../src/protocols/goal.ts';
import { goalTask } from '../../src/protocols/goal-task.ts';
import { lifecycle } from '../../src/protocols/lifecycle.ts';
import { phase } from '../../src/protocols/phase.ts';
import { staged } from '../../src/protocols/staged.ts';
import { twoPhase } from '../../src/protocols/two-phase.ts';
import type { Commit } from '../../src/store/store.ts';
import { play } from './run.ts';
import { type Meddling, PLAYED, scheduleOf } from './schedule.ts';

/** One thing made wrong on purpose, and the invariant that has to tell. */
export interface Mutant {
  readonly name: string;
  readonly invariant: string;
  /** Where it is played. */
  readonly protocol: string;
  readonly meddling: Meddling;
}

type StoreChange = (store: Ports['store']) => Partial<Ports['store']>;

const withStore = (change: StoreChange): Meddling => ({
  wrap: (ports) => ({ ...ports, store: instead(ports.store, change(ports.store)) }),
  table: () => () => {},
});

/** The same store, with some of its answers from elsewhere. */
const instead = (store: Ports['store'], other: Partial<Ports['store']>): Ports['store'] =>
  new Proxy(store, {
    get(target, key) {
      const value: unknown = Reflect.get(key in other ? other : target, key, target);
      return typeof value === 'function' && !(key in other) ? value.bind(target) : value;
    },
  });

/** A commit that is not the one that the engine asked for. */
const withCommit = (change: (commit: Commit) => Commit): Meddling =>
  withStore((store) => ({ commit: (commit) => store.commit(change(commit)) }));

/** A table with other rows, for as long as the mutant is played. */
function withRows(protocol: Protocol, change: (row: Row) => Row): Meddling {
  return {
    wrap: (ports) => ports,
    table() {
      const rows = protocol.rows as Row[];
      const before = [...rows];
      rows.splice(0, rows.length, ...before.map(change));
      return () => void rows.splice(0, rows.length, ...before);
    },
  };
}

const open =
  (...commands: readonly string[]) =>
  (row: Row): Row =>
    commands.includes(row.command) ? { ...row, requires: [] } : row;

/** The first body in which a change finds something to change is changed. */
const inBodies =
  (change: (body: string) => string) =>
  (commit: Commit): Commit => ({
    ...commit,
    appends: commit.appends.map((append) => ({ ...append, bodies: append.bodies.map(change) })),
  });

const lostCommit: StoreChange = (store) => ({
  async commit(commit) {
    const isItem = commit.appends.some(({ stream }) => stream.startsWith('item/'));
    if (!isItem || commit.commandId.charCodeAt(35) % 5 > 0) return store.commit(commit);
    const events = commit.appends.flatMap(({ stream, bodies, expected }) =>
      bodies.map((body, n) => ({
        ...{ stream, body, position: 1, hash: 'none', command: commit.commandId },
        version: Number(expected) + n + 1,
      })),
    );
    return { kind: 'committed', events };
  },
});

const doubledCommit: StoreChange = (store) => ({
  async commit(commit) {
    const result = await store.commit(commit);
    const appends = commit.appends.map((append) => ({ ...append, expected: 'any' as const }));
    await store.commit({ ...commit, appends, commandId: `${commit.commandId}.2`, readSet: [], fences: [] });
    return result;
  },
});

const anybodysJob: StoreChange = (store) => ({
  claim: (topic, _now, limit, until, owner, key) =>
    store.claim(topic, '9999-01-01T00:00:00.000Z', limit, until, owner, key),
});

const tornRead: StoreChange = (store) => ({
  async read(stream) {
    const events = await store.read(stream);
    return stream.startsWith('item/') && events.length > 3 ? events.slice(0, -1) : events;
  },
});

/** Whoever has had a lease has it for ever. */
const forEver: StoreChange = (store) => ({
  async claim(topic, now, limit, until, owner, key) {
    const job = key === undefined ? undefined : await store.job(topic, key);
    return job === undefined || job.fence > 0 ? [] : store.claim(topic, now, limit, until, owner, key);
  },
});

const elsewhere = (commit: Commit): Commit => ({
  ...commit,
  appends: commit.appends.map((one) =>
    one.stream.startsWith('refusals/') ? { ...one, stream: 'refusals/nobody' } : one,
  ),
});

const believing: Meddling = {
  wrap: (ports) => ({
    ...ports,
    runner: { ...ports.runner, run: async (asked) => passed(await ports.runner.run(asked)) },
  }),
  table: () => () => {},
};

const passed = (run: Awaited<ReturnType<Ports['runner']['run']>>) => ({
  ...run,
  verdict: 'pass' as const,
  checks: run.checks.map((check) => ({ ...check, outcome: 'pass' as const })),
});

const rewritten: StoreChange = (store) => ({
  async events(after: number, limit: number) {
    const found = await store.events(after, limit);
    return found.map((event) => ({ ...event, body: event.body.replace('"by":"olga"', '"by":"vera"') }));
  },
});

const takenTwice = (commit: Commit): Commit => ({
  ...commit,
  appends: commit.appends.map((one) =>
    one.stream.startsWith('lease/') ? { ...one, bodies: one.bodies.flatMap((body) => [body, body]) } : one,
  ),
});

const never = (row: Row): Row => ({ ...row, from: [] });
const evidenceAlone = (row: Row): Row =>
  ['verify', 'approve'].includes(row.command)
    ? { ...row, requires: row.requires.filter(({ guard }) => guard === 'evidence') }
    : row;

const mutant = (name: string, invariant: string, protocol: string, meddling: Meddling): Mutant => ({
  ...{ name, invariant, protocol, meddling },
});

/** Each invariant with what breaks it. */
export const MUTANTS: readonly Mutant[] = [
  mutant('a store that reads other than was written', 'chainsAreValid', 'two-phase', withStore(rewritten)),
  mutant('a store that loses what it acknowledged', 'acknowledgedOnce', 'two-phase', withStore(lostCommit)),
  mutant('a store that writes everything twice', 'acknowledgedOnce', 'lifecycle', withStore(doubledCommit)),
  mutant(
    'a store that reads the log without its end',
    'everyStateIsTheFold',
    'lifecycle',
    withStore(tornRead),
  ),
  mutant('boards that count another failure', 'viewsAreTheFold', 'lifecycle', withCommit(otherRows)),
  mutant('a runner that believes everybody', 'confirmedByVerdict', 'two-phase', believing),
  mutant(
    'any verdict is far enough away',
    'confirmedByVerdict',
    'two-phase',
    withRows(twoPhase, without('independent')),
  ),
  mutant(
    'a task in stages is complete without a person',
    'confirmedByVerdict',
    'staged',
    withRows(staged, presented),
  ),
  mutant('a phase under review is released', 'confirmedByVerdict', 'phases', withRows(phase, released)),
  mutant('a builder verifies', 'nobodyConfirmsOwnWork', 'two-phase', withRows(twoPhase, evidenceAlone)),
  mutant('a builder reviews', 'nobodyConfirmsOwnWork', 'goal', withRows(goalTask, open('approve'))),
  mutant('jobs that are leased again while they are held', 'oneHolder', 'two-phase', withStore(anybodysJob)),
  mutant('a lease that is taken twice', 'oneHolder', 'staged', withCommit(takenTwice)),
  mutant(
    'a third failure that leads nowhere else',
    'attemptsAreBounded',
    'lifecycle',
    withRows(lifecycle, noIntervention),
  ),
  mutant(
    'a goal that does not wait for its tasks',
    'goalsCountWhatIsConfirmed',
    'goal',
    withRows(goal, impatient),
  ),
  mutant('refusals that nobody writes down', 'refusalsAreRecorded', 'two-phase', withCommit(elsewhere)),
  mutant('a block that nothing leads out of', 'alwaysAWayOn', 'two-phase', withRows(twoPhase, noRetry)),
  mutant('leases that never run out', 'whatWasLeftIsTakenOver', 'two-phase', withStore(forEver)),
  mutant(
    'a verdict that says it stands further away',
    'auditDecidesTheSame',
    'two-phase',
    withCommit(inBodies(fromAfar)),
  ),
];

function otherRows(commit: Commit): Commit {
  return { ...commit, items: commit.items.map((row) => ({ ...row, failures: row.failures + 1 })) };
}

function without(guard: string) {
  return (row: Row): Row => ({ ...row, requires: row.requires.filter((one) => one.guard !== guard) });
}

function presented(row: Row): Row {
  return row.command === 'present' ? { ...row, to: 'COMPLETE' } : row;
}

function released(row: Row): Row {
  return row.to === 'APPROVED' && row.command === '' ? { ...row, requires: [] } : row;
}

function noIntervention(row: Row): Row {
  return row.command === 'fail' && row.to.endsWith('n') && row.to !== '@same' ? never(row) : row;
}

function impatient(row: Row): Row {
  if (row.to === 'pending_verify') return { ...row, requires: [] };
  return row.from.includes('pending_verify') && row.command === '' ? never(row) : row;
}

function noRetry(row: Row): Row {
  return row.command === 'retry' ? never(row) : row;
}

function fromAfar(body: string): string {
  return body.replace('"independence":"other-lineage"', '"independence":"human"');
}

/** After how many schedules of its protocol a mutant is told by its invariant; 0 where it is not. */
export async function seedsUntilTold(
  { protocol, meddling, invariant }: Mutant,
  most: number,
): Promise<number> {
  const first = (PLAYED as readonly string[]).indexOf(protocol);
  if (first < 0) throw new RangeError(`nobody plays ${protocol}`);
  for (let n = 1; n <= most; n++) {
    const { broken } = await play(scheduleOf(first + n * PLAYED.length), meddling);
    if (broken?.invariant === invariant || broken?.also.includes(invariant)) return n;
  }
  return 0;
}
