import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LifecycleEvent } from '../../src/engine/history.ts';
import {
  FORWARD,
  fail,
  MEMBERS,
  minutesAfter,
  must,
  ORDER,
  onward,
  openLifecycle,
  path,
  stateOf,
  told,
} from '../lifecycle/crew.ts';
import type { Session } from '../session.ts';

// J03: one task with a plan from its creation to its commit, with the clock of the project, through the command line.
let s: Session;
const ID = 'T-1';
beforeAll(async () => {
  s = await openLifecycle({
    config: 'protocol: lifecycle\nallowances: {lifecycle: {planning: 20, in_progress: 120, pending: 30}}\n',
  });
});
afterAll(() => s.close());

const listed = async (...words: readonly string[]) =>
  ((await s.say('planner', 'list', ...words)).data.items as unknown as { id: string }[]).map(({ id }) => id);
const events = async (): Promise<readonly LifecycleEvent[]> =>
  (await s.text('planner', 'history', ID, '--events')).out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LifecycleEvent);
const entered = async () => (await told(s, ID)).times.stateEnteredAt;

test('the plan manager creates a task with a plan, and everybody is told what it waits for', async () => {
  const made = must(await s.say('planner', 'add', 'Rewrite the parser', '--plan-file', 'docs/parser.md'));
  expect(made.data).toMatchObject({ id: ID, status: 'pending' });
  const early = await onward(s, ID, 'pending');
  expect([early.code, early.error.missing[0]?.because]).toEqual([
    3,
    expect.stringContaining('codebase-review'),
  ]);
  const { next } = (await s.say('chief', 'next')).data as unknown as { next: { command: string }[] };
  expect(next[0]?.command).toContain('codebase-review');
  must(await s.say('chief', 'move', ID, 'codebase-review', '--reason', 'the plan fits what is there'));
  expect((await told(s, ID)).ctoAttempts).toBe(0);
});

test('nobody takes it up for twenty-four of thirty minutes: a warning; then it is taken up', async () => {
  s.at(minutesAfter(await entered(), 24));
  expect((await s.text('orchestrator', 'tick')).out).toContain('80 % of the time for pending');
  must(await onward(s, ID, 'pending'));
  must(await onward(s, ID, 'assigned'));
});

test('planning lasts: three grades of the project’s own twenty minutes, nothing moves, the queries show it', async () => {
  const since = await entered();
  const grades: string[] = [];
  for (const minutes of [15.9, 16, 20, 30, 45]) {
    s.at(minutesAfter(since, minutes));
    const { out } = await s.text('planner', 'tick');
    grades.push(/\d+(?= %)/.exec(out)?.[0] ?? '-');
    expect(await stateOf(s, ID)).toBe('planning');
  }
  expect(grades).toEqual(['-', '80', '100', '150', '-']);
  expect(await listed('--stuck')).toEqual([ID]);
  expect(await listed('--escalated')).toEqual([]);
});

test('one rejection, and a new approach', async () => {
  must(await fail(s, ID, 'the grammar is ambiguous'));
  expect((await onward(s, ID, 'planning')).code).toBe(3);
  s.repo.write('approach.md', 'A grammar without ambiguity.\n');
  const proposed = ['--reason', 'unambiguous now', '--evidence', 'approach.md'];
  must(await s.say('developer', 'move', ID, 'propose', ...proposed));
  expect(await listed('--failing', '1')).toEqual([ID]);
  expect(await listed('--failing')).toEqual([]);
});

test('the other seven steps, each by its own agent; whoever is asked is told the exact next command', async () => {
  for (const from of ORDER.slice(2)) {
    expect(await stateOf(s, ID)).toBe(from);
    const [owner, command, to] = FORWARD[from];
    const wrong = MEMBERS.find((name) => name !== owner) ?? owner;
    expect([from, (await onward(s, ID, from, wrong)).code]).toEqual([from, 7]);
    const { next } = (await s.say(owner, 'show', ID)).data as unknown as { next: string[] };
    expect(
      next.some((line) => line.includes(command) && line.startsWith(`countersign --actor ${owner} `)),
    ).toBe(true);
    expect(await listed('--state', from)).toEqual([ID]);
    if (from !== 'planning') s.at(minutesAfter(await entered(), 5));
    expect(must(await onward(s, ID, from)).data.status).toBe(to);
  }
});

test('completed is the end: nothing leads out, no time runs, and the record is whole', async () => {
  s.at(minutesAfter(await entered(), 10 * 24 * 60));
  expect((await s.text('planner', 'tick')).out.trim()).toBe('nothing ran out');
  const { stateHistory, times, failures, failuresEver, currentState } = await told(s, ID);
  expect(currentState).toBe('completed');
  expect(path(stateHistory)).toEqual([
    ...['>pending', 'pending>assigned', 'assigned>planning', 'planning>planning', 'planning>validated'],
    ...['validated>in_progress', 'in_progress>testing', 'testing>quality_review', 'quality_review>approved'],
    ...['approved>committing', 'committing>completed'],
  ]);
  expect([failures, failuresEver]).toEqual([{}, { planning: 1 }]);
  const by = times.timeByState;
  expect(Object.values(by).reduce((a, b) => a + b, 0)).toBeCloseTo(times.totalTaskTime, 9);
  expect(by.planning).toBeGreaterThan(45);
  for (const state of ['validated', 'in_progress', 'testing', 'approved'])
    expect(by[state]).toBeCloseTo(5, 1);
  for (const words of [['--stuck'], ['--escalated'], ['--failing', '1']])
    expect(await listed(...words)).toEqual([]);
});

test('its events tell all of it in the order of time', async () => {
  const all = await events();
  const count = (name: string) => all.filter((e) => e.event === name).length;
  expect({
    transitions: count('STATE_TRANSITION'),
    failures: count('FAILURE_RECORDED'),
    warnings: count('TIMEOUT_WARNING'),
    alerts: count('TIMEOUT_ALERT'),
    escalations: count('TIMEOUT_ESCALATION'),
  }).toEqual({ transitions: 11, failures: 1, warnings: 2, alerts: 1, escalations: 1 });
  // Those who were not allowed to are on record as well.
  expect(count('TRANSITION_REFUSED')).toBeGreaterThanOrEqual(8);
  const stamps = all.map((e) => e.timestamp);
  expect(stamps).toEqual(stamps.toSorted());
  expect(new Set(all.map((e) => e.taskId))).toEqual(new Set(['TASK-001']));
  expect((await s.say('', 'audit', 'verify')).code).not.toBe(1);
});
