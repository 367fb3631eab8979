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

test('what has to be done first is told in calls of the tools, not in commands', async () => {
  const lead = await talk(w.s, LEAD, 'goals');
  const goal = await w.goal('Empty');
  const early = await lead.call('verify_goal', { goal_id: goal, notes: 'tried' });
  expect(early.text).toContain(`the goal has no tasks (create_task {"title":"TITLE","goal_id":"${goal}"})`);
  const whole = String((await lead.call('item_list')).text).match(/GOAL-\d+/)?.[0];
  const open = await lead.call('verify_goal', { goal_id: whole, notes: 'tried' });
  expect(open.text).toContain(`with ${BUILDER} (item_show {"item":"${task}"})`);
  const nothing = await lead.call('item_show', { item: 'T-99' });
  expect(nothing.text).toContain('next: see what there is: item_list {}');
  const builder = await talk(w.s, BUILDER, 'goals');
  const bare = await builder.call('submit_for_review', {
    task_id: task,
    summary: 'Nothing',
    no_change: true,
  });
  expect(bare.text).toContain('name files under evidence');
  for (const { text } of [early, open, nothing, bare]) expect(text).not.toMatch(/countersign |--[a-z]/);
  await builder.close();
  await lead.close();
});

test('a verified goal leads to no new work of its own, and a state is never told by its sign', async () => {
  await w.onTo(task, 'in_progress', 'verified');
  w.merge(task);
  const goal = 'GOAL-1';
  await w.must(LEAD, 'goal', 'verify', goal, '--notes', 'tried');
  for (const by of [LEAD, BUILDER, '']) {
    const { error } = await w.s.say(by, 'goal', 'verify', goal, '--notes', 'again');
    expect([error.code, error.next, error.hint]).toEqual(['no-transition', [], '']);
  }
  const other = await w.goal();
  const first = await w.bring(other, 'in_progress');
  const waiting = await w.bring(other, 'assigned', { add: ['--depends-on', first] });
  const { error } = await w.s.say(BUILDER, 'start', waiting);
  expect(error.missing.map((m) => m.because)).toEqual([
    `0 of 1 dependencies are verified or closed, all expected: ${first}`,
  ]);
});
