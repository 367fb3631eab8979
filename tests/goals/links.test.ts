import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BUILDER, CHECKER, LEAD, missingOf, openWorkshop, TASK_STATES, type Workshop } from './workshop.ts';

let w: Workshop;
beforeEach(async () => {
  w = await openWorkshop();
});
afterEach(() => w.s.close());

const add = (...words: readonly string[]) => w.s.say(LEAD, 'add', 'A piece of it', ...words);
const alone = async () => (await w.must(LEAD, 'add', 'A piece of it', '--protocol', 'goal-task')).data.id;
const count = async () => ((await w.must('', 'list')).data.progress as { total: number }).total;

describe('a goal and its tasks', () => {
  test('GOAL-41: a title is enough for a goal, which is open and has a number of its own', async () => {
    const made = await w.s.say(LEAD, 'goal', 'create', 'A shop that sells');
    expect(made.data).toMatchObject({ goal_id: 'GOAL-1', status: 'open', content: 'A shop that sells' });
    expect((await w.s.say(BUILDER, 'goal', 'create', 'Mine')).error.code).toBe('NO_CREDENTIAL');
  });

  test('GOAL-02, GOAL-43: it lists its tasks with their states, and owns none of these', async () => {
    const goal = await w.goal();
    const tasks = [
      await w.bring(goal, 'pending'),
      await w.bring(goal, 'assigned'),
      await w.bring(goal, 'review'),
    ];
    const { tasks: told } = await w.status(goal);
    expect(told.map(({ task_id, status }) => [task_id, status])).toEqual([
      [tasks[0], 'pending'],
      [tasks[1], 'assigned'],
      [tasks[2], 'review'],
    ]);
    const before = await Promise.all(tasks.map((task) => w.s.snapshot(task)));
    await w.must(LEAD, 'move', goal, 'cancel', '--reason', 'Nobody wants it');
    expect(await Promise.all(tasks.map((task) => w.s.snapshot(task)))).toEqual(before);
    // Each tells of the other.
    expect((await w.must('', 'show', tasks[1] ?? '')).data.goal).toBe(goal);
    expect((await w.s.text('', 'show', tasks[1] ?? '')).out).toContain(`task of ${goal}`);
    const shown = await w.must('', 'show', goal);
    expect((shown.data.tasks as { task_id: string }[]).map((t) => t.task_id)).toEqual(tasks);
    expect((await w.s.text('', 'show', goal)).out).toContain(`task ${tasks[1]} A piece of it [assigned]`);
  });

  test('GOAL-42: a task that is there already is linked once; what is not there is refused', async () => {
    const goal = await w.goal();
    const task = await alone();
    expect((await w.s.say(LEAD, 'goal', 'link', task, '99')).error.code).toBe('NOT_FOUND');
    expect(missingOf(await w.s.say(LEAD, 'goal', 'link', 'T-99', goal))).toContain('there is no task T-99');
    expect((await w.s.say(BUILDER, 'goal', 'link', task, goal)).error.code).toBe('wrong-role');
    expect((await w.status(goal)).tasks).toEqual([]);
    await w.must(LEAD, 'goal', 'link', task, goal);
    expect((await w.status(goal)).tasks.map((t) => t.task_id)).toEqual([task]);
    const other = await w.goal('Another');
    expect(missingOf(await w.s.say(LEAD, 'goal', 'link', task, other))).toContain(
      'belongs to a goal already',
    );
    await w.must(LEAD, 'move', goal, 'unlink', '--arg', `task=${task}`, '--reason', 'Wrong goal');
    expect((await w.status(goal)).tasks).toEqual([]);
    await w.must(LEAD, 'goal', 'link', task, other);
    expect((await w.must('', 'show', task)).data.goal).toBe(other);
    expect((await w.s.text('', 'audit', 'verify')).out).toContain('clean');
  });

  test('GOAL-42, GOAL-20: a task that is under way already makes its goal active as it is linked', async () => {
    const goal = await w.goal();
    const task = await alone();
    await w.onTo(task, 'pending', 'in_progress');
    await w.must(LEAD, 'goal', 'link', task, goal);
    expect(await w.state(goal)).toBe('active');
  });

  test('GOAL-42: a verified goal takes no task, neither a new one nor one that is there; none is left over', async () => {
    const goal = await w.goal();
    const task = await w.bring(goal, 'verified');
    // One more while it waits takes it back to its tasks.
    const late = await w.task(goal);
    expect(await w.state(goal)).toBe('active');
    await w.must(LEAD, 'move', late, 'abandon', '--reason', 'not needed');
    expect(await w.state(goal)).toBe('pending_verify');
    w.merge(task);
    await w.must(LEAD, 'goal', 'verify', goal, '--notes', 'It sells');
    const spare = await alone();
    const total = await count();
    for (const refused of [await w.s.say(LEAD, 'goal', 'link', spare, goal), await add('--goal', goal)])
      expect(missingOf(refused)).toContain('a verified goal takes no new task');
    expect(await count()).toBe(total);
    expect(await w.state(goal)).toBe('verified');
    expect(await w.s.refusals(goal)).toHaveLength(2);
  });

  test('GOAL-42, CX-02: what follows an abandoned task takes its place in the goal, unless that takes no task any more', async () => {
    const goal = await w.goal();
    const task = await w.bring(goal, 'verified');
    const given = await w.task(goal);
    const other = await w.task(goal);
    for (const one of [given, other]) await w.must(LEAD, 'move', one, 'abandon', '--reason', 'Another way');
    expect(await w.state(goal)).toBe('pending_verify');
    const { id } = (await w.must(LEAD, 'follow-up', given, 'Again')).data;
    expect((await w.must('', 'show', id)).data.goal).toBe(goal);
    const tasks = async () => (await w.status(goal)).tasks.map(({ task_id }) => task_id);
    expect(await tasks()).toEqual([task, other, id]);
    expect(await w.state(goal)).toBe('active');
    await w.must(LEAD, 'move', id, 'abandon', '--reason', 'Not needed');
    w.merge(task);
    await w.must(LEAD, 'goal', 'verify', goal, '--notes', 'It sells');
    const late = (await w.must(LEAD, 'follow-up', other, 'Later')).data.id;
    expect((await w.must('', 'show', late)).data.goal).toBeUndefined();
    expect([await tasks(), await w.state(goal)]).toEqual([[task, other, id], 'verified']);
    expect((await w.s.text('', 'audit', 'verify')).out).toContain('clean');
  });

  test('GOAL-50: each state is counted, assigned too, and all of them sum up to the whole', async () => {
    const goal = await w.goal();
    for (const state of TASK_STATES) await w.bring(goal, state);
    const { counts, tasks } = await w.status(goal);
    expect(counts).toEqual({
      ...Object.fromEntries(TASK_STATES.map((state) => [state, 1])),
      abandoned: 0,
    });
    expect(Object.values(counts).reduce((sum, n) => sum + n, 0)).toBe(tasks.length);
  });

  test('GOAL-01: what is approved and not verified is not done', async () => {
    const goal = await w.goal();
    const task = await w.bring(goal, 'completed');
    const done = async () => ((await w.must('', 'list')).data.progress as { done: number }).done;
    expect(await done()).toBe(0);
    expect((await w.s.text('', 'list', '--assert-done')).code).not.toBe(0);
    await w.must(CHECKER, 'verify', task);
    expect(await done()).toBe(1);
  });

  test('a task is opened in its goal by one command, is found by either name, and takes its whole way', async () => {
    const goal = await w.goal();
    const made = await add('--goal', goal);
    expect(made.data).toMatchObject({ id: 'T-2', status: 'pending' });
    expect((await w.must('', 'show', 'TASK-2')).data.id).toBe('T-2');
    await w.onTo('T-2', 'pending', 'completed');
    expect((await w.s.say(CHECKER, 'verify', 'T-2')).data.status).toBe('verified');
    expect((await w.s.text('', 'audit', 'verify')).out).toContain('clean');
  });
});

