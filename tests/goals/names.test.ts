import { afterEach, expect, test } from 'vitest';
import { LEAD, openWorkshop, type Workshop } from './workshop.ts';

let w: Workshop;
afterEach(() => w.s.close());

test('a goal answers to its own name alone, and so does a task', async () => {
  w = await openWorkshop();
  const goal = await w.goal();
  const task = await w.task(goal);
  expect([goal, task]).toEqual(['GOAL-1', 'T-2']);
  expect((await w.s.text('', 'history', goal, '--events')).out).toContain('"taskId":"GOAL-001"');
  for (const [asked, is] of [
    ['GOAL-2', task],
    ['T-1', goal],
    ['TASK-001', goal],
  ] as const)
    for (const command of ['history', 'show', 'log']) {
      const { code, error } = await w.s.say('', command, asked);
      expect([command, asked, code, error.code, error.hint]).toEqual([
        ...[command, asked, 5, 'NOT_FOUND', `countersign show ${is}`],
      ]);
    }
  for (const asked of ['1', 'goal-1', 'GOAL-001', ' GOAL-1'])
    expect((await w.s.say('', 'show', asked)).data.id).toBe(goal);
  expect((await w.s.say('', 'show', 'TASK-002')).data.id).toBe(task);
});

test('a confirmation repeats the beginning of a long title, the data all of it', async () => {
  w = await openWorkshop();
  const long = 'A very long title '.repeat(16).trim();
  for (const words of [
    ['add', long, '--protocol', 'goal-task'],
    ['goal', 'create', long],
  ]) {
    const { out } = await w.s.text(LEAD, ...words);
    expect(out.split('\n')[0]?.length).toBeLessThan(110);
    expect(out).toContain(`${long.slice(0, 79)}…\n`);
    expect((await w.s.say(LEAD, ...words)).data.content).toBe(long);
  }
  const { error } = await w.s.say(LEAD, 'add', 'x'.repeat(5_000));
  expect(error.message).toBe('the title has 5000 characters, at most 300 fit');
});
