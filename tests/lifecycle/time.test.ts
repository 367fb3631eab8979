import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callerOf } from '../../src/engine/credential.ts';
import { NEW_ITEM } from '../../src/engine/new-item.ts';
import { openItems } from '../../src/engine/open.ts';
import type { Session } from '../session.ts';
import {
  add,
  bring,
  escalated,
  fail,
  failThrice,
  lead,
  logged,
  minutesAfter,
  must,
  named,
  onward,
  openLifecycle,
  type State,
  stateOf,
  told,
  type Working,
} from './crew.ts';

// Section G: allowances tell, and never move anything. Every clock here is set by hand.
let s: Session;
beforeAll(async () => {
  s = await openLifecycle();
});
afterAll(() => s.close());

interface Tick {
  readonly item: string;
  readonly state: string;
  readonly percent: number;
  readonly due: string;
  readonly recipient: string;
}

/** Whoever watches looks at the clock, so many minutes after the item came where it is. */
async function at(id: string, minutes: number, by = 'planner'): Promise<readonly Tick[]> {
  const { times } = await told(s, id);
  s.at(minutesAfter(times.stateEnteredAt, minutes));
  const { told: all } = (await s.say(by, 'tick')).data as unknown as { told: Tick[] };
  return all.filter((tick) => tick.item === id);
}

const percents = (ticks: readonly Tick[]) => ticks.map(({ percent }) => percent);

const MINUTES: { readonly [state in State]?: readonly [row: string, minutes: number] } = {
  pending: ['LIFE-02', 60],
  assigned: ['LIFE-05', 15],
  planning: ['LIFE-07', 30],
  validated: ['LIFE-09', 15],
  in_progress: ['LIFE-11', 240],
  testing: ['LIFE-13', 30],
  quality_review: ['LIFE-15', 30],
  approved: ['LIFE-17', 10],
  committing: ['LIFE-19', 15],
  cto_intervention: ['LIFE-23', 60],
};

const reach = async (state: State): Promise<string> => {
  if (state !== 'cto_intervention') return bring(s, state as Working);
  const id = await bring(s, 'planning');
  await failThrice(s, id, 'planning');
  return id;
};

describe('LIFE-80, LIFE-84: when the time of a state is used up, the build orchestrator hears of it, once', () => {
  test.each(
    Object.entries(MINUTES).map(([state, [row, minutes]]) => [row, state as State, minutes] as const),
  )('%s, LIFE-84: %s has %i minutes', async (_, state, minutes) => {
    const id = await reach(state);
    expect(percents(await at(id, minutes - 0.1))).toEqual([80]);
    const [alert, ...more] = await at(id, minutes);
    expect(more).toEqual([]);
    expect(alert).toMatchObject({ state, percent: 100, recipient: 'build-orchestrator' });
    expect(await at(id, minutes + 0.1)).toEqual([]);
    const [event] = await named(s, id, 'TIMEOUT_ALERT');
    expect(event?.metadata).toMatchObject({ state, elapsed: minutes, recipient: 'build-orchestrator' });
    expect(await stateOf(s, id)).toBe(state);
  });
});

test('LIFE-21, LIFE-25: what is completed and what waits for a person runs out of no time', async () => {
  const done = await bring(s, 'completed');
  const waiting = await escalated(s);
  const count = async () => [(await s.events(done)).length, (await s.events(waiting)).length];
  const before = await count();
  expect(await at(done, 10 * 24 * 60)).toEqual([]);
  expect(await at(waiting, 30 * 24 * 60)).toEqual([]);
  expect(await count()).toEqual(before);
  const { data } = await s.say('planner', 'list', '--stuck');
  const listed = (data.items as unknown as { id: string }[]).map(({ id }) => id);
  expect(listed).not.toContain(done);
  expect(listed).not.toContain(waiting);
});

test('LIFE-83, LIFE-97: at 80 percent there is one warning, with state and time', async () => {
  const id = await bring(s, 'planning');
  expect(await at(id, 23.9)).toEqual([]);
  expect(percents(await at(id, 24))).toEqual([80]);
  expect(await at(id, 24.5)).toEqual([]);
  const [warning, ...more] = (await logged(s, id)).filter((e) => e.event.startsWith('TIMEOUT'));
  expect(more).toEqual([]);
  expect(warning).toMatchObject({
    event: 'TIMEOUT_WARNING',
    metadata: { state: 'planning', elapsed: 24, percent: 80, watchedBy: 'plan-manager' },
  });
});

