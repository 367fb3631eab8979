import { afterAll, beforeAll, expect, test } from 'vitest';
import { lifecycle } from '../../src/protocols/lifecycle.ts';
import { openSession, type Session } from '../session.ts';
import {
  bring,
  CREW,
  escalated,
  fail,
  MEMBERS,
  must,
  onward,
  openLifecycle,
  path,
  stateOf,
  told,
} from './crew.ts';

// Section A: the states, how they are entered and left.
let s: Session;
beforeAll(async () => {
  s = await openLifecycle();
});
afterAll(() => s.close());

/** Where the ways on lead from an item, as the one shown asks. */
const ways = async (id: string, by = 'planner') =>
  ((await s.say(by, 'show', id)).data.options as { command: string; to: string; roles: string[] }[]).map(
    ({ command, to }) => `${command}>${to}`,
  );

test('LIFE-01, LIFE-27: a person and the plan manager create what is pending and nobody’s; nobody else creates', async () => {
  for (const by of ['', 'planner']) {
    const { data } = must(await s.say(by, 'add', 'Draw the logo'));
    expect(data).toMatchObject({ status: 'pending' });
    expect(data).not.toHaveProperty('assigned_to');
    expect(path((await told(s, data.id)).stateHistory)).toEqual(['>pending']);
  }
  const before = (await s.say('planner', 'list')).data.progress;
  for (const by of MEMBERS.filter((name) => name !== 'planner'))
    expect([by, (await s.say(by, 'add', 'Draw the logo')).code]).toEqual([by, 7]);
  expect((await s.say('planner', 'list')).data.progress).toEqual(before);
});

test('LIFE-04: assigned leads to planning and, on the failure limit, to an intervention', async () => {
  const id = await bring(s, 'assigned');
  expect(await ways(id)).toEqual(expect.arrayContaining(['plan>planning', 'fail>cto_intervention']));
  expect((await ways(id)).filter((way) => !way.startsWith('fail'))).toEqual(['plan>planning']);
});

test('LIFE-06: from planning the validator’s approval leads on, the rejection stays', async () => {
  const id = await bring(s, 'planning');
  expect((await fail(s, id)).data.status).toBe('planning');
  const other = await bring(s, 'planning');
  expect((await onward(s, other, 'planning')).data.status).toBe('validated');
});

test.each([
  ['LIFE-08', 'validated', 'begin', 'in_progress'],
  ['LIFE-10', 'in_progress', 'finish', 'testing'],
  ['LIFE-12', 'testing', 'ask-review', 'quality_review'],
  ['LIFE-16', 'approved', 'commit', 'committing'],
  ['LIFE-18', 'committing', 'committed', 'completed'],
] as const)('%s: %s is left by %s, into %s', async (_, from, command, to) => {
  const id = await bring(s, from);
  expect((await ways(id)).filter((way) => !/^(fail|propose)/.test(way))).toEqual([`${command}>${to}`]);
  expect((await onward(s, id, from)).data.status).toBe(to);
});

test('LIFE-14: out of quality_review the monitor’s approval leads on and the rejection back to the work', async () => {
  const good = await bring(s, 'quality_review');
  expect((await onward(s, good, 'quality_review')).data.status).toBe('approved');
  const bad = await bring(s, 'quality_review');
  expect((await fail(s, bad)).data.status).toBe('in_progress');
});

test('LIFE-20, LIFE-91: out of completed nothing leads, whoever asks for whatever', async () => {
  const id = await bring(s, 'completed');
  const before = await s.snapshot(id);
  expect(await ways(id)).toEqual([]);
  const commands = [...new Set(lifecycle.rows.map(({ command }) => command))];
  const agents = [...MEMBERS, ''];
  for (const [n, command] of commands.entries()) {
    const by = agents[n % agents.length] ?? '';
    const words = ['--reason', 'why', '--guidance', 'how', '--to', 'planning'];
    const { code, error } = await s.say(by, 'move', id, command, ...words);
    expect([command, code, error.code]).toEqual([command, 6, 'no-transition']);
  }
  expect(await s.snapshot(id)).toBe(before);
});

test('LIFE-24, LIFE-38: what has ended and what waits for a person has no work that the engine would hand to an agent', async () => {
  const done = await bring(s, 'completed', '--list', 'ended');
  const waiting = await escalated(s);
  expect(await stateOf(s, waiting)).toBe('human_escalation');
  for (const id of [done, waiting]) {
    const row = await s.with(({ ports }) => ports.store.itemByNumber(Number(id.slice(2))));
    expect([row?.dueAt, row?.overdueAt]).toEqual(['', '']);
    for (const by of MEMBERS) {
      const { next } = (await s.say(by, 'next')).data as unknown as { next: { id: string }[] };
      expect(next.map((one) => one.id)).not.toContain(id);
    }
  }
  const before = await s.snapshot(waiting);
  for (const command of new Set(lifecycle.rows.map((row) => row.command)))
    for (const by of MEMBERS) {
      const { code } = await s.say(by, 'move', waiting, command, '--reason', 'why', '--to', 'planning');
      expect([command, by, code > 0]).toEqual([command, by, true]);
    }
  expect(await s.snapshot(waiting)).toBe(before);
});

test('LIFE-26: there are thirteen states, one of them the end of what was given up; no other is taken', async () => {
  expect(Object.keys(lifecycle.states).toSorted()).toEqual(
    [
      ...['pending', 'assigned', 'planning', 'validated', 'in_progress', 'testing', 'quality_review'],
      ...['approved', 'committing', 'completed', 'cto_intervention', 'human_escalation', 'failed'],
    ].toSorted(),
  );
  expect(lifecycle.states.failed).toMatchObject({ final: true, success: false });
  const listed = await s.say('planner', 'list', '--state', 'shipped');
  expect([listed.code, listed.error.message]).toEqual([2, 'there is no state shipped']);
  const id = await bring(s, 'planning');
  for (let n = 0; n < 3; n++) must(await fail(s, id));
  const before = await s.snapshot(id);
  const moved = await s.say('chief', 'move', id, 'rollback', '--guidance', 'anew', '--to', 'shipped');
  expect([moved.code, moved.error.code]).toEqual([2, 'bad-arguments']);
  expect(await s.snapshot(id)).toBe(before);
});

test('LIFE-26: an allowance for a state that there is not is refused before anything is opened', async () => {
  const wrong = await openSession({ agents: CREW, config: 'protocol: lifecycle\n', criteria: '' });
  wrong.repo.git('checkout', '-q', 'main');
  wrong.repo.commit({
    '.countersign/config.yaml': 'protocol: lifecycle\nallowances: {lifecycle: {shipped: 5}}\n',
  });
  const { code, error } = await wrong.say('planner', 'add', 'Anything');
  expect([code, error.code]).toEqual([2, 'BAD_CONFIG']);
  expect(error.message).toContain('has no state shipped');
  wrong.close();
});
