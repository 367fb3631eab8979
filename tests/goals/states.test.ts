import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Moved } from '../../src/kernel/event.ts';
import { expand } from '../../src/kernel/protocol.ts';
import { goalTask } from '../../src/protocols/goal-task.ts';
import { BUILDER, CHECKER, LEAD, missingOf, openWorkshop, TASK_STATES, type Workshop } from './workshop.ts';

let w: Workshop;
let goal: string;
beforeAll(async () => {
  w = await openWorkshop();
  goal = await w.goal();
});
afterAll(() => w.s.close());

const move = (actor: string, task: string, ...words: readonly string[]) =>
  w.s.say(actor, 'move', task, ...words);
const moves = async (task: string) =>
  (await w.s.events(task)).filter((e): e is Moved => e.type === 'moved').map(({ from, to }) => [from, to]);

describe('a task of a goal', () => {
  test('GOAL-04, GOAL-10: it is pending while nobody has it, and the lead assigns it, nobody else', async () => {
    const task = await w.task(goal);
    expect(await w.state(task)).toBe('pending');
    for (const other of [BUILDER, CHECKER]) {
      const refused = await move(other, task, 'assign', '--to', BUILDER);
      expect(refused.error).toMatchObject({ code: 'wrong-role', state: 'pending' });
      expect(refused.error.message).toContain('Only lead');
    }
    const nobody = await move(LEAD, task, 'assign', '--to', 'bemm');
    expect(missingOf(nobody)).toContain('nobody here is called bemm');
    const given = await move(LEAD, task, 'assign', '--to', BUILDER);
    expect(given.data).toMatchObject({ status: 'assigned', assigned_to: BUILDER });
  });

  test('GOAL-05: it is assigned, by way of pending, before its builder has begun', async () => {
    const task = await w.bring(goal, 'assigned');
    expect(await w.state(task)).toBe('assigned');
    const [opened] = await w.s.events(task);
    expect(opened).toMatchObject({ type: 'opened', state: 'pending' });
    expect(await moves(task)).toEqual([['pending', 'assigned']]);
  });

  test('GOAL-06, GOAL-11: its assignee starts it, and then it is in progress; another builder is refused', async () => {
    const task = await w.bring(goal, 'assigned');
    const other = await w.s.say(CHECKER, 'start', task);
    expect(missingOf(other)).toContain(`assignee is ${BUILDER}`);
    expect(await w.state(task)).toBe('assigned');
    expect((await w.s.say(BUILDER, 'start', task)).data.status).toBe('in_progress');
    expect(await w.state(task)).toBe('in_progress');
  });

  test('GOAL-07, GOAL-12, GOAL-53: its builder submits it with a summary, and the files that changed are kept', async () => {
    const task = await w.bring(goal, 'in_progress');
    w.build(task);
    const wordless = await move(BUILDER, task, 'submit', '--commit', `work-${task}`);
    expect(wordless.error).toMatchObject({ code: 'bad-arguments', state: 'in_progress' });
    const other = await move(CHECKER, task, 'submit', '--commit', `work-${task}`, '--arg', 'summary=Mine');
    expect(missingOf(other)).toContain(`assignee is ${BUILDER}`);
    expect((await w.submit(task)).data.status).toBe('review');
    const submitted = (await w.s.events(task)).at(-1) as Moved;
    expect(submitted).toMatchObject({ by: BUILDER, arguments: { summary: 'It is built' } });
    expect(submitted.facts).toMatchObject({ files: [`${task}.ts`] });
  });

  test('GOAL-08, GOAL-13, GOAL-54: a reviewer who did not build it approves it: completed, and not the end', async () => {
    const task = await w.bring(goal, 'review');
    expect((await move(CHECKER, task, 'approve')).data.status).toBe('completed');
    const approval = (await w.s.events(task)).findLast((e) => e.type === 'moved') as Moved;
    expect(approval).toMatchObject({ command: 'approve', by: CHECKER });
    const rows = goalTask.rows.filter((row) => expand(goalTask, row.from).includes('completed'));
    const onward = new Set(rows.map(({ to }) => to).filter((to) => to !== 'abandoned'));
    expect(onward).toEqual(new Set(['verified', 'in_progress']));
    expect(goalTask.states.completed).toMatchObject({ final: false, success: false });
  });

  test('GOAL-14: a reviewer sends it back with a reason, which is kept; without one nothing happens', async () => {
    const task = await w.bring(goal, 'review');
    for (const reason of [[], ['--reason', ''], ['--reason', ' \t ']]) {
      const refused = await move(CHECKER, task, 'reject', ...reason);
      expect(refused.error).toMatchObject({ code: 'bad-arguments', state: 'review' });
    }
    const back = await move(CHECKER, task, 'reject', '--reason', 'The sum is off by one');
    expect(back.data.status).toBe('in_progress');
    expect(await w.s.events(task)).toContainEqual(
      expect.objectContaining({ command: 'reject', reason: 'The sum is off by one' }),
    );
  });

  test('GOAL-09, GOAL-15, GOAL-44: a verifier who neither built nor approved it confirms it with notes: verified', async () => {
    const task = await w.bring(goal, 'completed');
    const verified = await w.s.say(CHECKER, 'verify', task, '--notes', 'Bought an empty cart');
    expect(verified.data).toMatchObject({ status: 'verified', verdict: 'PASSED' });
    expect(await w.state(task)).toBe('verified');
    expect((await w.s.events(task)).at(-1)).toMatchObject({
      ...{ command: 'verify', by: CHECKER, arguments: { notes: 'Bought an empty cart' } },
    });
  });

  test('GOAL-16, GOAL-45, GOAL-48: a verifier sends it back with a reason that says something', async () => {
    const task = await w.bring(goal, 'completed');
    for (const reason of ['', '   ', '\n\t'])
      expect((await move(CHECKER, task, 'reject-verification', '--reason', reason)).error).toMatchObject({
        code: 'bad-arguments',
        state: 'completed',
      });
    const back = await move(CHECKER, task, 'reject-verification', '--reason', 'It breaks on an empty cart');
    expect(back.data.status).toBe('in_progress');
    const { messages } = (await w.must(BUILDER, 'inbox')).data as unknown as { messages: unknown[] };
    expect(messages).toContainEqual({
      next: [expect.stringContaining(`move ${task} submit`)],
      to: BUILDER,
      item: task,
      text: expect.stringContaining('It breaks on an empty cart'),
    });
  });

  test('GOAL-17, GOAL-69: the lead reopens what was verified, with a reason; another role is refused', async () => {
    const task = await w.bring(goal, 'verified');
    for (const other of [BUILDER, CHECKER])
      expect((await move(other, task, 'reopen', '--reason', 'It broke')).error.code).toBe('wrong-role');
    expect((await move(LEAD, task, 'reopen')).error.code).toBe('bad-arguments');
    expect((await move(LEAD, task, 'reopen', '--reason', 'It broke')).data.status).toBe('in_progress');
  });
});

