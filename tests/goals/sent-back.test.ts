import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { handsOf } from '../mcp/hands.ts';
import { BUILDER, CHECKER, LEAD, openWorkshop, type Workshop } from './workshop.ts';

// What a lead is told of a goal that has to go on: nothing of it is under way, and it is not to be verified.
let w: Workshop;
let goal: string;
beforeEach(async () => {
  w = await openWorkshop();
  goal = await w.goal();
});
afterEach(() => w.s.close());

const ADD = (of: string) => `countersign --actor ${LEAD} add "TITLE" --goal ${of}`;
const seen = async (actor: string, ...words: readonly string[]) => (await w.s.text(actor, ...words)).out;
const verifiedTask = async () => {
  const task = await w.bring(goal, 'verified');
  w.merge(task);
  return task;
};

describe('a goal that was sent back', () => {
  test('its lead is told why and by which command it goes on, wherever they look', async () => {
    await verifiedTask();
    const answer = await w.s.text(LEAD, 'goal', 'reject', goal, '--reason', 'The pages do not fit');
    expect(answer.out).toContain(`next: ${ADD(goal)}`);
    for (const words of [['next'], ['inbox'], ['show', goal]]) {
      const told = await seen(LEAD, ...words);
      expect(told, words.join(' ')).toContain(`sent back by ${LEAD}`);
      expect(told, words.join(' ')).toContain('The pages do not fit');
      expect(told, words.join(' ')).toContain(ADD(goal));
    }
    expect((await w.s.say(LEAD, 'inbox')).data.messages).toMatchObject([
      { to: 'lead', item: goal, next: [ADD(goal)] },
    ]);
    expect((await w.s.say(LEAD, 'show', goal)).data).toMatchObject({
      sent_back: { by: LEAD, reason: 'The pages do not fit' },
      next: [ADD(goal)],
    });
    const early = await w.s.say(LEAD, 'verify', goal);
    expect(early.error.next).toEqual([ADD(goal)]);
  });

  test('the same where the checks on the whole failed', async () => {
    await verifiedTask();
    w.s.repo.commit({ 'work.txt': 'begun\n' });
    const answer = await w.s.text(LEAD, 'goal', 'verify', goal, '--notes', 'Clicked through it');
    expect(answer.code).toBe(4);
    expect(answer.out).toContain(`next: ${ADD(goal)}`);
    for (const words of [['next'], ['inbox'], ['show', goal]]) {
      const told = await seen(LEAD, ...words);
      expect(told, words.join(' ')).toContain('the checks failed: done');
      expect(told, words.join(' ')).toContain(ADD(goal));
    }
  });

  test('others are not asked to, and the lead is not once the command was taken', async () => {
    await verifiedTask();
    await w.must(LEAD, 'goal', 'reject', goal, '--reason', 'The pages do not fit');
    for (const actor of [BUILDER, CHECKER]) {
      expect(await seen(actor, 'next')).not.toContain(goal);
      expect(await seen(actor, 'inbox')).not.toContain(goal);
    }
    expect(await seen(BUILDER, 'show', goal)).toContain(
      `next: countersign add "TITLE" --goal ${goal}  [lead (${LEAD})]`,
    );
    await w.task(goal);
    expect(await seen(LEAD, 'next')).not.toContain('add "TITLE"');
    expect(await seen(LEAD, 'show', goal)).not.toContain('add "TITLE"');
  });

  test('a goal without a task, or with none that is left, asks for one', async () => {
    expect(await seen(LEAD, 'next')).toContain(ADD(goal));
    const task = await w.task(goal);
    expect(await seen(LEAD, 'next')).not.toContain(ADD(goal));
    await w.must(LEAD, 'move', task, 'abandon', '--reason', 'not wanted');
    expect(await seen(LEAD, 'next')).toContain(ADD(goal));
  });

  test('agents are told the tool and its arguments, and the call is taken', async () => {
    await verifiedTask();
    const hands = await handsOf(w.s, 'goals', [LEAD]);
    const rejected = await hands.call(LEAD, 'reject_goal', { goal_id: goal, reason: 'The pages do not fit' });
    const call = { tool: 'create_task', arguments: { title: 'TITLE', goal_id: goal } };
    expect(rejected.data.next).toMatchObject([{ by: 'you', ...call }]);
    const next = await hands.call(LEAD, 'next');
    expect(next.data.next).toMatchObject([{ id: goal, call, messages: [{ to: 'lead' }] }]);
    expect((await hands.call(LEAD, call.tool, call.arguments)).isError).toBe(false);
    await hands.close();
  });
});

test('the verification of a task is asked for by its own command, whoever tries it as a step', async () => {
  const task = await w.bring(goal, 'completed');
  const tried = await w.s.say(CHECKER, 'move', task, 'verify');
  expect(tried.error).toMatchObject({
    code: 'gate-closed',
    next: [`countersign --actor ${CHECKER} verify ${task}`],
  });
});