test('LIFE-82, LIFE-85, LIFE-116: left alone for twice its time, three grades are told in order, none to a person, nothing moves', async () => {
  const id = await bring(s, 'planning');
  for (const minutes of [10, 24, 30, 40, 45, 60, 150]) {
    await at(id, minutes);
    expect(await stateOf(s, id)).toBe('planning');
  }
  const told = (await logged(s, id)).filter((e) => e.event.startsWith('TIMEOUT'));
  expect(told.map((e) => e.event)).toEqual(['TIMEOUT_WARNING', 'TIMEOUT_ALERT', 'TIMEOUT_ESCALATION']);
  expect(told.map((e) => e.metadata.recipient)).toEqual(Array(3).fill('build-orchestrator'));
  expect(told.every((e) => e.from === 'planning' && e.to === 'planning')).toBe(true);
  expect((await s.text('planner', 'log', id)).out).toContain('150 % of the time for planning has passed');
});

test('LIFE-86: each stay in a state has its own warnings', async () => {
  const id = await bring(s, 'testing');
  expect(percents(await at(id, 25))).toEqual([80]);
  must(await fail(s, id));
  await lead(s, id, 'testing');
  expect(percents(await at(id, 25))).toEqual([80]);
  expect((await named(s, id, 'TIMEOUT_WARNING')).map((e) => e.metadata.state)).toEqual([
    'testing',
    'testing',
  ]);
});

test('a rejection that stays where it is begins no new stay', async () => {
  const id = await bring(s, 'planning');
  expect(percents(await at(id, 25))).toEqual([80]);
  must(await fail(s, id));
  expect(percents(await at(id, 31))).toEqual([100]);
});

test('LIFE-79, LIFE-113: nobody looked for an hour: whoever wakes the engine tells what passed, and when', async () => {
  const id = await bring(s, 'in_progress');
  const { times } = await told(s, id);
  const ticks = await at(id, 400, 'monitor');
  expect(ticks.map(({ percent, due }) => [percent, due])).toEqual([
    [80, minutesAfter(times.stateEnteredAt, 192)],
    [100, minutesAfter(times.stateEnteredAt, 240)],
    [150, minutesAfter(times.stateEnteredAt, 360)],
  ]);
  // Its developer did nothing all the while.
  expect((await s.events(id)).at(-1)).toMatchObject({ type: 'elapsed', by: 'engine' });
});

test('LIFE-113: a step on its own item tells what had passed before it, and belongs to the stay that ends', async () => {
  const id = await bring(s, 'assigned');
  const { times } = await told(s, id);
  s.at(minutesAfter(times.stateEnteredAt, 16));
  must(await onward(s, id, 'assigned'));
  const types = (await s.events(id))
    .slice(-3)
    .map((e) => (e.type === 'elapsed' ? `${e.state} ${e.percent}` : e.type));
  expect(types).toEqual(['assigned 80', 'assigned 100', 'moved']);
});

test('LIFE-113: however many were left alone, one look tells of all of them', async () => {
  const own = await openLifecycle();
  const items = Array.from({ length: 230 }, (_, n) => ({ ...NEW_ITEM, title: `Task ${n}` }));
  const opened = await own.with(async (all) => openItems(all.ports, await callerOf(all, ''), items));
  own.at(minutesAfter(opened[0]?.item.openedAt ?? '', 61));
  const ticks = (await own.say('planner', 'tick')).data.told as unknown as Tick[];
  expect(percents(ticks).filter((percent) => percent === 100)).toHaveLength(230);
  expect((await own.say('planner', 'tick')).data.told).toEqual([]);
  own.close();
});

