import { afterEach, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from './workshop.ts';

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
