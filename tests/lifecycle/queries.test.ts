import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  itemsAwaitingHuman,
  itemsByState,
  itemsExceedingTimeout,
  itemsUnderCtoReview,
  itemsWithMultipleFailures,
} from '../../src/engine/attention.ts';
import { stateHistory } from '../../src/engine/history.ts';
import type { Ports } from '../../src/engine/ports.ts';
import type { ItemRow } from '../../src/store/store.ts';
import type { Session } from '../session.ts';
import {
  add,
  bring,
  escalated,
  fail,
  failThrice,
  minutesAfter,
  must,
  openLifecycle,
  path,
  told,
} from './crew.ts';

// Section J: the questions of the plan manager, by the engine and by the command line.
let s: Session;
const ids: Record<string, string> = {};
beforeAll(async () => {
  s = await openLifecycle();
  for (let n = 0; n < 4; n++) ids[`pending ${n}`] = await add(s);
  for (let n = 0; n < 3; n++) ids[`testing ${n}`] = await bring(s, 'testing', '--list', `list-${n % 2}`);
  ids.review = await bring(s, 'planning');
  await failThrice(s, ids.review, 'planning');
  ids.person = await escalated(s);
  ids.once = await bring(s, 'in_progress');
  must(await fail(s, ids.once));
  ids.twice = await bring(s, 'in_progress');
  must(await fail(s, ids.twice));
  must(await fail(s, ids.twice));
});
afterAll(() => s.close());

const asked = (question: (ports: Ports) => Promise<readonly ItemRow[]>) =>
  s.with(async ({ ports }) => (await question(ports)).map(({ number }) => `T-${number}`));
const listed = async (...words: readonly string[]) =>
  ((await s.say('planner', 'list', ...words)).data.items as unknown as { id: string }[]).map(({ id }) => id);
const of = (...names: readonly string[]) => names.map((name) => ids[name] ?? name);

test('LIFE-101: by state come all that are in it, of whatever list, and nothing else', async () => {
  const testing = of('testing 0', 'testing 1', 'testing 2');
  expect(await asked((ports) => itemsByState(ports, 'testing'))).toEqual(testing);
  expect(await listed('--state', 'testing')).toEqual(testing);
  expect(await listed('--state', 'TESTING', '--list', 'list-0')).toEqual(of('testing 0', 'testing 2'));
  expect(await asked((ports) => itemsByState(ports, 'approved'))).toEqual([]);
});

test('LIFE-103: under the CTO’s review is what is there, and not what waits for a person', async () => {
  expect(await asked(itemsUnderCtoReview)).toEqual(of('review'));
  expect(await listed('--state', 'cto_intervention')).toEqual(of('review'));
  expect(await asked(itemsAwaitingHuman)).toEqual(of('person'));
  expect(await listed('--state', 'human_escalation')).toEqual(of('person'));
  expect(await listed('--escalated')).toEqual(of('review', 'person'));
});

test('LIFE-104: failing again and again is twice in one state, or as often as is asked', async () => {
  const often = of('review', 'person', 'twice');
  expect(new Set(await asked(itemsWithMultipleFailures))).toEqual(new Set(often));
  expect(new Set(await listed('--failing'))).toEqual(new Set(often));
  expect(new Set(await asked((ports) => itemsWithMultipleFailures(ports, 1)))).toEqual(
    new Set([...often, ids.once]),
  );
  expect(await listed('--failing', '3')).toEqual(of('review', 'person'));
  const { code, error } = await s.say('planner', 'list', '--failing', '0');
  expect([code, error.code]).toEqual([2, 'BAD_INPUT']);
});

test('LIFE-102: past its time is what has used it up, and not what is about to', async () => {
  const [first, second] = [await bring(s, 'approved'), await bring(s, 'approved')];
  const entered = async (id: string) => (await told(s, id)).times.stateEnteredAt;
  const one = await entered(first);
  // The second came there some seconds later: ten minutes are over for the first alone.
  expect((await entered(second)) > one).toBe(true);
  s.at(minutesAfter(one, 10));
  const stuck = await listed('--stuck');
  expect(stuck).toContain(first);
  expect(stuck).not.toContain(second);
  s.at(minutesAfter(await entered(second), 10 * 0.99));
  expect(await asked(itemsExceedingTimeout)).not.toContain(second);
  s.at(minutesAfter(await entered(second), 10 * 1.01));
  expect(await listed('--stuck')).toContain(second);
});

