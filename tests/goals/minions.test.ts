import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Moved } from '../../src/kernel/event.ts';
import { BUILDER, CHECKER, LEAD, missingOf, openWorkshop, type Workshop } from './workshop.ts';

const MINION = 'minion';
const ARMED = 'armed';
let w: Workshop;
let task: string;
beforeEach(async () => {
  w = await openWorkshop();
  await w.s.register(MINION, [], BUILDER);
  await w.s.register(ARMED, ['builder', 'reviewer', 'verifier'], BUILDER);
  task = await w.bring(await w.goal(), 'in_progress');
  w.build(task);
  w.s.repo.write('minion.out', 'two thousand lines\n');
});
afterEach(() => w.s.close());

const submitted = (helpers: string, ...more: readonly string[]) =>
  w.s.say(
    ...[BUILDER, 'move', task, 'submit', '--commit', `work-${task}`],
    ...['--arg', 'summary=It is built', `helpers=${helpers}`, ...more],
  );

describe('grunt work', () => {
  test('GOAL-64: its pilot submits it, answers for it, and the minion is on record with its output', async () => {
    const done = await submitted(MINION, '--evidence', 'log=minion.out');
    expect(done.data).toMatchObject({ status: 'review', claimed_by: BUILDER });
    const move = (await w.s.events(task)).at(-1) as Moved;
    expect(move).toMatchObject({ by: BUILDER, arguments: { helpers: MINION } });
    expect(move.facts.evidence).toMatchObject([{ path: 'minion.out', type: 'log' }]);
    expect((await w.must('', 'show', task)).data.helpers).toEqual([MINION]);
    expect((await w.s.text('', 'show', task)).out).toContain(`helped by ${MINION}`);
  });

  test('GOAL-64: nobody is named as a helper who is not a child of the pilot', async () => {
    for (const stranger of [CHECKER, 'nobody', `${MINION},${LEAD}`])
      expect(missingOf(await submitted(stranger))).toContain('not registered as a child of ben');
    expect(await w.state(task)).toBe('in_progress');
  });

  test('GOAL-65: the minion itself submits nothing, with a role or without', async () => {
    const tried = ['move', task, 'submit', '--commit', `work-${task}`, '--arg', 'summary=Mine'];
    expect((await w.s.say(MINION, ...tried)).error.code).toBe('wrong-role');
    expect(missingOf(await w.s.say(ARMED, ...tried))).toContain(`assignee is ${BUILDER}`);
    expect(await w.state(task)).toBe('in_progress');
  });

  test('GOAL-66, GOAL-67: neither pilot nor minion nor another child verifies it; somebody else does', async () => {
    await submitted(MINION);
    await w.must(LEAD, 'move', task, 'approve');
    expect(missingOf(await w.s.say(BUILDER, 'verify', task))).toContain(`${BUILDER} is the builder`);
    expect((await w.s.say(MINION, 'verify', task)).error.code).toBe('wrong-role');
    await w.roles(MINION, 'verifier');
    expect(missingOf(await w.s.say(MINION, 'verify', task))).toContain(`${MINION} is the builder`);
    expect(missingOf(await w.s.say(ARMED, 'verify', task))).toContain('lineage of the builder');
    expect(await w.state(task)).toBe('completed');
    expect((await w.must(CHECKER, 'verify', task)).data.status).toBe('verified');
  });

  test('GOAL-67: a minion approves nothing of its pilot either', async () => {
    await submitted(MINION);
    expect(missingOf(await w.s.say(ARMED, 'move', task, 'approve'))).toContain('lineage of the builder');
  });

  test('GOAL-68: it needs the approval like any other work', async () => {
    await submitted(MINION);
    const early = await w.s.say(CHECKER, 'verify', task);
    expect(early.error).toMatchObject({ code: 'no-transition', state: 'review' });
    expect(missingOf(early)).toContain('approved before it is verified');
    await w.must(LEAD, 'move', task, 'approve');
    expect((await w.must(CHECKER, 'verify', task)).data.status).toBe('verified');
  });
});
