import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ItemRow, Store, StoreContent, Tally } from '../../src/store/store.ts';
import { commitOf, itemRow, type OpenedStore, type OpenStore, query } from './store-samples.ts';

/** Item rows, counts, links and timers. */
export function boardContract(open: OpenStore): void {
  describe('board', () => {
    let opened: OpenedStore;
    let store: Store & StoreContent;
    let commands = 0;
    const put = (...items: ItemRow[]) => store.commit(commitOf(`put-${++commands}`, { items }));
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.dispose());

    it('finds an item by id and by number, and shows its last row', async () => {
      expect(await store.itemById('item-1')).toBeUndefined();
      expect(await store.lastNumber()).toBe(0);
      await put(itemRow(1), itemRow(7, { legacy: true }));
      await put(itemRow(1, { state: 'CLAIMED', version: 2 }));
      expect(await store.itemById('item-1')).toEqual(itemRow(1, { state: 'CLAIMED', version: 2 }));
      expect(await store.itemByNumber(7)).toEqual(itemRow(7, { legacy: true }));
      expect(await store.lastNumber()).toBe(7);
    });

    it('finds what is past its allowance, the longest first, and what fails again and again', async () => {
      const at = (n: number, overdueAt: string, failures: number) => itemRow(n, { overdueAt, failures });
      await put(at(1, '2026-01-03', 0), at(2, '', 2), at(3, '2026-01-01', 3), at(4, '2026-02-01', 1));
      expect((await store.overdue('2026-01-31', 10)).map((row) => row.number)).toEqual([3, 1]);
      expect((await store.overdue('2026-01-31', 1)).map((row) => row.number)).toEqual([3]);
      expect((await store.failing(2, 10)).map((row) => row.number)).toEqual([3, 2]);
      await put(at(3, '', 0));
      expect((await store.overdue('2026-12-31', 10)).map((row) => row.number)).toEqual([1, 4]);
      expect((await store.failing(1, 10)).map((row) => row.number)).toEqual([2, 4]);
    });

    it('gives a display number to one item only', async () => {
      await put(itemRow(1), itemRow(2));
      const thief = itemRow(2, { id: 'thief' });
      const conflict = { kind: 'conflict', stream: 'items.number', expected: 2, actual: 2 };
      expect(await put(itemRow(3), thief)).toEqual(conflict);
      expect(await put(itemRow(4), itemRow(4, { id: 'thief' }))).toMatchObject({ ...conflict, expected: 4 });
      expect(await store.allItems(0, 10)).toEqual([itemRow(1), itemRow(2)]);
      await put(itemRow(9, { id: 'item-1' }));
      expect((await store.allItems(0, 10)).map((row) => [row.number, row.id])).toEqual([
        [2, 'item-2'],
        [9, 'item-1'],
      ]);
    });

    it('filters by list, states, categories and assignee, in the order of numbers', async () => {
      const rows = Array.from({ length: 60 }, (_, n) =>
        itemRow(n + 1, {
          list: n % 2 === 0 ? 'main' : 'other',
          state: ['PENDING', 'CLAIMED', 'VERIFIED'][n % 3] ?? '',
          category: ['QUEUED', 'SUBMITTED', 'CONFIRMED'][n % 3] ?? '',
          assignee: n % 5 === 0 ? 'ann' : '',
        }),
      );
      await put(...rows);
      const asked = [
        query({ list: 'main' }),
        query({ states: ['PENDING', 'CLAIMED'] }),
        query({ categories: ['QUEUED'], list: 'other' }),
        query({ assignee: 'ann' }),
        query({ assignee: '', states: ['CLAIMED'], after: 10, limit: 3 }),
        query({ states: ['PENDING'], categories: ['SUBMITTED'] }),
        query({ after: 55 }),
        query({ list: 'nowhere' }),
        query({ limit: 0 }),
      ];
      for (const wanted of asked) expect(await store.items(wanted)).toEqual(matching(rows, wanted));
    });

    it('keeps counts that equal a recount after any sequence of writes', async () => {
      const change = fc.record({
        number: fc.integer({ min: 1, max: 6 }),
        list: fc.constantFrom('main', 'other'),
        state: fc.constantFrom('PENDING', 'CLAIMED', 'DONE'),
        protocol: fc.constantFrom('two-phase-commit', 'goals'),
        legacy: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 8 }), async (batches) => {
          for (const batch of batches) {
            await put(...batch.map(({ number, ...rest }) => itemRow(number, rest)));
          }
          const rows = await store.allItems(0, 100);
          expect(sorted(await store.allTallies())).toEqual(recount(rows));
          const main = rows.filter((row) => row.list === 'main');
          expect(sorted(await store.tally('main'))).toEqual(recount(main));
          expect(await store.items(query({ list: 'main' }))).toEqual(main);
        }),
        { numRuns: 40 },
      );
    });

    it('keeps a link once and finds it from both ends', async () => {
      const link = { from: 'a', kind: 'depends-on', to: 'b' };
      const other = { from: 'a', kind: 'supersedes', to: 'b' };
      await store.commit(commitOf('c1', { links: [link, link] }));
      await store.commit(
        commitOf('c2', { links: [link, other, { from: 'c', kind: 'depends-on', to: 'b' }] }),
      );
      expect(await store.linksFrom('a')).toEqual([link, other]);
      expect((await store.linksTo('b')).map((found) => found.from)).toEqual(['a', 'a', 'c']);
      expect(await store.linksTo('a')).toEqual([]);
      expect(await store.allLinks()).toHaveLength(3);
    });

    it('finds due timers, earliest first, and forgets those taken back', async () => {
      const at = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`;
      await put(
        itemRow(1, { dueAt: at(5) }),
        itemRow(2, { dueAt: at(1) }),
        itemRow(3),
        itemRow(4, { dueAt: at(9) }),
      );
      const numbers = async (now: string, limit = 10) =>
        (await store.due(now, limit)).map((row) => row.number);
      expect(await numbers(at(5))).toEqual([2, 1]);
      expect(await numbers(at(5), 1)).toEqual([2]);
      expect(await numbers(at(0))).toEqual([]);
      await put(itemRow(2));
      expect(await numbers(at(9))).toEqual([1, 4]);
    });

    it('pages while others write: no row twice, none lost', async () => {
      const other = await opened.again();
      for (let n = 1; n <= 120; n += 1) await put(itemRow(n));
      const seen: number[] = [];
      let added = 120;
      for (let after = 0; ; after = seen.at(-1) ?? 0) {
        const page = await store.items(query({ list: 'main', after, limit: 10 }));
        if (page.length === 0) break;
        seen.push(...page.map((row) => row.number));
        if (added >= 160) continue;
        const states = [itemRow(seen.length, { state: 'CLAIMED' }), itemRow(119, { state: `S${added}` })];
        await other.commit(commitOf(`w${added}`, { items: [itemRow(++added), ...states] }));
      }
      expect(seen).toEqual(Array.from({ length: added }, (_, n) => n + 1));
      await other.close();
    });
  });
}

function matching(
  rows: readonly ItemRow[],
  { list, states, categories, assignee, after, limit }: ReturnType<typeof query>,
) {
  return rows
    .filter((row) => row.number > after)
    .filter((row) => list === undefined || row.list === list)
    .filter((row) => states.length === 0 || states.includes(row.state))
    .filter((row) => categories.length === 0 || categories.includes(row.category))
    .filter((row) => assignee === undefined || row.assignee === assignee)
    .slice(0, limit);
}

function recount(rows: readonly ItemRow[]): Tally[] {
  const counts = new Map<string, Tally>();
  for (const { list, protocol, state, category, legacy } of rows) {
    const key = JSON.stringify([list, protocol, state, category, legacy]);
    counts.set(key, { list, protocol, state, category, legacy, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return sorted([...counts.values()]);
}

const sorted = (tallies: readonly Tally[]) =>
  [...tallies].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
