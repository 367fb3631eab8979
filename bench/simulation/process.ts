import type { Ports } from '../../src/engine/ports.ts';
import {
  type Commit,
  type CommitResult,
  type Job,
  type StoredEvent,
  StoreError,
} from '../../src/store/store.ts';
import { dyingProcess } from '../../tests/dying-process.ts';

/** What a store does with one commit, other than to do it and to say so. */
export type StoreFault = 'lost answer' | 'not written' | 'busy' | 'conflict';

/** A commit as it was answered. */
export interface Acknowledged {
  readonly process: string;
  readonly commit: Commit;
  readonly events: readonly StoredEvent[];
}

/** A job that was leased, or given back (`until` is not later than `at`). */
export interface Granted {
  readonly process: string;
  readonly at: string;
  readonly until: string;
  readonly job: Job;
}

/** What is seen of the calls of processes. */
export interface Witness {
  committed(acknowledged: Acknowledged): void;
  granted(grant: Granted): void;
}

/** A process that works on one thing, and stands still at every call to the outside until it is let on. */
export interface Process {
  readonly name: string;
  readonly ports: Ports;
  /** True until what it works on has come to its end. */
  readonly isAtWork: boolean;
  /** Lets it make so many calls, and comes back when it stands still again or has ended. */
  advance(calls: number): Promise<void>;
  /** It never makes another call; what it waits for fails. */
  kill(): Promise<void>;
  /** It dies at one of its next calls, before or after the outside did its part. */
  dieAt(call: number, side: 'before' | 'after'): void;
  /** What the store does with its next commits, in order. */
  readonly faults: StoreFault[];
  readonly isDead: boolean;
  /** What it came to, once it has ended. */
  readonly outcome: { readonly value: unknown } | { readonly error: unknown } | undefined;
}

const STORE = [
  ...['read', 'head', 'itemById', 'itemByNumber', 'items', 'lastNumber', 'tally', 'linksFrom', 'linksTo'],
  ...['overdue', 'failing', 'due', 'job', 'saveCheckpoint', 'checkpoints', 'heads', 'allItems', 'events'],
  ...['eventCount', 'repositoryId', 'allLinks', 'allTallies', 'integrity'],
] as const;
const WORKSPACE = [
  ...['addWorktree', 'addReadingTree', 'dropWorktree', 'removeWorktree', 'deleteBranch', 'merge', 'merged'],
  ...['commitTree', 'commitMerge', 'moveBranch', 'forward', 'push', 'writeFile', 'removeFile'],
] as const;
const AGENTS = ['start', 'look', 'kill', 'settle'] as const;

/** Begins to work on something, with ports of its own: it stands before its first call when this answers. */
export async function begin(
  name: string,
  own: Ports,
  witness: Witness,
  work: (ports: Ports) => Promise<unknown>,
): Promise<Process> {
  const death = dyingProcess();
  const faults: StoreFault[] = [];
  const waiting: (() => void)[] = [];
  const pass = () => new Promise<void>((resolve) => void waiting.push(resolve));
  /** Made anew for each of thousands of processes: nothing of the port is copied but what is watched. */
  const dying = <P extends object>(port: P, names: readonly (keyof P & string)[]) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        death.watched(name, (port[name] as (...args: unknown[]) => unknown).bind(port)),
      ]),
    ) as Partial<P>;
  const commit = death.watched('commit', (asked: Commit) => committed(own, asked, faults.shift()));
  const claimed = async (...asked: Parameters<Ports['store']['claim']>) => {
    const jobs = await own.store.claim(...asked);
    for (const job of jobs)
      witness.granted({ process: name, at: own.clock().toISOString(), until: asked[3], job });
    return jobs;
  };
  const store = {
    ...gated(dying(own.store, STORE), STORE, pass),
    claim: gate(death.watched('claim', claimed), pass),
    commit: gate(async (asked: Commit) => {
      const result = await commit(asked);
      if (result.kind === 'committed' || result.kind === 'duplicate')
        witness.committed({ process: name, commit: asked, events: result.events });
      return result;
    }, pass),
  };
  const ports: Ports = {
    ...own,
    store: Object.assign(Object.create(own.store) as Ports['store'], store),
    workspace: { ...own.workspace, ...dying(own.workspace, WORKSPACE) },
    evidence: { ...own.evidence, ...dying(own.evidence, ['put', 'get']) },
    files: { ...own.files, ...dying(own.files, ['write', 'read']) },
    runner: { ...own.runner, run: gate(death.watched('run', own.runner.run), pass) },
    agents: { ...own.agents, ...gated(dying(own.agents, AGENTS), AGENTS, pass) },
  };
  let outcome: Process['outcome'];
  // Whoever asks for several things at once stands at several calls, and who lost a race waits for a moment.
  const stands = async () => {
    do await new Promise((resolve) => setImmediate(resolve));
    while (outcome === undefined && waiting.length === 0);
  };
  const working = Promise.resolve().then(() => work(ports));
  working.then(
    (value) => {
      outcome = { value };
    },
    (error: unknown) => {
      outcome = { error };
    },
  );
  const advance = async (calls: number) => {
    for (let left = calls; left > 0 && outcome === undefined; left--) {
      waiting.shift()?.();
      await stands();
    }
  };
  await stands();
  return {
    ...{ name, ports, faults, advance },
    get isAtWork() {
      return outcome === undefined;
    },
    get isDead() {
      return death.fault.dead;
    },
    get outcome() {
      return outcome;
    },
    dieAt(call, side) {
      Object.assign(death.fault, { at: death.fault.calls + call, side });
    },
    async kill() {
      death.fault.dead = true;
      await advance(Number.MAX_SAFE_INTEGER);
    },
  };
}

type Call = (...args: never[]) => Promise<unknown>;

const gate =
  <A extends unknown[], R>(call: (...args: A) => Promise<R>, pass: () => Promise<void>) =>
  async (...args: A): Promise<R> => {
    await pass();
    return call(...args);
  };

function gated<P extends object>(
  port: Partial<P>,
  names: readonly (keyof P & string)[],
  pass: () => Promise<void>,
) {
  return Object.fromEntries(
    names.map((name) => [
      name,
      gate((port[name] as Call).bind(port) as (...args: unknown[]) => Promise<unknown>, pass),
    ]),
  ) as Partial<P>;
}

async function committed(
  { store }: Ports,
  asked: Commit,
  fault: StoreFault | undefined,
): Promise<CommitResult> {
  if (fault === 'busy') throw new StoreError('BUSY', 'another process keeps the store locked');
  if (fault === 'not written') throw new StoreError('UNAVAILABLE', 'the store went away');
  // What is written wherever the stream stands cannot be too late.
  const first = asked.appends.find(({ expected }) => expected !== 'any');
  if (fault === 'conflict' && first !== undefined) {
    const { version } = await store.head(first.stream);
    return { kind: 'conflict', stream: first.stream, expected: version, actual: version };
  }
  const result = await store.commit(asked);
  if (fault === 'lost answer')
    throw new StoreError('UNAVAILABLE', 'the store went away, and what it did is not known');
  return result;
}
