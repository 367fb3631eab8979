import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seeded } from '../../examples/offline-audit/damage.ts';
import { auditStore } from '../../src/engine/audit/audit-store.ts';
import { runs } from '../thoroughness.ts';
import { busyWorkshop } from './busy-workshop.ts';
import { columnsOf, deleteRow, insertRow, otherValue, type Row, raw, rowsOf, setValue } from './tamper.ts';
import type { Workshop } from './workshop.ts';

/** What no audit can see because nothing depends on it; each with the reason. */
const NOT_LOGICAL: { readonly [column: string]: string } = {
  'checkpoints.number': 'only the order counts, and that is in the notes',
  'tallies.legacy': 'every value but 0 means the same',
};
/** A square of the board that is empty says as much as one that is not there. */
const saysNothing = (table: string, row: Row) => table === 'tallies' && row.count === 0;
/** Changes of one row in a table up to this many; of more, a seeded sample. */
const ROWS = runs(12, 24);

let shop: Workshop;
let sound: string;
/** The notes in git, which no change of the store touches: asked for once. */
let anchors: readonly string[];
beforeAll(async () => {
  shop = await busyWorkshop();
  raw(shop.store, (db) => db.pragma('wal_checkpoint(TRUNCATE)'));
  sound = join(shop.folder, 'sound.db');
  copyFileSync(shop.store, sound);
  const { ports } = await shop.open();
  anchors = ports.git.anchors();
  await ports.store.close();
  expect(anchors).toHaveLength(1);
});
afterAll(() => shop.remove());

function restore(): void {
  for (const end of ['-wal', '-shm']) rmSync(`${shop.store}${end}`, { force: true });
  copyFileSync(sound, shop.store);
}

/** The findings after a change, [] when none; undefined when SQLite itself refused the change. */
async function after(change: () => void): Promise<readonly string[] | undefined> {
  restore();
  try {
    change();
  } catch (error) {
    if (String(error).includes('constraint failed') || String(error).includes('datatype')) return undefined;
    throw error;
  }
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

function sample(table: string, random: (limit: number) => number): readonly Row[] {
  const rows = rowsOf(sound, table).filter((row) => !saysNothing(table, row));
  while (rows.length > ROWS) rows.splice(random(rows.length), 1);
  return rows;
}

test('the next audit names every hand edit in any column of any table: 100 of 100 tried, and all the others', async () => {
  const random = seeded(20_260_301);
  const unseen = new Set<string>();
  const edits = { tried: 0, named: 0 };
  for (const column of columnsOf(sound)) {
    for (const row of sample(column.table, random)) {
      const value = otherValue(row[column.column], random);
      const found = await after(() => setValue(shop.store, column, row, value));
      const name = `${column.table}.${column.column}`;
      if (found?.length === 0) unseen.add(name);
      if (found === undefined || name in NOT_LOGICAL) continue;
      edits.tried += 1;
      if (found.length > 0) edits.named += 1;
    }
  }
  expect([...unseen].filter((name) => !(name in NOT_LOGICAL))).toEqual([]);
  expect(edits.tried).toBeGreaterThanOrEqual(100);
  expect(edits.named).toBe(edits.tried);
});

test('a row deleted from any table is named', async () => {
  const random = seeded(7);
  const unseen: string[] = [];
  for (const table of new Set(columnsOf(sound).map(({ table }) => table))) {
    for (const row of sample(table, random)) {
      const found = await after(() => deleteRow(shop.store, table, row));
      if (found?.length === 0) unseen.push(`${table}: ${JSON.stringify(row).slice(0, 80)}`);
    }
  }
  expect(unseen).toEqual([]);
});

test('a row added to any table is named', async () => {
  const random = seeded(11);
  const unseen: string[] = [];
  const columns = columnsOf(sound);
  for (const table of new Set(columns.map(({ table }) => table))) {
    for (const row of sample(table, random).slice(0, 10)) {
      const added = Object.fromEntries(Object.entries(row).map(([name, v]) => [name, otherValue(v, random)]));
      const found = await after(() => insertRow(shop.store, table, added));
      if (found?.length === 0 && !saysNothing(table, added))
        unseen.push(`${table}: ${JSON.stringify(added).slice(0, 160)}`);
    }
  }
  expect(unseen).toEqual([]);
});

test('two rows that changed places are named', async () => {
  const random = seeded(13);
  const unseen: string[] = [];
  for (const [table, key] of [
    ['events', 'position'],
    ['checkpoints', 'number'],
    ['items', 'number'],
  ] as const) {
    for (const [one = {}, other = {}] of neighbours(sample(table, random))) {
      const found = await after(() =>
        raw(shop.store, (db) => {
          const move = db.prepare(`UPDATE ${table} SET ${key} = ? WHERE ${key} = ?`);
          move.run(999_999, one[key]);
          move.run(one[key], other[key]);
          move.run(other[key], 999_999);
        }),
      );
      // Nothing depends on which of two streams got its event first.
      const apart = table === 'events' && one.stream !== other.stream;
      if (found?.length === 0 && !apart) unseen.push(`${table}: ${String(one[key])}`);
    }
  }
  expect(unseen).toEqual([]);
});

const neighbours = (rows: readonly Row[]) => rows.slice(1).map((row, i) => [rows[i], row]);
