import { expect, test } from 'vitest';
import { openSession } from '../session.ts';
import { bring } from './bring.ts';

test('2PC-62: a workflow cannot be ended over unverified claims: it is refused with their list', async () => {
  const s = await openSession();
  const claimed = await bring(s, 'claimed');
  const pending = await bring(s, 'pending');
  const refused = await s.say('orchestrator', 'list', '--assert-done');
  expect(refused.code).toBe(3);
  expect(refused.error.hint).toBe(`countersign verify ${claimed}`);
  expect(refused.error).toMatchObject({ open: [{ item: claimed }, { item: pending }] });
  // Nothing declines a verification: without an inconclusive run the only ways out of a claim are its two outcomes.
  const { data } = await s.say('orchestrator', 'show', claimed);
  expect((data.options as { to: string }[]).map((o) => o.to).sort()).toEqual(['blocked', 'verified']);
  const before = await s.snapshot(claimed);
  const released = await s.say('orchestrator', 'release', claimed);
  expect([released.code, released.error.missing[0]?.because]).toEqual([3, 'there is no inconclusive run']);
  expect(await s.snapshot(claimed)).toBe(before);
  s.close();
});

test('a list in which everything is completed is done', async () => {
  const s = await openSession();
  await bring(s, 'completed');
  expect((await s.text('orchestrator', 'list', '--assert-done')).code).toBe(0);
  s.close();
});
