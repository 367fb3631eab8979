/** Stands in the header of the file (offset 68): 'CSGN'. A file without it is not ours and is never written. */
export const APPLICATION_ID = 0x4353474e;
/** Grows with every change of the tables below. */
export const SCHEMA_VERSION = 2;

/**
 * Name and text of everything in the file; SQLite keeps the text, so a changed schema shows by comparison.
 * An item's display number is its row id: every index ends in it, which makes a page of a board one range.
 */
export const SCHEMA: ReadonlyMap<string, string> = new Map([
  ['meta', `CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID`],
  [
    'streams',
    `CREATE TABLE streams (
  stream TEXT PRIMARY KEY, version INTEGER NOT NULL, hash TEXT NOT NULL
) STRICT, WITHOUT ROWID`,
  ],
  [
    'events',
    `CREATE TABLE events (
  position INTEGER PRIMARY KEY, stream TEXT NOT NULL REFERENCES streams (stream), version INTEGER NOT NULL,
  hash TEXT NOT NULL, command TEXT NOT NULL, body TEXT NOT NULL, UNIQUE (stream, version)
) STRICT`,
  ],
  ['events_command', `CREATE INDEX events_command ON events (command)`],
  [
    'items',
    `CREATE TABLE items (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, list TEXT NOT NULL, kind TEXT NOT NULL,
  protocol TEXT NOT NULL, state TEXT NOT NULL, category TEXT NOT NULL, title TEXT NOT NULL,
  assignee TEXT NOT NULL, version INTEGER NOT NULL, updatedAt TEXT NOT NULL, dueAt TEXT NOT NULL,
  legacy INTEGER NOT NULL CHECK (legacy IN (0, 1)), overdueAt TEXT NOT NULL, failures INTEGER NOT NULL
) STRICT`,
  ],
  ['items_board', `CREATE INDEX items_board ON items (list, state, category)`],
  ['items_assignee', `CREATE INDEX items_assignee ON items (assignee, list, state, category)`],
  ['items_due', `CREATE INDEX items_due ON items (dueAt) WHERE dueAt <> ''`],
  ['items_overdue', `CREATE INDEX items_overdue ON items (overdueAt) WHERE overdueAt <> ''`],
  ['items_failing', `CREATE INDEX items_failing ON items (failures) WHERE failures > 0`],
  [
    'tallies',
    `CREATE TABLE tallies (
  list TEXT NOT NULL, protocol TEXT NOT NULL, state TEXT NOT NULL, category TEXT NOT NULL,
  legacy INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (list, protocol, state, category, legacy)
) STRICT, WITHOUT ROWID`,
  ],
  [
    'links',
    `CREATE TABLE links (
  source TEXT NOT NULL, kind TEXT NOT NULL, target TEXT NOT NULL, PRIMARY KEY (source, kind, target)
) STRICT, WITHOUT ROWID`,
  ],
  ['links_target', `CREATE INDEX links_target ON links (target)`],
  [
    'jobs',
    `CREATE TABLE jobs (
  topic TEXT NOT NULL, key TEXT NOT NULL, payload TEXT NOT NULL, availableAt TEXT NOT NULL,
  fence INTEGER NOT NULL, owner TEXT NOT NULL, leaseUntil TEXT NOT NULL,
  finished INTEGER NOT NULL CHECK (finished IN (0, 1)),
  seal TEXT NOT NULL, PRIMARY KEY (topic, key)
) STRICT, WITHOUT ROWID`,
  ],
  ['jobs_waiting', `CREATE INDEX jobs_waiting ON jobs (topic, availableAt) WHERE finished = 0`],
  [
    'checkpoints',
    `CREATE TABLE checkpoints (
  number INTEGER PRIMARY KEY, note TEXT NOT NULL, events INTEGER NOT NULL
) STRICT`,
  ],
]);
