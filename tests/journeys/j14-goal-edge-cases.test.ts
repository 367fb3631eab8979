import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GoalWalk, walkWith } from './goal-walk.ts';

// J14: what else happens to goals: nothing in them, a whole that does not work, a part that breaks, helpers, small teams.
const [LEAD, BEN, CLEO] = ['lin', 'ben', 'cleo'];
const ANY = ['builder', 'reviewer', 'verifier'];
const HANDS = { builder: BEN, reviewer: LEAD, verifier: CLEO };
const SHOP = 'GOAL-1';
const NOTES = ['--notes', 'bought a thing from end to end'];

let w: GoalWalk;
let tasks: readonly string[] = [];
beforeAll(async () => {
  w = await walkWith({ [LEAD]: ['lead'], [BEN]: ANY, [CLEO]: ANY });
});
afterAll(() => w.s.close());

async function begun(goal: string, ...more: readonly string[]): Promise<string> {
  const { id } = (await w.ok(LEAD, 'add', 'A piece', '--goal', goal, ...more)).data;
  await w.ok(LEAD, 'move', id, 'assign', '--to', BEN);
  await w.ok(BEN, 'start', id);
  return id;
}

async function verified(goal: string): Promise<string> {
  const task = await begun(goal);
  await w.pass(task, HANDS);
  return task;
}

const eachSnapshot = () => Promise.all(tasks.map((task) => w.s.snapshot(task)));

test('a goal without a task stays open, and is not verified', async () => {
  await w.ok(LEAD, 'goal', 'create', 'A shop');
  expect(await w.state(SHOP)).toBe('open');
  await w.no('not every task is verified', LEAD, SHOP, 'goal', 'verify', SHOP, ...NOTES);
  await w.no('not every task is verified', LEAD, SHOP, 'move', SHOP, 'verify-goal');
});

test('neither goals nor tasks nest, and a task is in one goal at most', async () => {
  const inner = (await w.ok(LEAD, 'goal', 'create', 'A cart')).data.id;
  await w.no('goals do not nest', LEAD, SHOP, 'goal', 'link', inner, SHOP);
  const task = (await w.ok(LEAD, 'add', 'A piece', '--goal', inner)).data.id;
  await w.no('belongs to a goal already', LEAD, SHOP, 'goal', 'link', task, SHOP);
  expect((await w.s.say(LEAD, 'add', 'A part of it', '--goal', task)).code).not.toBe(0);
  await w.ok(LEAD, 'move', inner, 'cancel', '--reason', 'it is part of the shop');
});

test('a rejected goal stays active until something was verified since; what was verified stays so', async () => {
  tasks = [await verified(SHOP), await verified(SHOP)];
  w.merge(...tasks);
  const before = await eachSnapshot();
  expect(await w.state(SHOP)).toBe('pending_verify');
  await w.no('reason', LEAD, SHOP, 'move', SHOP, 'reject-goal');
  await w.ok(LEAD, 'goal', 'reject', SHOP, '--reason', 'paying twice is possible');
  expect(await w.status(SHOP)).toMatchObject({ status: 'active', rejected: 'paying twice is possible' });
  const idle = (await w.ok(LEAD, 'add', 'A thought', '--goal', SHOP)).data.id;
  await w.ok(LEAD, 'move', idle, 'abandon', '--reason', 'not needed');
  expect(await w.state(SHOP)).toBe('active');
  const fix = await begun(SHOP);
  w.work(fix);
  await w.submit(fix, BEN);
  await w.ok(LEAD, 'move', fix, 'approve');
  expect(await w.state(SHOP)).toBe('active');
  await w.ok(CLEO, 'verify', fix);
  expect(await w.state(SHOP)).toBe('pending_verify');
  w.merge(fix);
  expect(await eachSnapshot()).toEqual(before);
  expect((await w.ok(LEAD, 'goal', 'verify', SHOP, ...NOTES)).data.status).toBe('verified');
});

