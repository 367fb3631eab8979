import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LifecycleEvent, StateTransition } from '../../src/engine/history.ts';
import { raw } from '../audit/tamper.ts';
import type { Session } from '../session.ts';
import { buildProgram, inProcess, type Program } from '../terminal.ts';
import {
  add,
  bring,
  fail,
  failThrice,
  guide,
  lead,
  logged,
  minutesAfter,
  move,
  must,
  named,
  ORDER,
  onward,
  openLifecycle,
  path,
  told,
} from './crew.ts';

// Sections D, G (metrics), I and K: what is stored of a task, and how it is told.
let s: Session;
beforeAll(async () => {
  s = await openLifecycle();
});
afterAll(() => s.close());

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('LIFE-55, LIFE-56: a task has all its fields, of their types, and each transition its five', async () => {
  const id = await bring(s, 'planning');
  must(await fail(s, id, 'too vague'));
  const task = await told(s, id);
  const types = Object.fromEntries(Object.entries(task).map(([name, value]) => [name, typeof value]));
  expect(types).toMatchObject({
    ...{
      id: 'string',
      title: 'string',
      currentState: 'string',
      previousState: 'string',
      assignedAgent: 'string',
    },
    ...{ failureCount: 'number', ctoAttempts: 'number', timeInState: 'number', stateHistory: 'object' },
  });
  expect(task.id).toMatch(/^TASK-\d{3,}$/);
  for (const at of [task.createdAt, task.updatedAt]) expect(at).toMatch(ISO);
  const last = task.stateHistory.at(-1) as StateTransition;
  expect(Object.keys(last).toSorted()).toEqual(['actor', 'fromState', 'reason', 'timestamp', 'toState']);
  expect(last).toMatchObject({
    fromState: 'planning',
    toState: 'planning',
    actor: 'validator',
    reason: 'too vague',
  });
  expect(last.timestamp).toMatch(ISO);
  // Before anything has happened there is nothing to come from.
  expect(await told(s, await add(s))).not.toHaveProperty('previousState');
});

test('LIFE-58, LIFE-98: whoever owns the work of a state has the task, and each change of that is an event', async () => {
  const id = await add(s);
  const owners: unknown[] = [];
  for (const state of ORDER) {
    await lead(s, id, state);
    owners.push((await told(s, id)).assignedAgent);
  }
  expect(owners).toEqual(
    [
      ...['build-orchestrator', 'solution-validator', 'solution-validator', 'fullstack-developer'],
      ...['fullstack-developer', 'fullstack-developer', 'quality-monitor', 'git-manager', 'git-manager'],
    ].map((role) => `@agent-${role}`),
  );
  await lead(s, id, 'completed');
  expect(await told(s, id)).not.toHaveProperty('assignedAgent');
  const events = await named(s, id, 'AGENT_ASSIGNED');
  expect(events.map((e) => [e.metadata.old, e.metadata.new])).toEqual([
    ['', '@agent-build-orchestrator'],
    ['@agent-build-orchestrator', '@agent-solution-validator'],
    ['@agent-solution-validator', '@agent-fullstack-developer'],
    ['@agent-fullstack-developer', '@agent-quality-monitor'],
    ['@agent-quality-monitor', '@agent-git-manager'],
    ['@agent-git-manager', ''],
  ]);
});

test('LIFE-59: what is stored changes updatedAt and never createdAt; what is refused changes neither', async () => {
  const id = await bring(s, 'assigned');
  const times = async () => {
    const { createdAt, updatedAt } = await told(s, id);
    return { createdAt, updatedAt };
  };
  const before = await times();
  must(await fail(s, id));
  const failed = await times();
  must(await onward(s, id, 'assigned'));
  const moved = await times();
  expect([failed.createdAt, moved.createdAt]).toEqual([before.createdAt, before.createdAt]);
  expect(failed.updatedAt > before.updatedAt && moved.updatedAt > failed.updatedAt).toBe(true);
  expect((await move(s, 'git', id, 'commit')).code).toBe(6);
  expect(await times()).toEqual(moved);
});

test('LIFE-60: an entry of the history that is edited or dropped behind the engine is found', async () => {
  const own = await openLifecycle();
  const id = await bring(own, 'validated');
  const store = join(own.repo.top, '.git/countersign/store.db');
  const entry = `stream LIKE 'item/%' AND body LIKE '%"command":"plan"%'`;
  const [kept] = raw(store, (db) => db.prepare(`SELECT position, body FROM events WHERE ${entry}`).all());
  const put = (body: unknown) =>
    raw(store, (db) => db.prepare('UPDATE events SET body = ? WHERE position = ?').run(body, kept?.position));
  put(String(kept?.body).replace('plan, as agreed', 'never mind'));
  expect((await own.say('', 'audit', 'verify')).code).toBe(1);
  expect((await onward(own, id, 'validated')).error.code).toBe('DAMAGED');
  put(kept?.body);
  expect((await onward(own, id, 'validated')).code).toBe(0);
  raw(store, (db) => db.prepare('DELETE FROM events WHERE position = ?').run(kept?.position));
  expect((await own.say('', 'audit', 'verify')).code).toBe(1);
  own.close();
});