describe('pairs of states', () => {
  const LISTED = [
    ...['pending assigned', 'assigned in_progress', 'in_progress review', 'review completed'],
    ...['review in_progress', 'completed verified', 'completed in_progress', 'verified in_progress'],
  ];

  test('GOAL-18: of all thirty-six pairs of states the table has the eight that are listed', () => {
    const pairs = TASK_STATES.flatMap((from) =>
      TASK_STATES.filter((to) =>
        goalTask.rows.some((row) => row.to === to && expand(goalTask, row.from).includes(from)),
      ).map((to) => `${from} ${to}`),
    );
    expect(pairs.toSorted()).toEqual(LISTED.toSorted());
    expect(goalTask.rows.filter(({ to }) => to.startsWith('@') && to !== '@same')).toEqual([]);
  });

  test.each(TASK_STATES)(
    'GOAL-18: whoever tries it, no command that leads nowhere from %s is taken',
    async (state) => {
      const task = await w.bring(goal, state);
      const before = await w.s.snapshot(task);
      const commands = [...new Set(goalTask.rows.map(({ command }) => command))].filter(
        (command) =>
          !goalTask.rows.some((row) => row.command === command && expand(goalTask, row.from).includes(state)),
      );
      for (const command of commands)
        for (const actor of [LEAD, BUILDER, CHECKER]) {
          const words = command === 'verify' ? ['verify', task] : ['move', task, command];
          const told = ['--reason', 'because', '--to', BUILDER, '--arg', 'summary=x'];
          const tried = await w.s.say(actor, ...words, ...(command === 'verify' ? [] : told));
          expect([command, actor, tried.code, tried.error.code]).toEqual([
            command,
            actor,
            6,
            'no-transition',
          ]);
        }
      expect(await w.s.snapshot(task)).toBe(before);
    },
  );
});
