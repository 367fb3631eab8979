import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { bring, DEVELOPER, STATES, work } from './bring.ts';

// Section B: the six states, as people and programs read them.
let s: Session;
const ids: Record<string, string> = {};
beforeAll(async () => {
  s = await openSession();
  for (const state of STATES) ids[state] = await bring(s, state, '--list', `list-${state.replace('_', '-')}`);
});
afterAll(() => s.close());

const shown = async (state: string) => (await s.say('orchestrator', 'show', ids[state] ?? '')).data;

test('2PC-06: a new item is pending, in the phase of implementation, and nobody has done anything', async () => {
  const added = (await s.say('orchestrator', 'add', 'Write the manual')).data;
  expect(added).toMatchObject({ status: 'pending', phase: 'implementation' });
  for (const key of ['claimed_by', 'verified_by', 'assigned_to', 'proofpack'])
    expect(added).not.toHaveProperty(key);
});

test('2PC-07: a dispatched item is in_progress, in the phase of implementation', async () => {
  expect(await shown('in_progress')).toMatchObject({ status: 'in_progress', phase: 'implementation' });
});

test('2PC-08: a claimed item names its claim and its evidence, and no verification', async () => {
  const claimed = await shown('claimed');
  expect(claimed).toMatchObject({ status: 'claimed', claimed_by: DEVELOPER });
  expect(claimed).not.toHaveProperty('verified_by');
  expect(claimed).not.toHaveProperty('verified_at');
  const claim = (await s.events(ids.claimed ?? '')).find((e) => e.type === 'moved' && e.command === 'claim');
  expect(claim).toMatchObject({ facts: { changed: 1, commit: expect.stringMatching(/^[0-9a-f]{40}$/) } });
});

test('2PC-09: three claims and one completion are one of four', async () => {
  const other = await openSession();
  await bring(other, 'completed');
  for (const list of ['a', 'b', 'c']) await bring(other, 'claimed', '--list', list);
  const { data } = await other.say('', 'list');
  expect(data.progress).toMatchObject({ done: 1, total: 4, byState: { claimed: 3, completed: 1 } });
  expect((await other.text('', 'list')).out).toContain('1 of 4 done');
  expect((await other.say('', 'next')).data.progress).toMatchObject({ done: 1, total: 4 });
  other.close();
});

test('2PC-10: a verified item has a passed proof pack that lists every criterion as met', async () => {
  const verified = await shown('verified');
  expect(verified.status).toBe('verified');
  const pack = JSON.parse(readFileSync(join(s.repo.top, String(verified.proofpack)), 'utf8'));
  expect(pack).toMatchObject({ verdict: 'PASSED', criteria_results: [{ id: 'done', met: true }] });
});

test('2PC-11: from blocked there is one way on, to pending', async () => {
  const blocked = await shown('blocked');
  expect(blocked.status).toBe('blocked');
  expect((blocked.options as { to: string }[]).map((o) => o.to)).toEqual(['pending']);
});

test('from completed there is no way on', async () => {
  expect(await shown('completed')).toMatchObject({ status: 'completed', options: [] });
});

test('a state that does not exist finds nothing and is said to be unknown, with the six that do', async () => {
  const { code, error } = await s.say('', 'list', '--state', 'done');
  expect(code).toBe(2);
  for (const state of STATES) expect(error.hint).toContain(state);
  expect((await s.say('', 'list', '--state', 'CLAIMED')).data.items).toHaveLength(1);
});

test('items of one state can be worked on while others stand', async () => {
  work(s);
  expect((await s.say(DEVELOPER, 'claim', ids.in_progress ?? '')).code).toBe(0);
});
