import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Moved } from '../../src/kernel/event.ts';
import { type GoalWalk, walkWith } from './goal-walk.ts';

// J13: a goal from its creation to its verification, with a review that says no, and two verifiers who say no twice.
const [LEAD, BEN, CLEO, OLGA] = ['lin', 'ben', 'cleo', 'olga'];
const ANY = ['builder', 'reviewer', 'verifier'];
const HANDS = { builder: BEN, reviewer: LEAD, verifier: CLEO };
const SHOP = 'GOAL-1';
const [CART, PAY, MAIL, SHIP] = ['T-2', 'T-3', 'T-4', 'T-5'];

let w: GoalWalk;
beforeAll(async () => {
  w = await walkWith({ [LEAD]: ['lead'], [BEN]: ANY, [CLEO]: ANY, [OLGA]: ANY });
});
afterAll(() => w.s.close());

const counts = async () => (await w.status(SHOP)).counts;
const taskIn = async (id: string) => (await w.status(SHOP)).tasks.find(({ task_id }) => task_id === id);

test('the lead makes the goal and its tasks; nobody else does', async () => {
  expect((await w.s.say(BEN, 'goal', 'create', 'A shop')).error.message).toContain('lead');
  const { data } = await w.ok(LEAD, 'goal', 'create', 'A shop that sells');
  expect(data).toMatchObject({ goal_id: SHOP, status: 'open' });
  const added = [
    await w.ok(LEAD, 'add', 'A cart', '--protocol', 'goal-task'),
    await w.ok(LEAD, 'add', 'Payment', '--goal', SHOP),
    await w.ok(LEAD, 'add', 'Mail', '--goal', SHOP),
    await w.ok(LEAD, 'add', 'Shipping', '--goal', SHOP, '--depends-on', CART),
  ];
  expect(added.map(({ data: { id } }) => id)).toEqual([CART, PAY, MAIL, SHIP]);
  expect((await w.status(SHOP)).tasks).toHaveLength(3);
  await w.no('Only lead', BEN, SHOP, 'goal', 'link', CART, SHOP);
  await w.ok(LEAD, 'goal', 'link', CART, SHOP);
  expect(await counts()).toMatchObject({ pending: 4, verified: 0 });
});

test('a task is given out by the lead and begun by whoever has it; the goal is active in the same moment', async () => {
  await w.no('Only lead', BEN, CART, 'move', CART, 'assign', '--to', BEN);
  await w.ok(LEAD, 'move', CART, 'assign', '--to', BEN);
  expect([await w.state(CART), await w.state(SHOP)]).toEqual(['assigned', 'open']);
  await w.no('assignee is ben', CLEO, CART, 'start', CART);
  await w.ok(BEN, 'start', CART);
  expect([await w.state(CART), await w.state(SHOP)]).toEqual(['in_progress', 'active']);
  await w.ok(LEAD, 'move', SHIP, 'assign', '--to', BEN);
  await w.no('dependencies', BEN, SHIP, 'start', SHIP);
  expect(await counts()).toMatchObject({ pending: 2, assigned: 1, in_progress: 1 });
});

test('a review says no with its reason, and the builder cannot say yes', async () => {
  await w.no('nothing submitted', LEAD, CART, 'move', CART, 'approve');
  w.work(CART);
  await w.no('summary', BEN, CART, 'move', CART, 'submit', '--commit', `b-${CART}`);
  await w.submit(CART, BEN);
  await w.no('ben is the builder', BEN, CART, 'move', CART, 'approve');
  await w.no('approved before it is verified', CLEO, CART, 'verify', CART);
  await w.no('reason', CLEO, CART, 'move', CART, 'reject');
  await w.ok(CLEO, 'move', CART, 'reject', '--reason', 'an empty cart breaks it');
  expect(await w.state(CART)).toBe('in_progress');
  expect((await w.s.text(BEN, 'history', CART)).out).toContain('an empty cart breaks it');
  w.work(CART);
  await w.submit(CART, BEN);
  await w.ok(LEAD, 'move', CART, 'approve');
  expect(await counts()).toMatchObject({ completed: 1, verified: 0 });
});

test('neither builder nor approver verifies; the third does, and what waited may begin', async () => {
  await w.no('ben is the builder', BEN, CART, 'verify', CART);
  expect((await w.s.say(LEAD, 'verify', CART)).code).not.toBe(0);
  expect(await w.state(CART)).toBe('completed');
  expect((await w.ok(CLEO, 'verify', CART)).data.status).toBe('verified');
  await w.ok(BEN, 'start', SHIP);
  await w.pass(SHIP, HANDS);
  expect(await counts()).toMatchObject({ pending: 2, verified: 2 });
  expect(await w.state(SHOP)).toBe('active');
});

