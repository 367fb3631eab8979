import { afterEach, beforeEach, expect, test } from 'vitest';
import { BUILDER, CHECKER, LEAD, openWorkshop, type Workshop } from './workshop.ts';

let w: Workshop;
beforeEach(async () => {
  w = await openWorkshop();
});
afterEach(() => w.s.close());

test('GOAL-56: three agents take a goal from its creation to its verification, each on their own credential', async () => {
  const { goal_id: goal } = (await w.must(LEAD, 'goal', 'create', 'Customers can pay')).data as unknown as {
    goal_id: string;
  };
  const { id: task } = (await w.must(LEAD, 'add', 'Pay by card', '--protocol', 'goal-task')).data;
  await w.must(LEAD, 'goal', 'link', task, goal);
  await w.must(LEAD, 'move', task, 'assign', '--to', BUILDER);
  expect((await w.s.text(BUILDER, 'next')).out).toContain(`start ${task}`);
  await w.must(BUILDER, 'start', task);
  w.build(task);
  await w.submit(task);
  expect((await w.s.text(LEAD, 'next')).out).toContain(`move ${task} approve`);
  await w.must(LEAD, 'move', task, 'approve');
  expect((await w.s.text(CHECKER, 'next')).out).toContain(`verify ${task}`);
  await w.must(CHECKER, 'verify', task);
  expect(await w.state(goal)).toBe('pending_verify');
  const { messages } = (await w.must(LEAD, 'inbox')).data;
  expect(messages).toEqual([
    {
      to: 'lead',
      item: goal,
      text: `${goal} Customers can pay: waits to be verified as a whole`,
      next: [expect.stringContaining('goal verify')],
    },
  ]);
  w.merge(task);
  expect((await w.s.text(LEAD, 'next')).out).toContain(`goal verify ${goal} --notes`);
  await w.must(LEAD, 'goal', 'verify', goal, '--notes', 'Paid one order from the cart to the receipt');
  expect([await w.state(task), await w.state(goal)]).toEqual(['verified', 'verified']);
  expect((await w.must(LEAD, 'inbox')).data.messages).toEqual([]);
  expect((await w.s.text('', 'list', '--assert-done')).code).toBe(0);
  expect((await w.s.text('', 'audit', 'verify')).out).toContain('clean');
});

test('GOAL-57: whoever verifies has the summary, the files and the commit to run', async () => {
  const goal = await w.goal();
  const task = await w.bring(goal, 'completed');
  const commit = w.s.repo.git('rev-parse', `work-${task}`);
  const submitted = { summary: 'It is built', files: [`${task}.ts`], commit };
  expect((await w.must(CHECKER, 'show', task)).data.briefing).toMatchObject({ submitted });
  const shown = await w.s.text(CHECKER, 'show', task);
  expect(shown.out).toContain('submitted: It is built');
  expect(shown.out).toContain(`files: ${task}.ts`);
  const { next } = (await w.must(CHECKER, 'next')).data as unknown as {
    next: { id: string; verification: { commit: string } }[];
  };
  expect(next.find(({ id }) => id === task)?.verification.commit).toBe(commit);
});

test('what waits for whom: a review for the reviewers, a verification for the verifiers, a new task for the lead', async () => {
  const goal = await w.goal();
  const [idle, review, completed] = [
    await w.bring(goal, 'pending'),
    await w.bring(goal, 'review'),
    await w.bring(goal, 'completed'),
  ];
  const waits = async (actor: string) =>
    ((await w.must(actor, 'inbox')).data.messages as { to: string; item: string }[]).map(
      ({ to, item }) => `${to} ${item}`,
    );
  expect(await waits(CHECKER)).toEqual([`reviewer ${review}`, `verifier ${completed}`]);
  expect(await waits(LEAD)).toEqual([`lead ${idle}`]);
  await w.s.register('idle', []);
  expect((await w.s.text('idle', 'inbox')).out.trim()).toBe('Nothing waits for you.');
});
