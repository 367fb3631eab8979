import { genesis, link } from '../../attestation/chain.ts';
import type { Commit, CommitResult, Fence, Head, ItemRow, Job, Link, NewJob, StoredEvent } from '../store.ts';
import { damaged } from './failure.ts';

/** What the database says of everything that some commits touch. */
export interface Seen {
  readonly heads: ReadonlyMap<string, Head>;
  /** Jobs that the commits must hold, by topic and key. */
  readonly jobs: ReadonlyMap<string, Job>;
  /** Events of the commands, where it was asked for. */
  readonly commands: ReadonlyMap<string, readonly StoredEvent[]>;
  /** Which item has a display number, where it was asked for. */
  readonly numbers: ReadonlyMap<number, string>;
  readonly lastNumber: number;
  /** An attempt before this one may have been kept: what it wrote is ours. */
  readonly retried: boolean;
}

export type PlannedEvent = Omit<StoredEvent, 'position'>;

/** What came of one commit; events get their positions when they are written. */
export type Outcome =
  | { readonly kind: 'written'; readonly events: readonly PlannedEvent[] }
  | Exclude<CommitResult, { readonly kind: 'committed' }>
  | { readonly kind: 'kept'; readonly events: readonly StoredEvent[] };

/** All rows that some commits write, and what must still hold when they are written. */
export interface Plan {
  readonly outcomes: readonly Outcome[];
  readonly events: readonly PlannedEvent[];
  readonly heads: readonly Head[];
  readonly items: readonly ItemRow[];
  readonly links: readonly Link[];
  readonly jobs: readonly NewJob[];
  readonly held: readonly Fence[];
  readonly finished: readonly Job[];
  /** Streams at the versions that the plan rests on. */
  readonly versions: readonly Pick<Head, 'stream' | 'version'>[];
  readonly commands: readonly string[];
}

export const jobKey = ({ topic, key }: { readonly topic: string; readonly key: string }) =>
  `${topic}\n${key}`;

/** Decides each commit on what the ones before it leave. Pure: the database is asked before, and written after. */
export function planCommits(commits: readonly Commit[], seen: Seen): Plan {
  const draft = new Draft(seen);
  const outcomes = commits.map((commit) => draft.take(commit));
  return { outcomes, ...draft.rows() };
}

class Draft {
  readonly #seen: Seen;
  readonly #heads = new Map<string, Head>();
  readonly #versions = new Map<string, number>();
  readonly #events: PlannedEvent[] = [];
  readonly #items = new Map<string, ItemRow>();
  readonly #numbers = new Map<number, string>();
  readonly #links: Link[] = [];
  readonly #jobs: NewJob[] = [];
  readonly #held = new Map<string, Fence>();
  readonly #finished = new Map<string, Job>();
  readonly #commands: string[] = [];

  constructor(seen: Seen) {
    this.#seen = seen;
  }

  take(commit: Commit): Outcome {
    const earlier = this.#seen.commands.get(commit.commandId) ?? [];
    if (earlier.length > 0) {
      const kept = this.#seen.retried && isOf(commit, earlier);
      return { kind: kept ? 'kept' : 'duplicate', events: earlier };
    }
    return this.#moved(commit) ?? this.#taken(commit) ?? this.#unfenced(commit) ?? this.#write(commit);
  }

  /** The first stream that is no longer where the decider saw it. */
  #moved({ readSet, appends }: Commit): Outcome | undefined {
    for (const { stream, version } of readSet) {
      const actual = this.#head(stream).version;
      if (actual !== version) return { kind: 'conflict', stream, expected: version, actual };
    }
    const planned = new Map<string, number>();
    for (const { stream, expected, bodies } of appends) {
      const actual = planned.get(stream) ?? this.#head(stream).version;
      if (expected !== 'any' && expected !== actual) return { kind: 'conflict', stream, expected, actual };
      planned.set(stream, actual + bodies.length);
    }
    return undefined;
  }

  #taken({ items }: Commit): Outcome | undefined {
    const own = new Map<number, string>();
    for (const { id, number } of new Map(items.map((row) => [row.id, row])).values()) {
      const owner = this.#seen.numbers.get(number) ?? this.#numbers.get(number) ?? own.get(number) ?? id;
      if (owner !== id) {
        const actual = Math.max(this.#seen.lastNumber, ...this.#numbers.keys());
        return { kind: 'conflict', stream: 'items.number', expected: number, actual };
      }
      own.set(number, id);
    }
    return undefined;
  }

  #unfenced({ fences }: Commit): Outcome | undefined {
    const lost = fences.find((fence) => !this.#holds(fence));
    return lost && { kind: 'fenced', topic: lost.topic, key: lost.key };
  }

  #holds(fence: Fence): boolean {
    const key = jobKey(fence);
    const job = this.#seen.jobs.get(key);
    if (job === undefined || this.#finished.has(key) || job.fence === 0 || job.fence !== fence.token)
      return false;
    // A commit that holds no event has no command id in the log: that the job is finished is what is left of it.
    return !job.finished || this.#seen.retried;
  }

  #write(commit: Commit): Outcome {
    for (const { stream, version } of commit.readSet)
      if (!this.#heads.has(stream)) this.#versions.set(stream, version);
    const events = commit.appends.flatMap(({ stream, bodies }) =>
      this.#append(commit.commandId, stream, bodies),
    );
    this.#events.push(...events);
    for (const row of commit.items) {
      this.#items.set(row.id, row);
      this.#numbers.set(row.number, row.id);
    }
    this.#links.push(...commit.links);
    this.#jobs.push(...commit.jobs);
    for (const fence of commit.fences) this.#hold(fence);
    if (events.length > 0) this.#commands.push(commit.commandId);
    return { kind: 'written', events };
  }

  #append(command: string, stream: string, bodies: readonly string[]): readonly PlannedEvent[] {
    const head = this.#head(stream);
    if (bodies.length === 0) return [];
    if (!this.#heads.has(stream)) this.#versions.set(stream, head.version);
    let { version } = head;
    let hash = version === 0 ? genesis(stream) : head.hash;
    if (!/^[0-9a-f]{64}$/.test(hash)) throw damaged(`stream ${stream}`, 'its head carries no hash');
    const events = bodies.map((body) => {
      version += 1;
      hash = link(hash, stream, version, body);
      return { stream, version, hash, command, body };
    });
    this.#heads.set(stream, { stream, version, hash });
    return events;
  }

  #hold(fence: Fence): void {
    const key = jobKey(fence);
    const job = this.#seen.jobs.get(key);
    if (job === undefined || job.finished) return;
    this.#held.set(key, fence);
    if (fence.finish) this.#finished.set(key, { ...job, leaseUntil: '', finished: true });
  }

  #head(stream: string): Head {
    return this.#heads.get(stream) ?? this.#seen.heads.get(stream) ?? { stream, version: 0, hash: '' };
  }

  rows(): Omit<Plan, 'outcomes'> {
    return {
      events: this.#events,
      heads: [...this.#heads.values()],
      items: [...this.#items.values()],
      links: this.#links,
      jobs: this.#jobs,
      held: [...this.#held.values()],
      finished: [...this.#finished.values()],
      versions: Array.from(this.#versions, ([stream, version]) => ({ stream, version })),
      commands: this.#commands,
    };
  }
}

/** Whether these are the events that the commit would have written. */
function isOf({ appends }: Commit, events: readonly StoredEvent[]): boolean {
  const own = appends.flatMap(({ stream, bodies }) => bodies.map((body) => [stream, body]));
  const kept = events.map(({ stream, body }) => [stream, body]);
  return JSON.stringify(own) === JSON.stringify(kept);
}