describe('with times of its own, a project', () => {
  let own: Session;
  beforeAll(async () => {
    own = await openLifecycle({
      config:
        'protocol: lifecycle\nallowances: {lifecycle: {in_progress: 120, planning: 10, pending: 1440}}\n',
    });
  });
  afterAll(() => own.close());

  test('LIFE-11, LIFE-81: changes those it names, and keeps the others', async () => {
    const id = await bring(own, 'assigned');
    const due = async () =>
      (await own.with(({ ports }) => ports.store.itemByNumber(Number(id.slice(2)))))?.overdueAt ?? '';
    const minutes = async () => {
      const { times } = await told(own, id);
      return (Date.parse(await due()) - Date.parse(times.stateEnteredAt)) / 60_000;
    };
    const found: Record<string, number> = { assigned: await minutes() };
    for (const state of ['planning', 'validated', 'in_progress', 'testing'] as const) {
      await lead(own, id, state);
      found[state] = await minutes();
    }
    expect(found).toEqual({ assigned: 15, planning: 10, validated: 15, in_progress: 120, testing: 30 });
    expect((await own.text('planner', 'config', 'show')).out).toContain('allowances.lifecycle.in_progress');
  });

  test('LIFE-11: two hours are two hours', async () => {
    const id = await bring(own, 'in_progress');
    const { times } = await told(own, id);
    const ticked = async () => (await own.say('planner', 'tick')).data.told as unknown as Tick[];
    own.at(minutesAfter(times.stateEnteredAt, 119));
    expect(percents((await ticked()).filter((t) => t.item === id))).toEqual([80]);
    own.at(minutesAfter(times.stateEnteredAt, 120));
    expect(percents((await ticked()).filter((t) => t.item === id))).toEqual([100]);
  });

  test('LIFE-81: times that change later do not change for what was opened before', async () => {
    const id = await add(own);
    own.repo.git('checkout', '-q', 'main');
    own.repo.commit({
      '.countersign/config.yaml': 'protocol: lifecycle\nallowances: {lifecycle: {pending: 5}}\n',
    });
    own.repo.git('checkout', '-q', 'work');
    const later = await add(own);
    const dueOf = async (one: string) => {
      const row = await own.with(({ ports }) => ports.store.itemByNumber(Number(one.slice(2))));
      return (Date.parse(row?.overdueAt ?? '') - Date.parse(row?.updatedAt ?? '')) / 60_000;
    };
    expect([await dueOf(id), await dueOf(later)]).toEqual([1440, 5]);
  });
});

describe('LIFE-112: times that make no sense', () => {
  let own: Session;
  beforeAll(async () => {
    own = await openLifecycle();
    own.repo.git('checkout', '-q', 'main');
  });
  afterAll(() => own.close());
  const configured = (text: string) =>
    own.repo.commit({ '.countersign/config.yaml': `protocol: lifecycle\nallowances: {${text}}\n` });
  const doctor = async () =>
    (
      (await own.say('', 'doctor')).data.conditions as unknown as {
        name: string;
        status: string;
        says: string;
      }[]
    ).find(({ name }) => name === 'configuration');

  test.each([
    ['lifecycle: {planning: 0}', 'must be a number of minutes greater than 0'],
    ['lifecycle: {planning: -5}', 'must be a number of minutes greater than 0'],
    ['lifecycle: {planning: soon}', 'must be a number of minutes greater than 0'],
    ['lifecycle: {planning: .nan}', 'must be a number of minutes greater than 0'],
    ['lifecycle: {planning: .inf}', 'must be a number of minutes greater than 0'],
    ['lifecycle: {planing: 30}', 'has no state planing'],
    ['lifecycle: {completed: 30}', 'nothing runs out in completed'],
    ['lifecycle: {human_escalation: 30}', 'nothing runs out in human_escalation'],
    ['lifecycle: 30', 'must be a table of keys'],
  ])('LIFE-112: %s is refused, and doctor says so', async (text, because) => {
    configured(text);
    const { code, error } = await own.say('planner', 'add', 'Anything');
    expect([code, error.code]).toEqual([2, 'BAD_CONFIG']);
    expect(error.message).toContain(because);
    expect(await doctor()).toMatchObject({ status: 'fail', says: expect.stringContaining(because) });
  });

  test.each([
    ['lifecycle: {planning: 0.2}', 'warn', 'allowances.lifecycle.planning is 0.2 minutes'],
    ['lifecycle: {planning: 100000}', 'warn', 'allowances.lifecycle.planning is 100000 minutes'],
    ['lifecicle: {planning: 30}', 'fail', 'there is no protocol lifecicle'],
    ['lifecycle: {planning: 45}', 'ok', 'config.yaml'],
  ])('LIFE-112: %s is told by doctor (%s)', async (text, status, says) => {
    configured(text);
    expect(await doctor()).toMatchObject({ status, says: expect.stringContaining(says) });
  });
});
