import { createHash } from 'node:crypto';

/** A step from one form of the schema to the next. Never changed once it was published: its digest is kept where it ran. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  /** `{}` stands for the schema. */
  readonly statements: readonly string[];
}

const TEXT = 'text COLLATE "C" NOT NULL';

/**
 * Plain tables and indexes. Text is compared by its bytes, as the order of streams demands. `log` is one row: who
 * writes holds it until the commit is durable, so positions are given in the order in which commits become visible.
 */
const FIRST: Migration = {
  number: 1,
  name: 'log, board, links, jobs, checkpoints',
  statements: [
    `CREATE TABLE {}.meta (name ${TEXT} PRIMARY KEY, value ${TEXT})`,
    'CREATE TABLE {}.log (one smallint PRIMARY KEY CHECK (one = 1), position bigint NOT NULL)',
    `CREATE TABLE {}.streams (stream ${TEXT} PRIMARY KEY, version bigint NOT NULL, hash ${TEXT})`,
    `CREATE TABLE {}.events (
  position bigint PRIMARY KEY, stream ${TEXT}, version bigint NOT NULL, hash ${TEXT}, command ${TEXT}, body ${TEXT},
  UNIQUE (stream, version))`,
    'CREATE INDEX events_command ON {}.events (command)',
    `CREATE TABLE {}.items (
  number bigint PRIMARY KEY, id ${TEXT} UNIQUE, list ${TEXT}, kind ${TEXT}, protocol ${TEXT}, state ${TEXT},
  category ${TEXT}, title ${TEXT}, assignee ${TEXT}, version bigint NOT NULL, updated_at ${TEXT}, due_at ${TEXT},
  legacy boolean NOT NULL, overdue_at ${TEXT}, failures bigint NOT NULL)`,
    'CREATE INDEX items_board ON {}.items (list, state, category, number)',
    'CREATE INDEX items_assignee ON {}.items (assignee, list, state, category, number)',
    `CREATE INDEX items_due ON {}.items (due_at, number) WHERE due_at <> ''`,
    `CREATE INDEX items_overdue ON {}.items (overdue_at, number) WHERE overdue_at <> ''`,
    'CREATE INDEX items_failing ON {}.items (failures DESC, number) WHERE failures > 0',
    `CREATE TABLE {}.tallies (
  list ${TEXT}, protocol ${TEXT}, state ${TEXT}, category ${TEXT}, legacy boolean NOT NULL, count bigint NOT NULL,
  PRIMARY KEY (list, protocol, state, category, legacy))`,
    `CREATE TABLE {}.links (source ${TEXT}, kind ${TEXT}, target ${TEXT}, PRIMARY KEY (source, kind, target))`,
    'CREATE INDEX links_target ON {}.links (target, source, kind)',
    `CREATE TABLE {}.jobs (
  topic ${TEXT}, key ${TEXT}, payload ${TEXT}, available_at ${TEXT}, fence bigint NOT NULL, owner ${TEXT},
  lease_until ${TEXT}, finished boolean NOT NULL, seal ${TEXT}, PRIMARY KEY (topic, key))`,
    'CREATE INDEX jobs_waiting ON {}.jobs (topic, available_at, key) WHERE NOT finished',
    `CREATE TABLE {}.checkpoints (number bigint PRIMARY KEY, note ${TEXT}, events bigint NOT NULL)`,
    'INSERT INTO {}.log (one, position) VALUES (1, 0)',
  ],
};

/** All there are, in order. */
export const MIGRATIONS: readonly Migration[] = [FIRST];

/** What is kept of a migration that ran. */
export function digestOf({ number, name, statements }: Migration): string {
  return createHash('sha256')
    .update(JSON.stringify([number, name, statements]))
    .digest('hex');
}

/** The table that holds them; made before the first. */
export const MIGRATIONS_TABLE = `CREATE TABLE {}.migrations (
  number bigint PRIMARY KEY, name ${TEXT}, digest ${TEXT}, applied_at ${TEXT})`;
