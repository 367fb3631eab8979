import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { raw } from './audit/tamper.ts';
import { openSession, type Session } from './session.ts';

// A question must not cost more because the store holds more. What whole commands ask of SQLite is written down as it goes
// by, and SQLite is asked how it would carry each of it out.
const require = createRequire(import.meta.url);
type Prepares = { prepare: (sql: string, ...more: unknown[]) => unknown };

/** Both drivers that the store may have picked. */
function drivers(): readonly Prepares[] {
  const found: Prepares[] = [(require('better-sqlite3') as { prototype: Prepares }).prototype];
  // Node 20 has none.
  const own = process.getBuiltinModule?.('node:sqlite') as
    | { DatabaseSync: { prototype: Prepares } }
    | undefined;
  return own === undefined ? found : [...found, own.DatabaseSync.prototype];
}

const asked = new Set<string>();
let restore: readonly (() => void)[] = [];
let s: Session;
let path = '';

beforeAll(async () => {
  s = await openSession({
    agents: { lin: ['lead'], ben: ['builder'] },
    config: 'allowances: {goal-task: {pending: 1}}\n',
  });
  const goal = (await s.say('lin', 'goal', 'create', 'A shop')).data.id;
  for (const title of ['A cart', 'Payment']) await s.say('lin', 'add', title, '--goal', goal);
  await s.say('lin', 'move', 'T-2', 'assign', '--to', 'ben');
  await s.say('ben', 'start', 'T-2');
  s.at('2025-10-25T00:00:00Z');
  await s.say('lin', 'tick');
  path = join(s.repo.top, '.git/countersign/store.db');
  restore = drivers().map((prototype) => {
    const { prepare } = prototype;
    prototype.prepare = function (this: Prepares, sql, ...more) {
      asked.add(sql);
      return prepare.call(this, sql, ...more);
    };
    return () => {
      prototype.prepare = prepare;
    };
  });
});
afterAll(() => {
  for (const back of restore) back();
  s.close();
});

/** How SQLite would carry out all that a command asks; what is asked once at every start is asked there too. */
async function plansOf(...words: readonly string[]): Promise<readonly string[]> {
  asked.clear();
  const { code } = await s.say('lin', ...words);
  expect(code).toBe(0);
  const reads = [...asked].filter((sql) => /^\s*SELECT/i.test(sql));
  expect(reads.some((sql) => /FROM (items|tallies)/.test(sql))).toBe(true);
  return raw(path, (db) =>
    reads.flatMap((sql) =>
      db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...(sql.match(/\?/g) ?? []).map(() => 0))
        .map(({ detail }) => String(detail)),
    ),
  );
}

it.each([
  [['list', '--stuck']],
  [['list', '--failing', '2']],
  [['list', '--escalated']],
  [['list', '--state', 'pending']],
  [['goal', 'status', 'GOAL-1']],
  [['next']],
  [['inbox']],
])('%s reads ranges of indexes and nothing as a whole', async (words) => {
  const plans = await plansOf(...words);
  // Tallies are one row for each state of each list, however many items there are; a page is a list of its numbers.
  const whole = plans.filter(
    (detail) => /^SCAN /.test(detail) && !/^SCAN (tallies|meta|json_each|sqlite_\w+|pragma)/.test(detail),
  );
  expect(whole).toEqual([]);
  expect(plans.some((detail) => /^(SEARCH|SCAN) (items|events|tallies)/.test(detail))).toBe(true);
});
