import { afterAll, beforeAll, expect, test } from 'vitest';
import { busyWorkshop } from './busy-workshop.ts';
import { itemNumbered, rehash } from './forge.ts';
import { raw } from './tamper.ts';
import { must, type Workshop } from './workshop.ts';

/**
 * Lies that are chained without a fault and that a checkpoint covers, as whoever holds the key could write them:
 * only judging every decision again can name them.
 */
let sound: Workshop;
beforeAll(async () => {
  sound = await busyWorkshop();
});
afterAll(() => sound.remove());

type Data = Record<string, unknown>;
interface Body {
  readonly type: string;
  readonly by: string;
  readonly data: Data;
}

const inItem = (number: number, change: (body: Body) => unknown) => (path: string) => {
  const { id } = itemNumbered(path, number);
  rehash(path, `item/${id}`, (body) => change(body as unknown as Body));
};
const inData = (number: number, matches: (body: Body) => boolean, data: Data) =>
  inItem(number, (body) => (matches(body) ? { ...body, data: { ...body.data, ...data } } : body));
const inStream = (prefix: string, data: Data) => (path: string) => {
  const [row = {}] = raw(path, (db) =>
    db.prepare(`SELECT stream FROM streams WHERE stream LIKE '${prefix}%' ORDER BY stream LIMIT 1`).all(),
  );
  rehash(path, String(row.stream), (body) => ({ ...body, data: { ...(body.data as Data), ...data } }));
};
const is = (type: string, command?: string) => (body: Body) =>
  body.type === type && (command === undefined || body.data.command === command);

const LIES: readonly (readonly [string, (path: string) => void, string])[] = [
  [
    'opened as verified',
    inData(6, is('opened'), { state: 'verified' }),
    'it was opened as verified instead of pending',
  ],
  [
    'opened as old, finished work',
    inData(6, is('opened'), { legacy: true }),
    'it is marked legacy without an import',
  ],
  [
    'opened with the number of another',
    inData(6, is('opened'), { number: 5 }),
    'its number 5 belongs to item/',
  ],
  [
    'opened under an unknown protocol',
    inData(6, is('opened'), { protocol: { name: 'x', version: '1', digest: 'd' } }),
    'is not in the log',
  ],
  [
    'opened without its dependencies',
    inData(5, is('opened'), { facts: { depends_on: [] } }),
    'on which it does not depend',
  ],
  [
    'opened in the place of another that says nothing of it',
    inItem(6, (b) =>
      is('opened')(b)
        ? {
            ...b,
            data: { ...b.data, facts: { ...(b.data.facts as Data), migrated_from: { uuid: 'other' } } },
          }
        : b,
    ),
    'it says that it took the place of an item that says nothing of it',
  ],
  [
    'told that a dependency was verified',
    inData(5, (b) => b.data.member === 'T-4', { state: 'verified' }),
    'tells that T-4 was verified, its own log says',
  ],
  [
    'told of a category that is none of the state',
    inData(5, (b) => b.data.member === 'T-4', { category: 'CLOSED' }),
    'counts T-4 as CLOSED instead of',
  ],
  ['moved by another row', inData(8, is('moved', 'verify'), { row: 8 }), 'judged again'],
  [
    'moved elsewhere',
    inData(8, is('moved', 'verify'), { to: 'completed' }),
    'judged again, it leads from claimed to verified',
  ],
  ['moved on an unsatisfied probe', inData(8, is('moved', 'claim'), { facts: {} }), 'was not checked'],
  [
    'a hop that nothing implies',
    inData(8, (b) => b.data.row === -1, { to: 'verified' }),
    'nothing implies the step from pending to verified',
  ],
  [
    'a verdict of nobody',
    inData(8, is('recorded'), { requestedBy: 'nobody' }),
    'nobody was nobody of the roster then',
  ],
  [
    'a verdict that its pack does not give',
    inData(3, is('recorded'), { outcome: 'PASSED' }),
    'says outcome BLOCKED, the log says PASSED',
  ],
  [
    'a claim by a retired name',
    inItem(4, (b) => (is('moved', 'claim')(b) ? { ...b, by: 'ghost' } : b)),
    'ghost was nobody of the roster then',
  ],
  [
    'an event of no kind',
    inItem(6, (b) => (is('moved', 'dispatch')(b) ? { ...b, type: 'done' } : b)),
    'there is no event done here',
  ],
  [
    'a confirmation under another id',
    inStream('proof/', { id: 'other' }),
    'a confirmation is used once, under its own id',
  ],
  [
    'a protocol of another digest',
    inStream('protocol/', { protocol: { name: 'two-phase' } }),
    'does not have the digest',
  ],
  ['a list that was told a lie', inStream('list/', { state: 'completed' }), 'its own log says'],
  ['a roster of another repository', inStream('roster', { repository: 'other' }), 'its roster of other'],
];

test.each(LIES)('%s: the audit names it though chain and checkpoint hold', async (_, lie, expected) => {
  const shop = sound.copy();
  try {
    lie(shop.store);
    // The forger signs anew over the lie; only the older checkpoints contradict it.
    await shop.cs('audit checkpoint');
    const { code, out } = await shop.cs('audit verify');
    expect(code).toBe(1);
    expect(out).toContain(expected);
    expect(out).not.toContain('hash does not follow');
  } finally {
    shop.remove();
  }
});

test('the forger of these tests leaves no other trace: without a lie the store stays clean', async () => {
  const shop = sound.copy();
  try {
    inItem(6, (body) => body)(shop.store);
    await must(shop, 'audit verify');
  } finally {
    shop.remove();
  }
});