test('LIFE-80, LIFE-116: what is late is in the orchestrator’s inbox, an intervention in the CTO’s, and neither in a person’s', async () => {
  const id = await bring(s, 'validated');
  const inbox = async (by: string) =>
    ((await s.say(by, 'inbox')).data.messages as unknown as { item: string; text: string }[]).filter(
      ({ item }) => of('review', 'person', id).includes(item),
    );
  const { times } = await told(s, id);
  s.at(minutesAfter(times.stateEnteredAt, 14));
  expect((await inbox('orchestrator')).map(({ item }) => item)).not.toContain(id);
  s.at(minutesAfter(times.stateEnteredAt, 15));
  expect((await inbox('orchestrator')).find(({ item }) => item === id)?.text).toContain(
    '15 of 15 minutes in validated',
  );
  s.at(minutesAfter(times.stateEnteredAt, 23));
  expect((await inbox('orchestrator')).find(({ item }) => item === id)?.text).toContain(
    'consider an intervention',
  );
  const [guidance, ...more] = await inbox('chief');
  expect(more).toEqual([]);
  expect(guidance).toMatchObject({
    item: ids.review,
    text: expect.stringContaining('failure 3 in planning'),
  });
  for (const by of ['developer', 'validator', 'planner', '']) expect([by, await inbox(by)]).toEqual([by, []]);
});

test('LIFE-105: seven transitions are told in the order of time; of what is not there, that it is not', async () => {
  const id = await bring(s, 'quality_review');
  const history = await s.with(({ ports }) => stateHistory(ports, id));
  expect(history).toHaveLength(7);
  expect(path(history)).toEqual([
    ...['>pending', 'pending>assigned', 'assigned>planning', 'planning>validated'],
    ...['validated>in_progress', 'in_progress>testing', 'testing>quality_review'],
  ]);
  const stamps = history.map((t) => t.timestamp);
  expect(stamps).toEqual(stamps.toSorted());
  expect((await told(s, id)).stateHistory).toEqual(history);
  expect((await told(s, id.replace('T-', 'TASK-00'))).stateHistory).toEqual(history);
  const unknown = await s.say('planner', 'history', 'TASK-999');
  expect([unknown.code, unknown.error.code]).toEqual([5, 'NOT_FOUND']);
});

test('LIFE-106: a question changes nothing that is stored, whoever asks it', async () => {
  const state = () =>
    s.with(async ({ ports }) => [
      await ports.store.eventCount(),
      await ports.store.heads('', 1_000),
      await ports.store.allItems(0, 1_000),
    ]);
  const before = await state();
  for (const by of ['planner', 'developer', '']) {
    for (const words of [['--stuck'], ['--escalated'], ['--failing'], ['--state', 'testing'], []])
      await listed(...words);
    for (const id of of('review', 'person', 'twice'))
      for (const view of ['history', 'show', 'log']) expect((await s.say(by, view, id)).code).toBe(0);
    expect((await s.say(by, 'metrics')).code).toBe(0);
    expect((await s.say(by, 'next')).code).toBe(0);
  }
  expect(await state()).toEqual(before);
});

test('LIFE-111: failures are summed up by state and by agent, over all tasks', async () => {
  const own = await openLifecycle();
  await own.register('monitor-2', ['quality-monitor']);
  for (let n = 0; n < 5; n++) {
    const id = await bring(own, 'quality_review');
    const by = n < 3 ? 'monitor' : 'monitor-2';
    must(await own.say(by, 'move', id, 'fail', '--reason', 'coverage fell'));
  }
  const { failures } = (await own.say('planner', 'metrics')).data as unknown as { failures: unknown };
  expect(failures).toEqual([
    { state: 'quality_review', agent: 'monitor', failures: 3 },
    { state: 'quality_review', agent: 'monitor-2', failures: 2 },
  ]);
  expect((await own.text('planner', 'metrics')).out).toMatch(/quality_review +monitor-2 +2/);
  own.close();
});

test('a question for what is wrong stands alone', async () => {
  for (const words of [
    ['--stuck', '--escalated'],
    ['--failing', '2', '--list', 'main'],
    ['--escalated', '--state', 'planning'],
  ]) {
    const { code, error } = await s.say('planner', 'list', ...words);
    expect([code, error.message]).toEqual([2, expect.stringContaining('stands alone')]);
  }
});
