import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { bring, DEVELOPER } from './bring.ts';

// Section D: what is forbidden is refused, kept and explained.
let s: Session;
beforeEach(async () => {
  s = await openSession();
});
afterEach(() => s.close());

test('2PC-35: a refused completion leaves the item as it was, and one record says who tried what and why', async () => {
  const id = await bring(s, 'claimed');
  const before = await s.snapshot(id);
  const refused = await s.text('orchestrator', 'complete', id);
  expect(refused.code).toBe(6);
  expect(refused.err).toContain('verification may not be skipped');
  expect(await s.snapshot(id)).toBe(before);
  expect(await s.refusals(id)).toEqual([
    expect.objectContaining({
      by: 'orchestrator',
      item: id,
      state: 'claimed',
      attempted: 'complete',
      because: 'verification may not be skipped',
      at: s.now(),
    }),
  ]);
  expect((await s.text('', 'log', id)).out).toContain('REFUSED complete in claimed');
});

test('each refused attempt is one more record, whoever makes it', async () => {
  const id = await bring(s, 'claimed');
  for (const actor of [DEVELOPER, 'quality-validator', '', 'orchestrator'])
    await s.say(actor, 'complete', id);
  expect((await s.refusals(id)).map((r) => r.by)).toEqual([
    DEVELOPER,
    'quality-validator',
    'ada',
    'orchestrator',
  ]);
});

test('2PC-30: completing a blocked item is refused with the failures that are open', async () => {
  const id = await bring(s, 'blocked');
  const refused = await s.text('orchestrator', 'complete', id);
  expect(refused.code).toBe(6);
  expect(refused.err).toContain('failed verifications remain');
  expect(refused.err).toContain('done - ');
});

test('2PC-31: a verification cannot be undone; the advice is a follow-up item, and it works', async () => {
  const id = await bring(s, 'completed');
  const refused = await s.say('orchestrator', 'retry', id);
  expect([refused.code, refused.error.next]).toEqual([
    6,
    [`countersign --actor orchestrator follow-up ${id} "TITLE"`],
  ]);
  const verified = await bring(s, 'verified', '--list', 'other');
  const undo = await s.say('orchestrator', 'retry', verified);
  expect([undo.code, undo.error.message]).toEqual([6, 'verification cannot be undone']);
  expect(undo.error.missing[0]?.fix).toContain('follow-up');
  expect(undo.error.hint).toBe(`countersign --actor orchestrator follow-up ${verified} "TITLE"`);
  const next = await s.say('orchestrator', 'follow-up', id, 'Mend the login screen');
  expect(next.data).toMatchObject({ status: 'pending' });
  expect((await s.text('', 'show', id)).out).toContain(`regression ${next.data.id}`);
});

test('2PC-33: a specialist cannot complete, from whichever state; the refusal says what to do instead', async () => {
  for (const state of ['pending', 'in_progress', 'claimed', 'blocked', 'verified', 'completed'] as const) {
    const id = await bring(s, state, '--list', `l-${state.replace('_', '-')}`);
    const before = await s.snapshot(id);
    const { code, error } = await s.say(DEVELOPER, 'complete', id);
    expect([state, [6, 7].includes(code), error.hint !== '']).toEqual([state, true, true]);
    if (state === 'in_progress') expect(error.missing[0]?.fix).toContain('claim');
    expect(await s.snapshot(id)).toBe(before);
  }
});
