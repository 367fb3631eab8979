import { afterEach, expect, it } from 'vitest';
import { callerOf } from '../../src/engine/credential.ts';
import { delegating } from '../../src/engine/delegating.ts';
import { importTodos } from '../../src/engine/import-todo.ts';
import type { Ports } from '../../src/engine/ports.ts';
import { openSession, type Session } from '../session.ts';

let session: Session | undefined;
afterEach(() => session?.close());

it('two imports of the same list at once open each todo once', async () => {
  session = await openSession();
  const { first, second, titles } = await session.with(async (opened) => {
    const { ports } = opened;
    const caller = await callerOf(opened, '');
    const todos = ['One', 'Two'].map((content) => ({ content, status: 'pending' }));
    const request = { bytes: Buffer.from(JSON.stringify(todos)), list: 'main', dryRun: false };
    let inBetween: Awaited<ReturnType<typeof importTodos>> | undefined;
    // The other one has come and gone when the first has matched its list with what is here.
    const slow: Ports = {
      ...ports,
      store: delegating(ports.store, {
        items: async (query) => {
          const rows = await ports.store.items(query);
          inBetween ??= await importTodos(ports, caller, request);
          return rows;
        },
      }),
    };
    const late = await importTodos(slow, caller, request);
    const query = { list: 'main', states: [], categories: [], assignee: undefined, after: 0, limit: 50 };
    const rows = await ports.store.items(query);
    return { first: inBetween, second: late, titles: rows.map(({ title }) => title) };
  });
  expect(titles).toEqual(['One', 'Two']);
  const actions = (result: typeof first) =>
    result?.kind === 'done' ? result.lines.map(({ action }) => action) : [];
  expect(actions(first)).toEqual(['opened', 'opened']);
  expect(actions(second)).toEqual(['skipped', 'skipped']);
});
