import { afterEach, beforeEach, expect, test } from 'vitest';
import { CHECKER, LEAD, missingOf, openWorkshop, type Workshop } from './workshop.ts';

// What was integrated before a part of it changed is not the whole any more, and no run on it counts.
let w: Workshop;
let goal: string;
beforeEach(async () => {
  w = await openWorkshop();
  goal = await w.goal();
});
afterEach(() => w.s.close());

test('GOAL-39: a goal that nobody integrated is not verified by a run of the checks', async () => {
  const task = await w.bring(goal, 'verified');
  w.merge(task);
  const early = await w.s.say(LEAD, 'verify', goal);
  expect(early.code).not.toBe(0);
  expect(missingOf(early)).toContain('there is no integration');
  expect(await w.state(goal)).toBe('pending_verify');
});

test('GOAL-39, GOAL-62: after a part was verified anew the old integration is none of the new whole', async () => {
  const task = await w.bring(goal, 'verified');
  w.merge(task);
  await w.must(LEAD, 'goal', 'verify', goal, '--notes', 'Bought a thing');
  await w.must(LEAD, 'move', task, 'reopen', '--reason', 'It broke');
  await w.onTo(task, 'in_progress', 'verified');
  expect(await w.state(goal)).toBe('pending_verify');
  const before = await w.s.snapshot(goal);
  const stale = await w.s.say(LEAD, 'verify', goal);
  expect(stale.code).not.toBe(0);
  expect(missingOf(stale)).toContain('there is no integration');
  expect(await w.s.snapshot(goal)).toBe(before);
  expect((await w.s.say(CHECKER, 'verify', goal)).code).not.toBe(0);
  w.merge(task);
  const whole = await w.must(LEAD, 'goal', 'verify', goal, '--notes', 'Bought another thing');
  expect(whole.data.status).toBe('verified');
});
