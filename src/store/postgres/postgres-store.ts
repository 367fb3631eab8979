import { followPages } from '../follow.ts';
import type {
  Commit,
  CommitResult,
  Head,
  ItemQuery,
  ItemRow,
  Job,
  Link,
  Store,
  StoreContent,
  StoredEvent,
  Tally,
} from '../store.ts';
import {
  allLinks,
  board,
  due,
  failing,
  itemById,
  itemByNumber,
  itemsAfter,
  lastNumber,
  linksFrom,
  linksTo,
  overdue,
  tallies,
} from './board.ts';
import { type CheckpointRow, newestCheckpoints, saveCheckpoint } from './checkpoints.ts';
import type { Database } from './database.ts';
import { findings } from './integrity.ts';
import { claimJobs, jobOf, jobsAfter } from './jobs.ts';
import { eventCount, eventsAfter, eventsOfStream, headOf, headsAfter, repositoryOf } from './log.ts';
import { writerOf } from './writer.ts';

/** The store in one schema of a PostgreSQL database; made by openPostgres. Its failures are thrown as StoreError. */
export class PostgresStore implements Store, StoreContent {
  /** The place for people, without a password. */
  readonly path: string;
  readonly driver: string;
  readonly schema: string;
  readonly commit: (commit: Commit) => Promise<CommitResult>;
  readonly #database: Database;
  #closed = false;

  constructor(database: Database, serverVersion: string) {
    this.path = database.place;
    this.schema = database.schema;
    this.driver = `PostgreSQL ${serverVersion}`;
    this.commit = writerOf(database);
    this.#database = database;
  }

  read(stream: string): Promise<readonly StoredEvent[]> {
    return eventsOfStream(this.#database, stream);
  }

  head(stream: string): Promise<Head> {
    return headOf(this.#database, stream);
  }

  follow(after: number, signal: AbortSignal): AsyncIterable<StoredEvent> {
    const page = async (position: number, limit: number) =>
      this.#closed ? undefined : await this.events(position, limit);
    return followPages(page, after, signal);
  }

  itemById(id: string): Promise<ItemRow | undefined> {
    return itemById(this.#database, id);
  }

  itemByNumber(number: number): Promise<ItemRow | undefined> {
    return itemByNumber(this.#database, number);
  }

  items(query: ItemQuery): Promise<readonly ItemRow[]> {
    return board(this.#database, query);
  }

  lastNumber(): Promise<number> {
    return lastNumber(this.#database);
  }

  tally(list: string | undefined): Promise<readonly Tally[]> {
    return tallies(this.#database, list);
  }

  linksFrom(id: string): Promise<readonly Link[]> {
    return linksFrom(this.#database, id);
  }

  linksTo(id: string): Promise<readonly Link[]> {
    return linksTo(this.#database, id);
  }

  overdue(now: string, limit: number): Promise<readonly ItemRow[]> {
    return overdue(this.#database, now, limit);
  }

  failing(atLeast: number, limit: number): Promise<readonly ItemRow[]> {
    return failing(this.#database, atLeast, limit);
  }

  due(now: string, limit: number): Promise<readonly ItemRow[]> {
    return due(this.#database, now, limit);
  }

  claim(
    topic: string,
    now: string,
    limit: number,
    leaseUntil: string,
    owner: string,
    key?: string,
  ): Promise<readonly Job[]> {
    return claimJobs(this.#database, { topic, now, limit, leaseUntil, owner, key });
  }

  job(topic: string, key: string): Promise<Job | undefined> {
    return jobOf(this.#database, topic, key);
  }

  saveCheckpoint(note: string, events: number, after?: string): Promise<boolean> {
    return saveCheckpoint(this.#database, note, events, after);
  }

  checkpoints(limit: number): Promise<readonly CheckpointRow[]> {
    return newestCheckpoints(this.#database, limit);
  }

  events(afterPosition: number, limit: number): Promise<readonly StoredEvent[]> {
    return eventsAfter(this.#database, afterPosition, limit);
  }

  heads(afterStream: string, limit: number): Promise<readonly Head[]> {
    return headsAfter(this.#database, afterStream, limit);
  }

  allItems(afterNumber: number, limit: number): Promise<readonly ItemRow[]> {
    return itemsAfter(this.#database, afterNumber, limit);
  }

  allLinks(): Promise<readonly Link[]> {
    return allLinks(this.#database);
  }

  allTallies(): Promise<readonly Tally[]> {
    return this.tally(undefined);
  }

  allJobs({ topic, key }: Pick<Job, 'topic' | 'key'>, limit: number): Promise<readonly Job[]> {
    return jobsAfter(this.#database, topic, key, limit);
  }

  integrity(): Promise<readonly string[]> {
    return findings(this.#database);
  }

  repositoryId(): Promise<string> {
    return repositoryOf(this.#database);
  }

  eventCount(): Promise<number> {
    return eventCount(this.#database);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#database.close();
  }
}
