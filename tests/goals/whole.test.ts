import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PastVerification } from '../../src/engine/goals.ts';
import type { Moved } from '../../src/kernel/event.ts';
import { BUILDER, CHECKER, LEAD, openWorkshop, type Workshop } from './workshop.ts';

const NOTES = ['--notes', 'Bought a thing from end to end'];
let w: Workshop;
let goal: string;
beforeEach(async () => {
  w = await openWorkshop();
  goal = await w.goal();
});
afterEach(() => w.s.close());

const verifyGoal = () => w.s.say(LEAD, 'goal', 'verify', goal, ...NOTES);
const movesOf = async (ref: string) =>
  (await w.s.events(ref)).filter((e): e is Moved => e.type === 'moved' && e.from !== e.to);
const verifiedAt = async (tasks: readonly string[]) =>
  Promise.all(
    tasks.map(async (task) => (await movesOf(task)).filter((m) => m.to === 'verified').map((m) => m.at)),
  );

/** A goal whose three tasks are verified and merged. */
async function three(): Promise<readonly string[]> {
  const tasks = [
    await w.bring(goal, 'verified'),
    await w.bring(goal, 'verified'),
    await w.bring(goal, 'verified'),
  ];
  for (const task of tasks) w.merge(task);
  return tasks;
}

describe('a whole that does not work', () => {
  test('GOAL-62, GOAL-74, GOAL-75, GOAL-76: the goal goes back, a task that mends it runs the full cycle, the others stay', async () => {
    const tasks = await three();
    const at = await verifiedAt(tasks);
    const events = await Promise.all(tasks.map((task) => w.s.snapshot(task)));
    await w.must(LEAD, 'goal', 'reject', goal, '--reason', 'Paying twice is possible');
    expect(await w.status(goal)).toMatchObject({ status: 'active', counts: { verified: 3 } });
    const fix = await w.task(goal);
    for (const state of ['assigned', 'in_progress', 'review', 'completed'] as const) {
      await w.onTo(fix, (await w.state(fix)) as 'pending', state);
      expect([state, await w.state(goal)]).toEqual([state, 'active']);
    }
    await w.must(CHECKER, 'verify', fix);
    expect(await w.state(goal)).toBe('pending_verify');
    w.merge(fix);
    expect((await verifyGoal()).data.status).toBe('verified');
    expect(await verifiedAt(tasks)).toEqual(at);
    expect(await Promise.all(tasks.map((task) => w.s.snapshot(task)))).toEqual(events);
    const last = (await movesOf(goal)).map(({ to }) => to).slice(-3);
    expect(last).toEqual(['active', 'pending_verify', 'verified']);
  });

  test('GOAL-63: it does not bounce back by itself while nothing was verified since', async () => {
    const [task = ''] = await three();
    await w.must(LEAD, 'goal', 'reject', goal, '--reason', 'Paying twice is possible');
    // Whatever makes it look again: a link, a task that is given up, somebody who tries.
    const idle = await w.task(goal);
    await w.must(LEAD, 'move', idle, 'abandon', '--reason', 'not needed');
    const early = await verifyGoal();
    expect(early.error.missing.map((m) => m.because).join()).toContain('nothing was verified since');
    expect(await w.state(goal)).toBe('active');
    await w.must(LEAD, 'move', task, 'reopen', '--reason', 'The bug is in here');
    await w.onTo(task, 'in_progress', 'verified');
    expect(await w.state(goal)).toBe('pending_verify');
  });
});

