/**
 * The store port: an append-only log of hash-chained streams, and the views that are updated with it.
 * It speaks of decisions, not of SQL. Every implementation passes tests/contracts/store.ts.
 */

/** An event as stored. `body` is the exact text that was hashed; it is never serialised again. */
export interface StoredEvent {
  readonly stream: string;
  /** 1-based place in its stream, without gaps. */
  readonly version: number;
  /** Place in the whole log, 1-based and without gaps. */
  readonly position: number;
  /** Hex SHA-256 link to the event before it in the stream (attestation/chain). */
  readonly hash: string;
  /** Id of the command that caused it; a command is applied at most once. */
  readonly command: string;
  readonly body: string;
}

/** New events for one stream. `expected` is the version the decider saw; 'any' appends at the head. */
export interface Append {
  readonly stream: string;
  readonly expected: number | 'any';
  readonly bodies: readonly string[];
}

/** What the boards show of an item. Every field can be computed again from the item's stream. */
export interface ItemRow {
  readonly id: string;
  readonly number: number;
  readonly list: string;
  readonly kind: string;
  readonly protocol: string;
  readonly state: string;
  readonly category: string;
  readonly title: string;
  /** Actor id, '' when nobody is assigned. */
  readonly assignee: string;
  /** Stream version that the row shows. */
  readonly version: number;
  /** ISO 8601 UTC. */
  readonly updatedAt: string;
  /** ISO 8601 UTC of the next timer, '' when none. */
  readonly dueAt: string;
  readonly legacy: boolean;
  /** ISO 8601 UTC at which the allowance of the present state is used up, '' where it has none. */
  readonly overdueAt: string;
  /** The greatest count of failures that stands in one state. */
  readonly failures: number;
}

export interface Link {
  readonly from: string;
  /** 'depends-on', 'regression-of', 'supersedes', 'verified' (to a commit), 'verified-tree'. */
  readonly kind: string;
  readonly to: string;
}

export interface NewJob {
  readonly topic: string;
  /** Unique within the topic: a second insert of the same key is ignored. */
  readonly key: string;
  readonly payload: string;
  readonly availableAt: string;
}

/** A side effect waiting to happen, or leased to a worker. */
export interface Job extends NewJob {
  /** Grows by one with each lease; 0 before the first. */
  readonly fence: number;
  readonly owner: string;
  /** ISO 8601 UTC, '' when not leased. */
  readonly leaseUntil: string;
  readonly finished: boolean;
}

/** Proof that the writer still holds the job; `finish` closes it in the same commit. */
export interface Fence {
  readonly topic: string;
  readonly key: string;
  readonly token: number;
  readonly finish: boolean;
}

/** One atomic write: all of it is durable when the call answers, or none of it happened. */
export interface Commit {
  readonly commandId: string;
  readonly appends: readonly Append[];
  /** Streams that the decision read and does not write; a moved one is a conflict. */
  readonly readSet: readonly { readonly stream: string; readonly version: number }[];
  readonly items: readonly ItemRow[];
  readonly links: readonly Link[];
  readonly jobs: readonly NewJob[];
  readonly fences: readonly Fence[];
}

export type CommitResult =
  | { readonly kind: 'committed'; readonly events: readonly StoredEvent[] }
  /** The same command id was applied before; `events` are those of that time. */
  | { readonly kind: 'duplicate'; readonly events: readonly StoredEvent[] }
  /** `stream` is 'items.number' when a display number was taken meanwhile. */
  | { readonly kind: 'conflict'; readonly stream: string; readonly expected: number; readonly actual: number }
  | { readonly kind: 'fenced'; readonly topic: string; readonly key: string };

export interface ItemQuery {
  readonly list: string | undefined;
  readonly states: readonly string[];
  readonly categories: readonly string[];
  readonly assignee: string | undefined;
  /** Rows with a greater number come; 0 starts at the beginning. */
  readonly after: number;
  readonly limit: number;
}

export interface Tally {
  readonly list: string;
  readonly protocol: string;
  readonly state: string;
  readonly category: string;
  readonly legacy: boolean;
  readonly count: number;
}