/** A task is brought before its verifier and sent back. */
async function sentBack(task: string, builder: string, verifier: string, reason: string) {
  w.work(task);
  await w.submit(task, builder);
  await w.ok(LEAD, 'move', task, 'approve');
  await w.ok(verifier, 'move', task, 'reject-verification', '--reason', reason);
}

async function twice(task: string) {
  await w.ok(LEAD, 'move', task, 'assign', '--to', BEN);
  await w.ok(BEN, 'start', task);
  await sentBack(task, BEN, CLEO, 'it takes the money twice');
  expect(await taskOrAny(task)).toMatchObject({ escalated: false });
  await sentBack(task, BEN, OLGA, 'it still does');
  expect(await taskOrAny(task)).toMatchObject({ status: 'in_progress', escalated: true });
}

const taskOrAny = async (task: string) => (await taskIn(task)) ?? (await w.status('GOAL-6')).tasks[0];

test('a second rejection stops it for everybody until the lead decides: another builder', async () => {
  await twice(PAY);
  w.work(PAY);
  const again = ['move', PAY, 'submit', '--commit', `b-${PAY}`, '--arg', 'summary=again'];
  await w.no('escalation', BEN, PAY, ...again);
  await w.no('Only lead', BEN, PAY, 'move', PAY, 'reassign-builder', '--to', OLGA, '--reason', 'x');
  await w.ok(LEAD, 'move', PAY, 'reassign-builder', '--to', OLGA, '--reason', 'fresh eyes');
  expect(await taskIn(PAY)).toMatchObject({ assignee: OLGA, escalated: false });
  await w.no('assignee is olga', BEN, PAY, ...again);
  await w.pass(PAY, { ...HANDS, builder: OLGA });
  expect(await w.state(PAY)).toBe('verified');
});

test('another checker: nobody else verifies it then', async () => {
  await twice(MAIL);
  await w.ok(LEAD, 'move', MAIL, 'reassign-checker', '--to', OLGA, '--reason', 'a second look');
  w.work(MAIL);
  await w.submit(MAIL, BEN);
  await w.ok(LEAD, 'move', MAIL, 'approve');
  await w.no('checker is olga', CLEO, MAIL, 'verify', MAIL);
  await w.ok(OLGA, 'verify', MAIL);
  expect(await counts()).toMatchObject({ verified: 4, pending: 0 });
  expect(await w.state(SHOP)).toBe('pending_verify');
});

test('the lead steps in, and no longer judges the whole that this is a part of', async () => {
  const other = (await w.ok(LEAD, 'goal', 'create', 'Another one')).data.id;
  expect(other).toBe('GOAL-6');
  const task = (await w.ok(LEAD, 'add', 'A piece', '--goal', other)).data.id;
  await twice(task);
  await w.ok(LEAD, 'move', task, 'intervene', '--reason', 'mine now');
  w.work(task);
  await w.submit(task, LEAD);
  await w.no('lin is the builder', LEAD, task, 'move', task, 'approve');
  await w.ok(OLGA, 'move', task, 'approve');
  await w.ok(CLEO, 'verify', task);
  w.merge(task);
  await w.no('lin is the builder', LEAD, other, 'goal', 'verify', other, '--notes', 'it works');
});

test('the whole is verified by the lead, on the commit that holds it, with what was tried', async () => {
  await w.no('Only lead', CLEO, SHOP, 'goal', 'verify', SHOP, '--notes', 'bought a thing');
  expect((await w.s.say(LEAD, 'goal', 'verify', SHOP)).code).toBe(2);
  await w.no('is not in', LEAD, SHOP, 'goal', 'verify', SHOP, '--notes', 'bought a thing');
  expect((await w.status(SHOP)).unmerged).toEqual(expect.arrayContaining([CART, PAY, MAIL, SHIP]));
  w.merge(CART, PAY, MAIL, SHIP);
  expect((await w.ok(LEAD, 'goal', 'verify', SHOP, '--notes', 'bought a thing')).data.status).toBe(
    'verified',
  );
  const moves = (await w.s.events(SHOP)).filter((e): e is Moved => e.type === 'moved');
  const whole = moves.findLast(({ command }) => command === 'integrate');
  expect(whole).toMatchObject({
    by: LEAD,
    arguments: { notes: 'bought a thing' },
    facts: { commit: w.s.repo.git('rev-parse', 'main') },
  });
  const pack = (await w.s.events(SHOP)).findLast((e) => e.type === 'recorded' && e.kind === 'proof-pack');
  expect(pack).toMatchObject({ outcome: 'PASSED', requestedBy: LEAD });
  await w.no('goal', LEAD, SHOP, 'goal', 'link', 'T-7', SHOP);
  expect((await w.s.text('', 'audit', 'verify')).out).toContain('clean');
});
