import { afterEach, beforeEach, expect, test } from 'vitest';
import { talk } from '../mcp/in-memory.ts';
import { BUILDER, LEAD, openWorkshop, type Workshop } from './workshop.ts';

// What a step lacked: named without what may be left out, and asked for by the step itself.
let w: Workshop;
let task: string;
beforeEach(async () => {
  w = await openWorkshop();
  task = await w.bring(await w.goal(), 'in_progress');
  w.build(task);
});
afterEach(() => w.s.close());

test('on the command line', async () => {
  const branch = `work-${task}`;
  const { error } = await w.s.say(
    BUILDER,
    'move',
    task,
    'submit',
    '--commit',
    branch,
    '--arg',
    'helpers=mia',
  );
  expect([error.message, error.next]).toEqual([
    'submit needs summary',
    [
      `countersign --actor ${BUILDER} move ${task} submit --arg helpers=mia --commit ${branch} --arg summary="…"`,
    ],
  ]);
  await w.onTo(task, 'in_progress', 'verified');
  const reopened = await w.s.say(LEAD, 'move', task, 'reopen');
  expect([reopened.error.message, reopened.error.next]).toEqual([
    'reopen needs reason',
    [`countersign --actor ${LEAD} move ${task} reopen --reason "WHY"`],
  ]);
});

test('through MCP, by the tool that was called', async () => {
  await w.submit(task);
  const lead = await talk(w.s, LEAD, 'goals');
  const refused = await lead.call('reject_task', { task_id: task, reason: ' ' });
  expect(refused.data).toMatchObject({ code: 'bad-arguments', message: 'reject needs reason' });
  expect(refused.data.next).toEqual([
    { by: 'you', tool: 'reject_task', arguments: { task_id: task, reason: 'WHY' } },
  ]);
  await w.onTo(task, 'review', 'verified');
  const again = await lead.call('reopen_task', { task_id: task, assign_to: BUILDER, reason: '' });
  expect(again.data.next).toEqual([
    { by: 'you', tool: 'reopen_task', arguments: { task_id: task, assign_to: BUILDER, reason: 'WHY' } },
  ]);
  await lead.close();
  const core = await talk(w.s, LEAD, 'core');
  const moved = await core.call('item_move', { item: task, command: 'reopen', to: BUILDER });
  expect(moved.data.next).toEqual([
    {
      by: 'you',
      tool: 'item_move',
      arguments: { item: task, command: 'reopen', reason: 'REASON', to: BUILDER },
    },
  ]);
  await core.close();
});
