import { afterAll, beforeAll, expect, test } from 'vitest';
import { seeded } from '../../examples/offline-audit/damage.ts';
import { auditStore } from '../../src/engine/audit/audit-store.ts';
import { busyWorkshop } from '../audit/busy-workshop.ts';
import { otherValue, type Row } from '../audit/tamper.ts';
import { must, type Workshop } from '../audit/workshop.ts';
import { type Cluster, startCluster } from '../postgres.ts';
import { runs } from '../thoroughness.ts';

/** What no audit can see because nothing depends on it; each with the reason. */
const NOT_LOGICAL: { readonly [column: string]: string } = {
  'checkpoints.number': 'only the order counts, and that is in the notes',
  'migrations.applied_at': 'when the tables were made is for people',
};
const ROWS = runs(2, 24);

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
}

let cluster: Cluster;
let shop: Workshop;
let url: string;
let columns: readonly Column[];
let anchors: readonly string[];
beforeAll(async () => {
  cluster = startCluster();
  url = await cluster.database();
  shop = await busyWorkshop();
  await must(shop, `store copy --to ${url}&schema=damaged --use`);
  columns = await cluster.sql<Column>(
    url,
    `SELECT table_name AS table, column_name AS column, data_type AS type FROM information_schema.columns
      WHERE table_schema = 'damaged' ORDER BY table_name, ordinal_position`,
  );
  await cluster.sql(url, 'CREATE SCHEMA sound');
  for (const table of tables())
    await cluster.sql(url, `CREATE TABLE sound.${table} AS TABLE damaged.${table}`);
  const { ports } = await shop.open();
  anchors = ports.git.anchors();
  await ports.store.close();
});
afterAll(() => {
  cluster?.remove();
  shop?.remove();
});

const tables = () => [...new Set(columns.map(({ table }) => table))];

/** The findings after a change, [] when none; undefined when the database itself refused the change. */
async function after(table: string, text: string, values: readonly unknown[]) {
  try {
    await cluster.sql(url, text, values);
  } catch (error) {
    if (/^2[23]/.test(String((error as { code?: string }).code))) return undefined;
    throw error;
  }
  try {
    return await findings();
  } finally {
    await cluster.sql(url, `TRUNCATE damaged.${table}`);
    await cluster.sql(url, `INSERT INTO damaged.${table} SELECT * FROM sound.${table}`);
  }
}

async function findings(): Promise<readonly string[]> {
  try {
    const { ports } = await shop.open();
    try {
      const { status, findings } = await auditStore({
        ...ports,
        git: { ...ports.git, anchors: () => anchors },
      });
      return status === 'clean' ? [] : findings.map(({ where, what }) => `${where}: ${what}`);
    } finally {
      await ports.store.close();
    }
  } catch (error) {
    return [String(error)];
  }
}

async function sample(table: string, random: (limit: number) => number): Promise<readonly Row[]> {
  const rows = [...(await cluster.sql<Row>(url, `SELECT * FROM sound.${table}`))].filter(
    (row) => !(table === 'tallies' && row.count === '0'),
  );
  while (rows.length > ROWS) rows.splice(random(rows.length), 1);
  return rows;
}

const whole = (row: Row, from = 1) => Object.keys(row).map((name, n) => `"${name}" = $${n + from}`);

function changed(value: unknown, { type }: Column, random: (limit: number) => number): unknown {
  if (typeof value === 'boolean') return !value;
  return otherValue(type === 'text' ? value : Number(value), random);
}

test('what was copied is sound', async () => {
  expect(await findings()).toEqual([]);
  expect(tables()).toHaveLength(10);
});

test('a change in any column of any table is named', async () => {
  const random = seeded(20_260_301);
  const unseen = new Set<string>();
  let changes = 0;
  for (const column of columns) {
    for (const row of await sample(column.table, random)) {
      const value = changed(row[column.column], column, random);
      const text = `UPDATE damaged.${column.table} SET "${column.column}" = $1 WHERE ${whole(row, 2).join(' AND ')}`;
      const found = await after(column.table, text, [value, ...Object.values(row)]);
      if (found === undefined) continue;
      changes += 1;
      if (found.length === 0) unseen.add(`${column.table}.${column.column}`);
    }
  }
  expect([...unseen].filter((name) => !(name in NOT_LOGICAL))).toEqual([]);
  expect(changes).toBeGreaterThan(70);
});

test('a row deleted from any table, or added to it, is named', async () => {
  const random = seeded(7);
  const unseen: string[] = [];
  for (const table of tables()) {
    for (const row of await sample(table, random)) {
      const gone = await after(
        table,
        `DELETE FROM damaged.${table} WHERE ${whole(row).join(' AND ')}`,
        Object.values(row),
      );
      if (gone?.length === 0) unseen.push(`deleted from ${table}: ${JSON.stringify(row).slice(0, 80)}`);
      const own = columns.filter((column) => column.table === table);
      const added = own.map((column) => changed(row[column.column], column, random));
      const places = own.map((_, n) => `$${n + 1}`);
      const more = await after(table, `INSERT INTO damaged.${table} VALUES (${places.join()})`, added);
      const says = table !== 'tallies' || added.at(-1) !== 0;
      if (more?.length === 0 && says)
        unseen.push(`added to ${table}: ${JSON.stringify(added).slice(0, 120)}`);
    }
  }
  expect(unseen).toEqual([]);
});

test('events that changed places, and an end of the log that was cut off, are named', async () => {
  const swap = `UPDATE damaged.events SET position = CASE position WHEN 3 THEN 4 ELSE 3 END WHERE position IN (3, 4)`;
  await cluster.sql(url, 'ALTER TABLE damaged.events DROP CONSTRAINT events_pkey');
  expect(await after('events', swap, [])).not.toEqual([]);
  await cluster.sql(url, 'ALTER TABLE damaged.events ADD PRIMARY KEY (position)');
  expect(await findings()).toEqual([]);
  const cut = 'DELETE FROM damaged.events WHERE position > (SELECT max(position) - 2 FROM damaged.events)';
  expect(await after('events', cut, [])).not.toEqual([]);
});

test.each([
  [
    'an index gone',
    'DROP INDEX damaged.items_due',
    "CREATE INDEX items_due ON damaged.items (due_at, number) WHERE due_at <> ''",
    /missing or changed: index items/,
  ],
  [
    'a table too many',
    'CREATE TABLE damaged.approvals (id text)',
    'DROP TABLE damaged.approvals',
    /does not belong here: column approvals/,
  ],
  [
    'a rule that swallows',
    'CREATE RULE quiet AS ON INSERT TO damaged.events DO INSTEAD NOTHING',
    'DROP RULE quiet ON damaged.events',
    /does not belong here: rule/,
  ],
  [
    'a table elsewhere whose rows count as those of ours',
    'CREATE TABLE public.more () INHERITS (damaged.jobs)',
    'DROP TABLE public.more',
    /does not belong here: heir of jobs: (public\.)?more/,
  ],
  [
    'a column too many',
    'ALTER TABLE damaged.links ADD COLUMN note text',
    'ALTER TABLE damaged.links DROP COLUMN note',
    /does not belong here: column links.note/,
  ],
])('%s is named', async (_, change, back, finding) => {
  await cluster.sql(url, change);
  expect((await findings()).join('\n')).toMatch(finding);
  await cluster.sql(url, back);
  expect(await findings()).toEqual([]);
});
