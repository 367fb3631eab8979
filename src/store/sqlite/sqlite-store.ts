import { followPages } from '../follow.ts';
import {
  type Commit,
  type CommitResult,
  type Head,
  type ItemQuery,
  type ItemRow,
  type Job,
  type Link,
  type Store,
  type StoreContent,
  type StoredEvent,
  StoreError,
  type Tally,
} from '../store.ts';
import {
  allLinks,
  board,
  due,
  failing,
  itemById,
  itemByNumber,
  itemsAfter,
  linksFrom,
  linksTo,
  overdue,
  tallies,
} from './board-queries.ts';
import { lastNumber } from './board-writes.ts';
import { type CheckpointRow, newestCheckpoints, saveCheckpoint } from './checkpoints.ts';
import { applyCommit, applyTogether, type Settled } from './commit.ts';
import type { Connection, DriverName } from './connection.ts';
import { storeError } from './failure.ts';
import { findings } from './integrity.ts';
import { claimJobs, jobOf, jobsAfter } from './jobs.ts';
import { eventCount, eventsAfter, eventsOfStream, headOf, headsAfter } from './log.ts';
import { repositoryOf } from './meta.ts';

/** The store in one SQLite file; made by openSqlite. Failures of the file are thrown as StoreError. */
export class SqliteStore implements Store, StoreContent {
  readonly path: string;
  readonly driver: DriverName;
  readonly #connection: Connection;
  #closed = false;

  constructor(path: string, connection: Connection) {
    this.path = path;
    this.driver = connection.driver;
    this.#connection = connection;
  }

  async #with<T>(work: (connection: Connection) => T): Promise<T> {
    if (this.#closed) throw new StoreError('UNAVAILABLE', `${this.path} was closed`);
    try {
      return work(this.#connection);
    } catch (error) {
      throw storeError(this.path, error);
    }
  }

  commit(commit: Commit): Promise<CommitResult> {
    return this.#with((db) => applyCommit(db, commit));
  }

  /** Several commits, each as by itself, that become durable together. Throws where none of them happened. */
  commitTogether(commits: readonly Commit[]): Promise<readonly Settled[]> {
    return this.#with((db) =>
      applyTogether(db, commits).map((one) =>
        'error' in one ? { error: storeError(this.path, one.error) } : one,
      ),
    );
  }

  read(stream: string): Promise<readonly StoredEvent[]> {
    return this.#with((db) => eventsOfStream(db, stream));
  }

  head(stream: string): Promise<Head> {
    return this.#with((db) => headOf(db, stream));
  }

  follow(after: number, signal: AbortSignal): AsyncIterable<StoredEvent> {
    const page = async (position: number, limit: number) =>
      this.#closed ? undefined : await this.events(position, limit);
    return followPages(page, after, signal);
  }

  itemById(id: string): Promise<ItemRow | undefined> {
    return this.#with((db) => itemById(db, id));
  }

  itemByNumber(number: number): Promise<ItemRow | undefined> {
    return this.#with((db) => itemByNumber(db, number));
  }

  items(query: ItemQuery): Promise<readonly ItemRow[]> {
    return this.#with((db) => board(db, query));
  }

  lastNumber(): Promise<number> {
    return this.#with(lastNumber);
  }

  tally(list: string | undefined): Promise<readonly Tally[]> {
    return this.#with((db) => tallies(db, list));
  }

  linksFrom(id: string): Promise<readonly Link[]> {
    return this.#with((db) => linksFrom(db, id));
  }

  linksTo(id: string): Promise<readonly Link[]> {
    return this.#with((db) => linksTo(db, id));
  }

  overdue(now: string, limit: number): Promise<readonly ItemRow[]> {
    return this.#with((db) => overdue(db, now, limit));
  }

  failing(atLeast: number, limit: number): Promise<readonly ItemRow[]> {
    return this.#with((db) => failing(db, atLeast, limit));
  }

  due(now: string, limit: number): Promise<readonly ItemRow[]> {
    return this.#with((db) => due(db, now, limit));
  }

  claim(
    topic: string,
    now: string,
    limit: number,
    leaseUntil: string,
    owner: string,
    key?: string,
  ): Promise<readonly Job[]> {
    return this.#with((db) => claimJobs(db, { topic, now, limit, leaseUntil, owner, key }));
  }

  job(topic: string, key: string): Promise<Job | undefined> {
    return this.#with((db) => jobOf(db, topic, key));
  }

  saveCheckpoint(note: string, events: number, after?: string): Promise<boolean> {
    return this.#with((db) => saveCheckpoint(db, note, events, after));
  }

  checkpoints(limit: number): Promise<readonly CheckpointRow[]> {
    return this.#with((db) => newestCheckpoints(db, limit));
  }

  events(afterPosition: number, limit: number): Promise<readonly StoredEvent[]> {
    return this.#with((db) => eventsAfter(db, afterPosition, limit));
  }

  heads(afterStream: string, limit: number): Promise<readonly Head[]> {
    return this.#with((db) => headsAfter(db, afterStream, limit));
  }

  allItems(afterNumber: number, limit: number): Promise<readonly ItemRow[]> {
    return this.#with((db) => itemsAfter(db, afterNumber, limit));
  }

  allLinks(): Promise<readonly Link[]> {
    return this.#with(allLinks);
  }

  allTallies(): Promise<readonly Tally[]> {
    return this.tally(undefined);
  }

  allJobs({ topic, key }: Pick<Job, 'topic' | 'key'>, limit: number): Promise<readonly Job[]> {
    return this.#with((db) => jobsAfter(db, topic, key, limit));
  }

  integrity(): Promise<readonly string[]> {
    return this.#with(findings);
  }

  repositoryId(): Promise<string> {
    return this.#with(repositoryOf);
  }

  eventCount(): Promise<number> {
    return this.#with(eventCount);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#connection.close();
  }
}