describe('no nesting', () => {
  test('GOAL-77: a goal is no part of a goal, however it is tried; the way on is to split it', async () => {
    const [outer, inner] = [await w.goal('Outer'), await w.goal('Inner')];
    const linked = await w.s.say(LEAD, 'goal', 'link', inner, outer);
    expect(missingOf(linked)).toContain(`${inner} is a goal, and goals do not nest`);
    expect(linked.error.missing[0]?.fix).toContain('split it');
    const total = await count();
    const opened = await add('--goal', outer, '--protocol', 'goal');
    expect(missingOf(opened)).toContain('goals do not nest');
    expect(missingOf(await add('--goal', outer, '--protocol', 'two-phase'))).toContain('follows two-phase');
    expect(await count()).toBe(total);
    expect((await w.status(outer)).tasks).toEqual([]);
  });

  test('GOAL-78: a task has no sub-task; one that waits for it is the way on', async () => {
    const goal = await w.goal();
    const task = await w.task(goal);
    const total = await count();
    const refused = await add('--goal', task);
    expect(refused.error).toMatchObject({ code: 'BAD_INPUT' });
    expect(refused.error.message).toContain('tasks have no sub-tasks');
    expect(refused.error.hint).toContain(`--goal ${goal} --depends-on ${task}`);
    for (const child of [goal, await alone()]) {
      const linked = await w.s.say(LEAD, 'goal', 'link', child, task);
      expect(linked.error.message).toContain('tasks have no sub-tasks');
    }
    expect(await count()).toBe(total + 1);
    const instead = await add('--goal', goal, '--depends-on', task);
    expect(instead.code).toBe(0);
    expect((await w.must('', 'show', instead.data.id)).data.depends_on).toEqual([task]);
  });

  test('GOAL-79: a task does not start before what it depends on is verified, and nothing waits in a circle', async () => {
    const goal = await w.goal();
    const first = await w.bring(goal, 'assigned');
    const second = await w.bring(goal, 'assigned', { add: ['--depends-on', first] });
    for (const state of ['in_progress', 'review', 'completed'] as const) {
      await w.onTo(first, (await w.state(first)) as 'assigned', state);
      const early = await w.s.say(BUILDER, 'start', second);
      expect(early.error.code).toBe('gate-closed');
      expect(missingOf(early)).toContain(first);
    }
    await w.must(CHECKER, 'verify', first);
    expect((await w.s.say(BUILDER, 'start', second)).data.status).toBe('in_progress');
    // What it depends on is said once, when it is opened: of itself and of later ones there is nothing to name yet.
    const next = Number(second.slice(2)) + 1;
    for (const ahead of [next, next + 1])
      expect((await add('--goal', goal, '--depends-on', `T-${ahead}`)).error.code).toBe('NOT_FOUND');
    const late = await w.s.say(LEAD, 'move', first, 'depend', '--arg', `on=${second}`);
    expect(late.error.code).toBe('unknown-command');
  });

  test('GOAL-42: what follows a task that was given up waits for the same as that did', async () => {
    const goal = await w.goal();
    const first = await w.task(goal);
    const second = await w.task(goal, '--depends-on', first);
    await w.must(LEAD, 'move', second, 'abandon', '--reason', 'too large');
    const next = (await w.must(LEAD, 'follow-up', second, 'A smaller piece')).data.id;
    expect((await w.must('', 'show', next)).data.depends_on).toEqual([first]);
    expect((await w.s.text('', 'audit', 'verify')).out).toContain('clean');
  });
});
