import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Session } from '../session.ts';
import {
  add,
  bring,
  fail,
  MEMBERS,
  move,
  must,
  onward,
  openLifecycle,
  propose,
  stateOf,
  told,
} from './crew.ts';

// What is read before the work begins: the code base, where there is a plan file, and the approach.
let s: Session;
beforeAll(async () => {
  s = await openLifecycle();
});
afterAll(() => s.close());

const reviewed = (by: string, id: string, reason = 'the plan fits the code') =>
  s.say(by, 'move', id, 'codebase-review', '--reason', reason);

test('LIFE-03: an item with a plan file is not assigned before the CTO has read the code base for it', async () => {
  const id = await add(s, '--plan-file', 'docs/plan.md');
  const refused = await onward(s, id, 'pending');
  expect([refused.code, refused.error.code]).toEqual([3, 'gate-closed']);
  expect(refused.error.missing[0]?.because).toContain('codebase-review');
  for (const by of MEMBERS.filter((name) => name !== 'chief'))
    expect([by, (await reviewed(by, id)).code]).toEqual([by, 7]);
  expect((await reviewed('chief', id, ' ')).code).toBe(2);
  expect((await onward(s, id, 'pending')).code).toBe(3);
  expect((await reviewed('chief', id)).code).toBe(0);
  const { ctoAttempts, currentState, failures } = await told(s, id);
  expect([currentState, ctoAttempts, failures]).toEqual(['pending', 0, {}]);
  expect((await onward(s, id, 'pending')).data.status).toBe('assigned');
  const given = (await s.events(id)).find((e) => e.type === 'recorded');
  expect(given).toMatchObject({
    kind: 'codebase-review',
    by: 'chief',
    facts: { reason: 'the plan fits the code' },
  });
});

test('LIFE-03: without a plan file nobody has to be asked, and a review of another item opens nothing', async () => {
  expect((await onward(s, await add(s), 'pending')).data.status).toBe('assigned');
  const [one, other] = [await add(s, '--plan-file', 'a.md'), await add(s, '--plan-file', 'b.md')];
  must(await reviewed('chief', one));
  expect((await onward(s, other, 'pending')).code).toBe(3);
  // Whoever is put back to the beginning is read again.
  expect(await stateOf(s, one)).toBe('pending');
});

test('CL-13: a rejected approach is not examined again: it takes another one, from who builds it', async () => {
  const id = await bring(s, 'planning');
  await propose(s, id);
  must(await fail(s, id, 'too slow'));
  expect((await onward(s, id, 'planning')).code).toBe(3);
  const again = await move(s, 'developer', id, 'propose', '--evidence', 'approach.md');
  expect([again.code, again.error.missing[0]?.because]).toEqual([
    3,
    'this very approach was examined before',
  ]);
  expect((await move(s, 'validator', id, 'propose', '--evidence', 'approach.md')).code).toBe(7);
  await propose(s, id);
  expect((await onward(s, id, 'planning')).data.status).toBe('validated');
});