test('a verified part that breaks is reopened: its verdict holds no more, and the goal is active again', async () => {
  const [task = ''] = tasks;
  await w.no('Only lead', BEN, task, 'move', task, 'reopen', '--reason', 'it broke');
  await w.ok(LEAD, 'move', task, 'reopen', '--reason', 'it breaks on Sundays');
  expect([await w.state(task), await w.state(SHOP)]).toEqual(['in_progress', 'active']);
  expect((await w.status(SHOP)).tasks.find(({ task_id }) => task_id === task)).toMatchObject({
    ...{ assignee: BEN, tree: '', status: 'in_progress' },
  });
  expect((await w.s.text('', 'history', task)).out).toContain('it breaks on Sundays');
  expect((await w.s.say(CLEO, 'verify', task)).code).not.toBe(0);
  await w.pass(task, HANDS);
  expect(await w.state(SHOP)).toBe('pending_verify');
  await w.no('proof-pack', LEAD, SHOP, 'move', SHOP, 'verify-goal');
  w.merge(task);
  await w.ok(LEAD, 'goal', 'verify', SHOP, ...NOTES);
});

test('checks that fail on the whole send it back by themselves', async () => {
  const goal = (await w.ok(LEAD, 'goal', 'create', 'A second shop')).data.id;
  const task = await verified(goal);
  w.merge(task);
  w.s.repo.commit({ 'work.txt': 'half\n' });
  expect((await w.s.say(LEAD, 'goal', 'verify', goal, ...NOTES)).code).toBe(4);
  expect(await w.status(goal)).toMatchObject({ status: 'active', counts: { verified: 1 } });
  w.s.repo.commit({ 'work.txt': 'done\n' });
});

test('a minion helps: its pilot submits and answers for it, and neither of them verifies', async () => {
  await w.s.register('minion', [], BEN);
  await w.s.register('pupil', ANY, BEN);
  const goal = (await w.ok(LEAD, 'goal', 'create', 'A third shop')).data.id;
  const task = await begun(goal);
  w.work(task);
  w.s.repo.write('minion.out', 'two thousand lines\n');
  const submit = ['move', task, 'submit', '--commit', `b-${task}`, '--arg', 'summary=built'];
  await w.no('Only builder', 'minion', task, ...submit);
  await w.no('assignee is ben', 'pupil', task, ...submit);
  await w.no('not registered as a child', BEN, task, ...submit, `helpers=${CLEO}`);
  await w.submit(task, BEN, 'helpers=minion', '--evidence', 'log=minion.out');
  await w.no('approved before it is verified', CLEO, task, 'verify', task);
  await w.ok(LEAD, 'move', task, 'approve');
  await w.no('ben is the builder', BEN, task, 'verify', task);
  await w.no('lineage of the builder', 'pupil', task, 'verify', task);
  await w.ok(CLEO, 'verify', task);
  expect((await w.s.text('', 'audit', 'verify')).out).toContain('clean');
});

test('two who may do anything: the reviewer verifies too, weakly; the builder never', async () => {
  const two = await walkWith({ [LEAD]: ['lead', ...ANY], [BEN]: ANY });
  const goal = (await two.ok(LEAD, 'goal', 'create', 'A stall')).data.id;
  const task = (await two.ok(LEAD, 'add', 'A piece', '--goal', goal)).data.id;
  await two.ok(LEAD, 'move', task, 'assign', '--to', BEN);
  await two.ok(BEN, 'start', task);
  two.work(task);
  await two.submit(task, BEN);
  await two.no('ben is the builder', BEN, task, 'move', task, 'approve');
  await two.ok(LEAD, 'move', task, 'approve');
  await two.no('ben is the builder', BEN, task, 'verify', task);
  await two.ok(LEAD, 'verify', task);
  expect((await two.status(goal)).tasks).toMatchObject([{ status: 'verified', weak: true }]);
  expect((await two.s.text('', 'goal', 'status', goal)).out).toContain('weakly verified');
  two.s.close();
});

test('one builder and a lead: it waits for the lead, and is marked as well', async () => {
  const solo = await walkWith({ [LEAD]: ['lead'], [BEN]: ANY });
  const goal = (await solo.ok(LEAD, 'goal', 'create', 'A table')).data.id;
  const task = (await solo.ok(LEAD, 'add', 'A piece', '--goal', goal)).data.id;
  await solo.ok(LEAD, 'move', task, 'assign', '--to', BEN);
  await solo.ok(BEN, 'start', task);
  solo.work(task);
  await solo.submit(task, BEN);
  await solo.ok(LEAD, 'move', task, 'approve');
  await solo.no('ben is the builder', BEN, task, 'verify', task);
  expect(await solo.state(task)).toBe('completed');
  await solo.ok(LEAD, 'verify', task);
  solo.merge(task);
  await solo.ok(LEAD, 'goal', 'verify', goal, ...NOTES);
  expect((await solo.status(goal)).tasks).toMatchObject([{ weak: true }]);
  solo.s.close();
});