describe('a verified task', () => {
  test('GOAL-70: is reopened for the one who built it, unless somebody else is named', async () => {
    const task = await w.bring(goal, 'verified');
    const same = await w.must(LEAD, 'move', task, 'reopen', '--reason', 'It broke');
    expect(same.data).toMatchObject({ status: 'in_progress', assigned_to: BUILDER });
    const other = await w.bring(goal, 'verified');
    const named = await w.must(LEAD, 'move', other, 'reopen', '--reason', 'It broke', '--to', CHECKER);
    expect(named.data).toMatchObject({ status: 'in_progress', assigned_to: CHECKER });
    const unknown = await w.bring(goal, 'verified');
    const nobody = await w.s.say(LEAD, 'move', unknown, 'reopen', '--reason', 'It broke', '--to', 'nobody');
    expect(nobody.error.code).toBe('gate-closed');
    expect(await w.state(unknown)).toBe('verified');
  });

  test('GOAL-71: goes through submission, approval and verification again', async () => {
    const task = await w.bring(goal, 'verified');
    await w.must(LEAD, 'move', task, 'reopen', '--reason', 'It broke');
    const verify = () => w.s.say(CHECKER, 'verify', task);
    expect((await verify()).error).toMatchObject({ code: 'no-transition', state: 'in_progress' });
    w.build(task);
    await w.submit(task);
    expect((await verify()).error).toMatchObject({ code: 'no-transition', state: 'review' });
    await w.must(LEAD, 'move', task, 'approve');
    expect((await verify()).data.status).toBe('verified');
  });

  test('GOAL-72: its former verification holds no more, and stays in its history as taken back', async () => {
    const task = await w.bring(goal, 'verified');
    const tree = w.s.repo.git('rev-parse', `work-${task}^{tree}`);
    expect((await w.must('', 'show', task)).data.verified_at).toBeDefined();
    await w.must(LEAD, 'move', task, 'reopen', '--reason', 'It breaks on Sundays');
    const shown = await w.must('', 'show', task);
    expect(shown.data.verified_at).toBeUndefined();
    expect(shown.data.proofpack).toBeUndefined();
    expect((await w.status(goal)).tasks[0]).toMatchObject({ status: 'in_progress', tree: '' });
    const past = (await w.must('', 'history', task)).data.verifications as unknown as PastVerification[];
    expect(past).toEqual([
      expect.objectContaining({
        by: CHECKER,
        tree,
        invalidated: expect.objectContaining({ by: LEAD, reason: 'It breaks on Sundays' }),
      }),
    ]);
    expect((await w.s.text('', 'history', task)).out).toContain('reopened by lin: It breaks on Sundays');
    await w.onTo(task, 'in_progress', 'verified');
    const both = (await w.must('', 'show', task)).data.verifications as unknown as PastVerification[];
    expect(both.map(({ invalidated }) => invalidated === undefined)).toEqual([false, true]);
  });

  test('GOAL-69, GOAL-72: reopened in a verified goal it makes that active again, and it shows as a regression', async () => {
    await three();
    await verifyGoal();
    const task = (await w.status(goal)).tasks[0]?.task_id ?? '';
    await w.must(LEAD, 'move', task, 'reopen', '--reason', 'It broke');
    expect(await w.state(goal)).toBe('active');
    const { protocols } = (await w.must('', 'metrics')).data as unknown as {
      protocols: { verifier_misses: number }[];
    };
    expect(protocols.some(({ verifier_misses }) => verifier_misses > 0)).toBe(true);
    await w.onTo(task, 'in_progress', 'verified');
    expect(await w.state(goal)).toBe('pending_verify');
    // The verdict on the old whole says nothing of this one.
    expect((await w.s.say(LEAD, 'move', goal, 'verify-goal')).error.code).toBe('gate-closed');
    w.merge(task);
    expect((await verifyGoal()).data.status).toBe('verified');
  });
});

describe('work that changed after its verdict', () => {
  test('the verdict names its tree, and the goal says what later work changed of it', async () => {
    const first = await w.bring(goal, 'verified');
    w.merge(first);
    const tree = w.s.repo.git('rev-parse', `work-${first}^{tree}`);
    expect(await w.status(goal)).toMatchObject({
      tasks: [{ task_id: first, tree, changed_since: [] }],
      reverify: [],
    });
    // Another task changes the very file that the first verdict was about.
    const second = await w.bring(goal, 'in_progress');
    w.build(second, true, { [`${first}.ts`]: 'changed by the second\n' });
    await w.submit(second);
    await w.onTo(second, 'review', 'verified');
    w.merge(second);
    expect(await w.status(goal)).toMatchObject({ status: 'pending_verify', reverify: [first] });
    const told = await w.s.text('', 'goal', 'status', goal);
    expect(told.out).toContain(`changed since they were verified: ${first} (${first}.ts)`);
    expect(told.out).toContain('verified again with the whole');
    const whole = await verifyGoal();
    expect(whole.data.status).toBe('verified');
    const integrated = (await w.s.events(goal)).find((e) => e.type === 'moved' && e.command === 'integrate');
    expect((integrated as Moved).facts.changed_since).toEqual([
      { task: first, tree, files: [`${first}.ts`] },
    ]);
    // What was judged with the whole is no news; what comes after it is.
    expect(await w.status(goal)).toMatchObject({ status: 'verified', reverify: [] });
    w.s.repo.git('checkout', '-q', 'main');
    w.s.repo.commit({ [`${first}.ts`]: 'changed by nobody\n' }, 'later');
    expect(await w.status(goal)).toMatchObject({ reverify: [first, second] });
  });

  test('work that is not on the default branch yet is named', async () => {
    const tasks = [
      await w.bring(goal, 'verified'),
      await w.bring(goal, 'verified'),
      await w.bring(goal, 'verified'),
    ];
    w.merge(tasks[0] ?? '');
    expect(await w.status(goal)).toMatchObject({ unmerged: tasks.slice(1), reverify: [] });
    expect((await w.s.text('', 'goal', 'status', goal)).out).toContain(
      `not on the default branch yet: ${tasks[1]}, ${tasks[2]}`,
    );
  });

  test('what others brought in before a task was given, or reopened, is none of its work', async () => {
    const filesOf = async (task: string) =>
      ((await w.s.events(task)).findLast((e) => e.type === 'moved' && e.command === 'submit') as Moved).facts
        .files;
    const later = await w.bring(goal, 'pending');
    const first = await w.bring(goal, 'verified');
    w.merge(first);
    w.s.repo.commit({ 'other.ts': 'by others\n' });
    await w.onTo(later, 'pending', 'verified');
    expect(await filesOf(later)).toEqual([`${later}.ts`]);
    w.merge(later);
    await w.must(LEAD, 'move', first, 'reopen', '--reason', 'It broke');
    w.s.repo.git('checkout', '-q', '-b', 'mended', 'main');
    w.s.repo.commit({ [`${first}.ts`]: 'mended\n' });
    w.s.repo.git('checkout', '-q', 'main');
    const words = ['--commit', 'mended', '--arg', 'summary=Mended'];
    await w.must(BUILDER, 'move', first, 'submit', ...words);
    expect(await filesOf(first)).toEqual([`${first}.ts`]);
  });
});
