import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Message } from '../../src/engine/message.ts';
import type { Moved } from '../../src/kernel/event.ts';
import { BUILDER, CHECKER, LEAD, missingOf, openWorkshop, type Workshop } from './workshop.ts';

const OTHER = 'olga';
let w: Workshop;
let goal: string;
beforeEach(async () => {
  w = await openWorkshop();
  await w.s.register(OTHER, ['builder', 'verifier']);
  goal = await w.goal();
});
afterEach(() => w.s.close());

const inbox = async (actor: string) =>
  (await w.must(actor, 'inbox')).data.messages as unknown as readonly Message[];
const reject = (task: string, by = CHECKER, reason = 'The total is wrong for an empty cart') =>
  w.must(by, 'move', task, 'reject-verification', '--reason', reason);
const taskOf = async (task: string) => (await w.status(goal)).tasks.find((t) => t.task_id === task);
const again = (task: string, builder = BUILDER) => w.onTo(task, 'in_progress', 'completed', { builder });

/** A task whose verification was rejected twice. */
async function twice(): Promise<string> {
  const task = await w.bring(goal, 'completed');
  await reject(task);
  await again(task);
  await reject(task, OTHER, 'Still wrong for an empty cart');
  return task;
}

describe('a rejected verification', () => {
  test('GOAL-34: rejections by verifiers are counted for each task, those of a review are not', async () => {
    const task = await w.bring(goal, 'review');
    const other = await w.bring(goal, 'completed');
    for (const reason of ['Names are cut', 'Names are still cut']) {
      await w.must(CHECKER, 'move', task, 'reject', '--reason', reason);
      w.build(task);
      await w.submit(task);
    }
    await w.must(LEAD, 'move', task, 'approve');
    expect(await taskOf(task)).toMatchObject({ rejections: 0, escalated: false });
    await reject(task);
    expect(await taskOf(task)).toMatchObject({ rejections: 1, escalated: false });
    expect(await taskOf(other)).toMatchObject({ rejections: 0 });
  });

  test('GOAL-59, GOAL-61: the task is submitted, approved and verified anew; the old approval counts no more', async () => {
    const task = await w.bring(goal, 'completed');
    await reject(task);
    expect(await w.state(task)).toBe('in_progress');
    expect((await w.s.say(CHECKER, 'verify', task)).error.code).toBe('no-transition');
    w.build(task);
    await w.submit(task);
    const unapproved = await w.s.say(CHECKER, 'verify', task);
    expect(unapproved.error).toMatchObject({ code: 'no-transition', state: 'review' });
    expect(missingOf(unapproved)).toContain('approved before it is verified');
    await w.must(LEAD, 'move', task, 'approve');
    expect((await w.must(CHECKER, 'verify', task)).data.status).toBe('verified');
  });

  test('GOAL-61: whoever approved before and not now is not the one who approved it', async () => {
    const task = await w.bring(goal, 'review');
    await w.must(CHECKER, 'move', task, 'approve');
    await reject(task, OTHER);
    w.build(task);
    await w.submit(task);
    await w.must(LEAD, 'move', task, 'approve');
    expect((await w.must(CHECKER, 'verify', task)).data.status).toBe('verified');
  });

  test('GOAL-60: its builder has the whole reason, in the inbox, in the task and in its history', async () => {
    const task = await w.bring(goal, 'completed');
    const reason = `The total of three things at 0.1 is ${'0.3'.padEnd(120, '0')}4, see cart.ts and sum.ts`;
    await reject(task, CHECKER, reason);
    expect(await inbox(BUILDER)).toContainEqual({
      next: [expect.stringContaining(`move ${task} submit`)],
      to: BUILDER,
      item: task,
      text: expect.stringContaining(reason),
    });
    expect(await inbox(OTHER)).toEqual([]);
    const shown = await w.s.text(BUILDER, 'show', task);
    expect(shown.out).toContain(`sent back from completed by ${CHECKER}: ${reason}`);
    const { data } = await w.must(BUILDER, 'history', task);
    expect(data.briefing).toMatchObject({ failures: [{ state: 'completed', by: CHECKER, reason }] });
    await again(task);
    expect(await inbox(BUILDER)).toEqual([]);
  });

  test('GOAL-60, GOAL-34: checks that fail are a rejection by whoever asked for them, with what failed', async () => {
    const task = await w.bring(goal, 'completed', { good: false });
    const failed = await w.s.say(CHECKER, 'verify', task);
    expect(failed.code).toBe(4);
    expect(failed.data.status).toBe('in_progress');
    expect(await taskOf(task)).toMatchObject({ rejections: 1 });
    expect((await inbox(BUILDER))[0]?.text).toContain('the checks failed');
  });
});