test('LIFE-87, LIFE-88: minutes by state add up, repeated stays and the present one included', async () => {
  const id = await add(s);
  let clock = (await told(s, id)).createdAt;
  const later = (minutes: number) => {
    clock = minutesAfter(clock, minutes);
    s.at(clock);
  };
  const stays: readonly (readonly [minutes: number, step: () => Promise<unknown>])[] = [
    [7, () => s.say('orchestrator', 'move', id, 'assign', '--reason', 'taken')],
    [3, () => s.say('validator', 'move', id, 'plan', '--reason', 'begun')],
    [11, () => s.say('validator', 'move', id, 'fail', '--reason', 'vague')],
    [5, () => s.say('validator', 'move', id, 'propose', '--reason', 'x')],
  ];
  for (const [minutes, take] of stays) {
    later(minutes);
    await take();
  }
  expect((await told(s, id)).currentState).toBe('planning');
  later(4);
  const { times, timeInState } = await told(s, id);
  expect(times).toMatchObject({
    timeInState: 20,
    totalTaskTime: 30,
    timeByState: { pending: 7, assigned: 3, planning: 20 },
  });
  expect(timeInState).toBe(20);
  expect(times.stateEnteredAt).toBe(minutesAfter((await told(s, id)).createdAt, 10));
});

test('LIFE-88: three stays in the work are one sum', async () => {
  const id = await bring(s, 'in_progress');
  for (let n = 0; n < 2; n++) {
    await lead(s, id, 'testing');
    must(await fail(s, id));
  }
  const { times, stateHistory } = await told(s, id);
  const entered = stateHistory.filter((t) => t.toState === 'in_progress').map((t) => Date.parse(t.timestamp));
  const left = stateHistory.filter((t) => t.fromState === 'in_progress').map((t) => Date.parse(t.timestamp));
  expect([entered.length, left.length]).toEqual([3, 2]);
  const past = left.reduce((sum, at, n) => sum + at - (entered[n] ?? 0), 0) / 60_000;
  expect(times.timeByState.in_progress).toBeCloseTo(past + times.timeInState, 9);
  const sum = Object.values(times.timeByState).reduce((all, minutes) => all + minutes, 0);
  expect(times.totalTaskTime).toBeCloseTo(sum, 9);
});

test('LIFE-95, LIFE-100: every transition is logged, in the eight keys of the format', async () => {
  const id = await bring(s, 'planning');
  await failThrice(s, id, 'planning');
  must(await guide(s, id, 'return', 'split it'));
  must(await fail(s, id));
  expect((await move(s, 'developer', id, 'validate')).code).toBe(7);
  const { stateHistory } = await told(s, id);
  const transitions = await named(s, id, 'STATE_TRANSITION');
  expect(transitions.map((e) => `${e.from}>${e.to}`)).toEqual(path(stateHistory));
  expect(transitions.map((e) => [e.timestamp, e.actor, e.reason])).toEqual(
    stateHistory.map((t) => [t.timestamp, t.actor, t.reason]),
  );
  const { out } = await s.text('planner', 'history', id, '--events');
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LifecycleEvent);
  expect(lines).toEqual(await logged(s, id));
  for (const line of lines) {
    expect(Object.keys(line).toSorted()).toEqual([
      'actor',
      'event',
      'from',
      'metadata',
      'reason',
      'taskId',
      'timestamp',
      'to',
    ]);
    expect([typeof line.metadata, Array.isArray(line.metadata)]).toEqual(['object', false]);
    expect(line.timestamp).toMatch(ISO);
    expect(line.taskId).toMatch(/^TASK-\d{3,}$/);
  }
  expect(lines.map((e) => e.event)).toContain('TRANSITION_REFUSED');
});

test('LIFE-109: whoever sends a time along is not believed, and time never goes back where the clock does', async () => {
  const id = await bring(s, 'assigned');
  must(
    await move(s, 'validator', id, 'plan', '--arg', 'at=1999-01-01T00:00:00.000Z', 'timestamp=1999-01-01'),
  );
  const { stateHistory, updatedAt } = await told(s, id);
  expect(stateHistory.at(-1)?.timestamp).toBe(updatedAt);
  expect(updatedAt.startsWith('1999')).toBe(false);
  // Somebody sets the clock of the machine back by a day.
  s.at(minutesAfter(updatedAt, -24 * 60));
  must(await fail(s, id, 'too vague'));
  expect((await move(s, 'git', id, 'commit')).code).toBe(6);
  await lead(s, id, 'planning');
  const back = await told(s, id);
  const stamps = (await logged(s, id)).map((e) => e.timestamp);
  expect(stamps).toEqual(stamps.toSorted());
  expect(back.updatedAt >= updatedAt).toBe(true);
  expect(Object.values(back.times.timeByState).every((minutes) => minutes >= 0)).toBe(true);
  expect(back.times.timeInState).toBe(0);
  expect((await s.say('', 'audit', 'verify')).code).not.toBe(1);
  s.at(minutesAfter(updatedAt, 60));
});

let program: Program | undefined;
afterAll(() => program?.remove());

test('LIFE-107: a step that has answered is in the store: another process sees the new state', async () => {
  program = buildProgram();
  const id = await bring(s, 'planning');
  must(await onward(s, id, 'planning'));
  const seen = await inProcess(program, s, ['--json', 'show', id]);
  expect(JSON.parse(seen.out)).toMatchObject({ data: { status: 'validated' } });
});
