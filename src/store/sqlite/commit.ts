import type { Commit, CommitResult, Head, Link } from '../store.ts';
import { type Planned, planItems, writeItems } from './board-writes.ts';
import type { Connection } from './connection.ts';
import { enqueue, finish, isHeld } from './jobs.ts';
import { append, eventsOfCommand, headOf } from './log.ts';

type Heads = Map<string, Head>;

/**
 * Applies a commit in one transaction under the write lock. Everything that can refuse it is looked at before
 * the first row is written, so a refusal leaves nothing behind.
 */
export const applyCommit = (connection: Connection, commit: Commit): CommitResult =>
  connection.immediate(() => apply(connection, commit));

/** What became of one commit of several: its result, or why it failed. */
export type Settled = { readonly result: CommitResult } | { readonly error: unknown };

/**
 * Applies commits one after the other, durable in one go. What fails of one leaves the others as they are; where the whole
 * cannot be made durable, none of it happened, and the error is thrown.
 */
export const applyTogether = (connection: Connection, commits: readonly Commit[]): readonly Settled[] =>
  connection.immediate(() => commits.map((commit) => settled(connection, commit)));

function settled(connection: Connection, commit: Commit): Settled {
  connection.prepare('SAVEPOINT one').run();
  try {
    const result = apply(connection, commit);
    connection.prepare('RELEASE one').run();
    return { result };
  } catch (error) {
    // Where the library has given the whole transaction up, this throws, and nothing is made durable.
    connection.prepare('ROLLBACK TO one').run();
    connection.prepare('RELEASE one').run();
    return { error };
  }
}

function apply(connection: Connection, commit: Commit): CommitResult {
  const earlier = eventsOfCommand(connection, commit.commandId);
  if (earlier.length > 0) return { kind: 'duplicate', events: earlier };
  const heads: Heads = new Map();
  const items = planItems(connection, commit.items);
  const refusal = moved(connection, commit, heads) ?? taken(items) ?? unfenced(connection, commit);
  return refusal ?? write(connection, commit, heads, items.writes);
}

/** The first stream that is no longer where the decider saw it; fills in the heads of the streams to write. */
function moved(connection: Connection, commit: Commit, heads: Heads): CommitResult | undefined {
  for (const { stream, version } of commit.readSet) {
    const actual = headOf(connection, stream).version;
    if (actual !== version) return { kind: 'conflict', stream, expected: version, actual };
  }
  const planned = new Map<string, number>();
  for (const { stream, expected, bodies } of commit.appends) {
    const head = heads.get(stream) ?? headOf(connection, stream);
    heads.set(stream, head);
    const actual = planned.get(stream) ?? head.version;
    if (expected !== 'any' && expected !== actual) return { kind: 'conflict', stream, expected, actual };
    planned.set(stream, actual + bodies.length);
  }
  return undefined;
}

function taken({ taken: number, last }: Planned): CommitResult | undefined {
  if (number === undefined) return undefined;
  return { kind: 'conflict', stream: 'items.number', expected: number, actual: last };
}

function unfenced(connection: Connection, commit: Commit): CommitResult | undefined {
  const lost = commit.fences.find((fence) => !isHeld(connection, fence));
  return lost && { kind: 'fenced', topic: lost.topic, key: lost.key };
}

function write(connection: Connection, commit: Commit, heads: Heads, items: Planned['writes']): CommitResult {
  const events = commit.appends.flatMap((added) => {
    const head = heads.get(added.stream) ?? headOf(connection, added.stream);
    const appended = append(connection, head, commit.commandId, added);
    heads.set(added.stream, appended.at(-1) ?? head);
    return appended;
  });
  writeItems(connection, items);
  for (const link of commit.links) insertLink(connection, link);
  for (const job of commit.jobs) enqueue(connection, job);
  for (const fence of commit.fences) if (fence.finish) finish(connection, fence);
  return { kind: 'committed', events };
}

function insertLink(connection: Connection, { from, kind, to }: Link): void {
  connection
    .prepare('INSERT INTO links (source, kind, target) VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
    .run(from, kind, to);
}