describe('the second rejection', () => {
  test('GOAL-35, GOAL-36: it escalates to the lead, who is told of the task, twice, by whom, and what is due', async () => {
    const task = await w.bring(goal, 'completed');
    await reject(task);
    expect((await inbox(LEAD)).filter(({ item }) => item === task)).toEqual([]);
    await again(task);
    await reject(task, OTHER);
    expect(await taskOf(task)).toMatchObject({ status: 'in_progress', escalated: true, rejections: 2 });
    const [message, ...more] = (await inbox(LEAD)).filter(({ item }) => item === task);
    expect(more).toEqual([]);
    expect(message?.to).toBe('lead');
    for (const part of [task, 'rejected twice', CHECKER, OTHER, 'escalation required'])
      expect(message?.text).toContain(part);
    const listed = (await w.must(LEAD, 'list', '--escalated')).data.items as unknown as { id: string }[];
    expect(listed.map(({ id }) => id)).toEqual([task]);
    expect((await w.s.text(LEAD, 'next')).out).toContain(task);
  });

  test('GOAL-35: nobody goes on with it before the triage: neither its builder nor a new one', async () => {
    const task = await twice();
    w.build(task);
    const tried = ['--commit', `work-${task}`, '--arg', 'summary=Again'];
    expect(missingOf(await w.s.say(BUILDER, 'move', task, 'submit', ...tried))).toContain(
      'the escalation says open',
    );
    const given = await w.s.say(LEAD, 'move', task, 'assign', '--to', OTHER);
    expect(missingOf(given)).toContain('the escalation says open');
    for (const command of ['reassign-builder', 'reassign-checker', 'intervene'])
      expect((await w.s.say(BUILDER, 'move', task, command, '--to', OTHER, '--reason', 'x')).error.code).toBe(
        'wrong-role',
      );
    expect(await taskOf(task)).toMatchObject({ status: 'in_progress', escalated: true });
  });

  test('GOAL-37: the lead gives it to another builder', async () => {
    const task = await twice();
    const reasonless = await w.s.say(LEAD, 'move', task, 'reassign-builder', '--to', OTHER);
    expect(reasonless.error.code).toBe('bad-arguments');
    await w.must(LEAD, 'move', task, 'reassign-builder', '--to', OTHER, '--reason', 'A fresh pair of eyes');
    expect(await taskOf(task)).toMatchObject({ assignee: OTHER, escalated: false });
    expect((await w.s.events(task)).at(-1)).toMatchObject({
      command: 'reassign-builder',
      by: LEAD,
      reason: 'A fresh pair of eyes',
    });
    await again(task, OTHER);
    // Both who built it stay its builders.
    expect(missingOf(await w.s.say(BUILDER, 'verify', task))).toContain(`${BUILDER} is the builder`);
    expect((await w.must(CHECKER, 'verify', task)).data.status).toBe('verified');
  });

  test('GOAL-37: the lead names another checker, and then nobody else verifies it', async () => {
    const task = await twice();
    const builder = ['move', task, 'reassign-checker', '--to', BUILDER, '--reason', 'x'];
    expect(missingOf(await w.s.say(LEAD, ...builder))).toContain('lineage that built it');
    await w.must(LEAD, 'move', task, 'reassign-checker', '--to', OTHER, '--reason', 'A second look');
    expect(await taskOf(task)).toMatchObject({ assignee: BUILDER, escalated: false });
    await again(task);
    const refused = await w.s.say(CHECKER, 'verify', task);
    expect(missingOf(refused)).toContain(`checker is ${OTHER}`);
    // The one who was named is named, with the command; a person may all the same.
    const named = `countersign --actor ${OTHER} verify ${task}`;
    expect(refused.error.next).toEqual([named, `countersign verify ${task}  [human (ada)]`]);
    expect((await w.s.text(LEAD, 'show', task)).out).toContain(`next: ${named}`);
    expect((await w.s.text(CHECKER, 'next')).out).toContain(`checker is ${OTHER}`);
    expect((await w.s.text(OTHER, 'next')).out).toContain(named);
    expect((await w.must(OTHER, 'verify', task)).data.status).toBe('verified');
  });

  test('GOAL-37: the lead does it with their own hands, and is its builder from then on', async () => {
    const task = await twice();
    await w.must(LEAD, 'move', task, 'intervene', '--reason', 'Mine now');
    expect(await taskOf(task)).toMatchObject({ assignee: LEAD, escalated: false });
    w.build(task);
    await w.submit(task, LEAD);
    expect(missingOf(await w.s.say(LEAD, 'move', task, 'approve'))).toContain(`${LEAD} is the builder`);
    await w.roles(OTHER, 'reviewer');
    await w.must(OTHER, 'move', task, 'approve');
    await w.must(CHECKER, 'verify', task);
    w.merge(task);
    // Who built a part of it does not judge the whole.
    const whole = await w.s.say(LEAD, 'goal', 'verify', goal, '--notes', 'It works');
    expect(missingOf(whole)).toContain(`${LEAD} is the builder`);
  });

  test('GOAL-35: after the triage every further rejection escalates again', async () => {
    const task = await twice();
    for (const rejections of [3, 4]) {
      await w.must(LEAD, 'move', task, 'reassign-builder', '--to', BUILDER, '--reason', 'Once more');
      await again(task);
      await reject(task);
      expect(await taskOf(task)).toMatchObject({ escalated: true, rejections });
    }
    const triages = (await w.s.events(task)).filter(
      (e): e is Moved => e.type === 'moved' && e.command === 'reassign-builder',
    );
    expect(triages).toHaveLength(2);
    expect((await inbox(LEAD)).find(({ item }) => item === task)?.text).toContain('rejected 4 times');
    expect((await w.s.text('', 'audit', 'verify')).out).toContain('clean');
  });
});
