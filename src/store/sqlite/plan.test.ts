import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { board, due, failing, itemById, itemByNumber, overdue } from './board-queries.ts';
import type { Connection } from './connection.ts';
import { create } from './create.ts';
import { connect } from './driver.ts';

const folder = mkdtempSync(join(tmpdir(), 'plan-'));
const path = join(folder, 'store.sqlite');
let connection: Connection;
beforeAll(() => {
  create(path, 'repository', 'any');
  connection = connect(path, 'any', 0);
});
afterAll(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

/** The queries that a question comes to, as SQLite would carry each of them out. */
function plansOf(ask: (watched: Connection) => unknown): readonly string[] {
  const asked: string[] = [];
  const watched: Connection = {
    ...connection,
    snapshot: (work) => work(),
    prepare(sql) {
      asked.push(sql);
      return connection.prepare(sql);
    },
  };
  ask(watched);
  return asked.flatMap((sql) =>
    connection
      .prepare<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...(sql.match(/\?/g) ?? []).map(() => 0))
      .map(({ detail }) => detail),
  );
}

it.each<[string, (watched: Connection) => unknown]>([
  ['what is overdue', (c) => overdue(c, '2026', 10)],
  ['what is failing', (c) => failing(c, 2, 10)],
  ['what is due', (c) => due(c, '2026', 10)],
  ['an item by its id', (c) => itemById(c, 'x')],
  ['an item by its number', (c) => itemByNumber(c, 1)],
  [
    'a page of a board',
    (c) =>
      board(c, {
        list: 'main',
        states: ['pending'],
        categories: [],
        assignee: undefined,
        after: 0,
        limit: 9,
      }),
  ],
  [
    'a page over all lists',
    (c) =>
      board(c, {
        list: undefined,
        states: ['pending', 'testing'],
        categories: [],
        assignee: undefined,
        after: 0,
        limit: 9,
      }),
  ],
])('%s is found by an index, never by a scan of the items', (_, ask) => {
  const plans = plansOf(ask);
  expect(plans.length).toBeGreaterThan(0);
  expect(plans.filter((detail) => /SCAN items\b/.test(detail) && !/USING/.test(detail))).toEqual([]);
  expect(plans.join('\n')).toMatch(/SEARCH (items|tallies)|SCAN (items|tallies)/);
  expect(plans.filter((detail) => detail.includes('TEMP B-TREE FOR ORDER'))).toEqual([]);
});