export interface Head {
  readonly stream: string;
  readonly version: number;
  readonly hash: string;
}

export interface Store {
  read(stream: string): Promise<readonly StoredEvent[]>;
  /** Version and hash of the last event; version 0 and '' for an unknown stream. */
  head(stream: string): Promise<Head>;
  commit(commit: Commit): Promise<CommitResult>;
  /** Events after a position, then new ones as they come, without gaps or repeats, until aborted. */
  follow(after: number, signal: AbortSignal): AsyncIterable<StoredEvent>;

  itemById(id: string): Promise<ItemRow | undefined>;
  itemByNumber(number: number): Promise<ItemRow | undefined>;
  /** Ordered by number. */
  items(query: ItemQuery): Promise<readonly ItemRow[]>;
  /** The greatest display number in use, 0 for none. */
  lastNumber(): Promise<number>;
  /** Counts per list, protocol, state; never a scan over the items. */
  tally(list: string | undefined): Promise<readonly Tally[]>;
  linksFrom(id: string): Promise<readonly Link[]>;
  linksTo(id: string): Promise<readonly Link[]>;
  /** Items past the allowance of their state, the longest first; an index range, never a scan. */
  overdue(now: string, limit: number): Promise<readonly ItemRow[]>;
  /** Items with so many failures in one state, the most first; an index range, never a scan. */
  failing(atLeast: number, limit: number): Promise<readonly ItemRow[]>;
  /** Items whose timer is due, earliest first. */
  due(now: string, limit: number): Promise<readonly ItemRow[]>;

  /** Leases up to `limit` waiting jobs until `leaseUntil`; an expired lease is taken over with a new fence. */
  claim(
    topic: string,
    now: string,
    limit: number,
    leaseUntil: string,
    owner: string,
    key?: string,
  ): Promise<readonly Job[]>;
  job(topic: string, key: string): Promise<Job | undefined>;

  /** With `after`, keeps it only behind that note ('' = as the first); false when another one came between. */
  saveCheckpoint(note: string, events: number, after?: string): Promise<boolean>;
  /** Newest first. */
  checkpoints(limit: number): Promise<readonly { readonly note: string; readonly events: number }[]>;

  close(): Promise<void>;
}

/** Everything the store holds, in order and in pages, for audit and export. */
export interface StoreContent {
  /** Ordered by position. */
  events(afterPosition: number, limit: number): Promise<readonly StoredEvent[]>;
  /** Ordered by stream name, bytewise. */
  heads(afterStream: string, limit: number): Promise<readonly Head[]>;
  allItems(afterNumber: number, limit: number): Promise<readonly ItemRow[]>;
  allLinks(): Promise<readonly Link[]>;
  allTallies(): Promise<readonly Tally[]>;
  /** Ordered by topic and key, bytewise. */
  allJobs(after: Pick<Job, 'topic' | 'key'>, limit: number): Promise<readonly Job[]>;
  /** What the engine of the store itself finds wrong: page damage, a changed schema, an unsealed row. */
  integrity(): Promise<readonly string[]>;
  repositoryId(): Promise<string>;
  eventCount(): Promise<number>;
}

/** Rows of a store as they stand, for another that is empty. Counts are not among them: they follow from the items. */
export interface StorePart {
  readonly events?: readonly StoredEvent[];
  readonly heads?: readonly Head[];
  readonly items?: readonly ItemRow[];
  readonly links?: readonly Link[];
  readonly jobs?: readonly Job[];
  /** Oldest first. */
  readonly checkpoints?: readonly { readonly note: string; readonly events: number }[];
}

export type StoreErrorCode =
  | 'DAMAGED'
  | 'UNAVAILABLE'
  | 'BUSY'
  | 'NEWER_SCHEMA'
  /** `countersign store migrate` brings it to the present form. */
  | 'OLDER_SCHEMA'
  | 'BAD_URL'
  /** What is there already is not written over. */
  | 'NOT_EMPTY'
  | 'NOT_FOUND'
  | 'READ_ONLY'
  | 'FULL';

/** Thrown for what a caller cannot decide about; conflicts are results, not errors. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
