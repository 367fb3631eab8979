import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findRow, itemStream } from '../../src/engine/handle.ts';
import { eventOf } from '../../src/engine/stored.ts';
import type { ItemEvent, Moved } from '../../src/kernel/event.ts';
import { expand } from '../../src/kernel/protocol.ts';
import { goal as table } from '../../src/protocols/goal.ts';
import { BUILDER, CHECKER, LEAD, missingOf, openWorkshop, type Workshop } from './workshop.ts';

let w: Workshop;
let goal: string;
beforeEach(async () => {
  w = await openWorkshop();
  goal = await w.goal();
});
afterEach(() => w.s.close());

const NOTES = ['--notes', 'Bought a thing from end to end'];
const moved = async (ref: string) => (await w.s.events(ref)).filter((e): e is Moved => e.type === 'moved');
/** The write in which an item first came to a state. */
const writeOf = (ref: string, state: string) =>
  w.s.with(async ({ ports }) => {
    const { id } = await findRow(ports, ref);
    const stored = await ports.store.read(itemStream(id));
    return stored.find((e) => {
      const event = eventOf<ItemEvent>(e);
      return event.type === 'moved' && event.to === state;
    })?.command;
  });

describe('a goal', () => {
  test('GOAL-19, GOAL-27: it is open while no task has been started, and never asks for its verification empty', async () => {
    expect(await w.state(goal)).toBe('open');
    const early = await w.s.say(LEAD, 'goal', 'verify', goal, ...NOTES);
    expect(missingOf(early)).toContain('the goal has no tasks');
    const task = await w.bring(goal, 'assigned');
    expect(await w.state(goal)).toBe('open');
    // Recomputed with its only task gone it is still what it was.
    await w.must(LEAD, 'move', task, 'abandon', '--reason', 'not wanted');
    expect(await w.state(goal)).toBe('open');
    const empty = await w.s.say(LEAD, 'goal', 'verify', goal, ...NOTES);
    expect(missingOf(empty)).toContain('every task of it was abandoned');
    await w.must(LEAD, 'move', goal, 'unlink', '--arg', `task=${task}`, '--reason', 'not wanted');
    expect(await w.state(goal)).toBe('open');
  });

  test('GOAL-20, GOAL-23: it is active as soon as a task is started, by the same write', async () => {
    const task = await w.bring(goal, 'assigned');
    await w.bring(goal, 'assigned');
    await w.must(BUILDER, 'start', task);
    expect(await w.state(goal)).toBe('active');
    const [only, ...more] = await moved(goal).then((all) => all.filter(({ from, to }) => from !== to));
    expect(only).toMatchObject({ from: 'open', to: 'active', by: 'engine', command: '' });
    expect(more).toEqual([]);
    const write = await writeOf(goal, 'active');
    expect(write).toBeDefined();
    expect(write).toBe(await writeOf(task, 'in_progress'));
  });

  test('GOAL-21, GOAL-24: it waits for its own verification once the last task is verified, by the same write', async () => {
    const tasks: string[] = [];
    for (const _ of [1, 2, 3]) tasks.push(await w.bring(goal, 'completed'));
    for (const task of tasks) {
      expect(await w.state(goal)).toBe('active');
      await w.must(CHECKER, 'verify', task);
    }
    expect(await w.state(goal)).toBe('pending_verify');
    const steps = (await moved(goal)).filter(({ from, to }) => from !== to);
    expect(steps.map(({ to, by }) => [to, by])).toEqual([
      ['active', 'engine'],
      ['pending_verify', 'engine'],
    ]);
    expect(await writeOf(goal, 'pending_verify')).toBe(await writeOf(tasks[2] ?? '', 'verified'));
  });

  test('GOAL-03, GOAL-28: before every task is verified it cannot be, and the refusal names each that is not', async () => {
    const done = await w.bring(goal, 'verified');
    const open = await w.bring(goal, 'completed');
    const idle = await w.bring(goal, 'pending');
    const refused = await w.s.say(LEAD, 'goal', 'verify', goal, ...NOTES);
    expect(refused.error).toMatchObject({ code: 'no-transition', state: 'active' });
    const said = missingOf(refused);
    expect(said).toContain(`${open} is completed, with ${BUILDER}`);
    expect(said).toContain(`${idle} is pending`);
    expect(said).not.toContain(`${done} is verified`);
    // All of it at once: the work that is not merged is named too.
    expect(said).toContain(`the work of ${done} is not on the default branch`);
    for (const command of ['verify-goal', 'reject-goal', 'integrate']) {
      const tried = await w.s.say(LEAD, 'move', goal, command, '--reason', 'x', '--arg', 'notes=x');
      expect([command, tried.error.code]).toEqual([command, 'no-transition']);
    }
    expect(await w.state(goal)).toBe('active');
  });

  test('GOAL-22, GOAL-25, GOAL-46: the lead confirms the whole with notes: verified', async () => {
    const task = await w.bring(goal, 'verified');
    w.merge(task);
    const noteless = await w.s.say(LEAD, 'goal', 'verify', goal, '--notes', '  ');
    expect(noteless.error).toMatchObject({ code: 'bad-arguments', state: 'pending_verify' });
    const verified = await w.s.say(LEAD, 'goal', 'verify', goal, ...NOTES);
    expect(verified.data).toMatchObject({ status: 'verified', verdict: 'PASSED' });
    const integrated = (await moved(goal)).find(({ command }) => command === 'integrate');
    expect(integrated).toMatchObject({ by: LEAD, arguments: { notes: NOTES[1] } });
    expect(await w.state(goal)).toBe('verified');
  });

  test('GOAL-26, GOAL-73: the lead sends it back with a reason, which is kept: active again', async () => {
    const task = await w.bring(goal, 'verified');
    w.merge(task);
    expect((await w.s.say(LEAD, 'goal', 'reject', goal, '--reason', ' ')).error.code).toBe('bad-arguments');
    const back = await w.s.say(LEAD, 'goal', 'reject', goal, '--reason', 'The cart forgets what is in it');
    expect(back.data.status).toBe('active');
    expect(await w.status(goal)).toMatchObject({
      status: 'active',
      rejected: 'The cart forgets what is in it',
    });
  });

  test('what is given up or verified lacks nothing that would help', async () => {
    const other = await w.goal('Another');
    await w.bring(other, 'pending');
    await w.must(LEAD, 'move', other, 'cancel', '--reason', 'Nobody wants it');
    const task = await w.bring(goal, 'verified');
    w.merge(task);
    await w.must(LEAD, 'goal', 'verify', goal, ...NOTES);
    for (const [ref, says] of [
      [other, 'cancelled is final'],
      [goal, 'does not lead out of verified'],
    ] as const) {
      const refused = await w.s.say(LEAD, 'goal', 'verify', ref, ...NOTES);
      expect(refused.error.message).toContain(says);
      expect(refused.error.missing).toEqual([]);
    }
  });

  test('GOAL-28: of all pairs of its states the table has those that are listed, and the way to give it up', () => {
    const states = ['open', 'active', 'pending_verify', 'verified'];
    const pairs = states.flatMap((from) =>
      states
        .filter((to) => table.rows.some((row) => row.to === to && expand(table, row.from).includes(from)))
        .map((to) => `${from} ${to}`),
    );
    expect(pairs).toEqual([
      'open active',
      'active pending_verify',
      'pending_verify active',
      'pending_verify verified',
      'verified active',
    ]);
  });
});

describe('who verifies a goal', () => {
  let ready: string;
  beforeEach(async () => {
    ready = await w.bring(goal, 'verified');
    w.merge(ready);
  });

  test('GOAL-38, GOAL-49: nobody but the lead does', async () => {
    const before = await w.s.snapshot(goal);
    for (const other of [BUILDER, CHECKER]) {
      const refused = await w.s.say(other, 'goal', 'verify', goal, ...NOTES);
      expect(refused.error).toMatchObject({ code: 'wrong-role', state: 'pending_verify' });
      expect((await w.s.say(other, 'verify', goal)).error.code).toBe('wrong-role');
      expect((await w.s.say(other, 'goal', 'reject', goal, '--reason', 'no')).error.code).toBe('wrong-role');
    }
    expect(await w.s.snapshot(goal)).toBe(before);
  });

  test('GOAL-40: it is not handed on: no command takes a delegate, and the role goes to one agent at a time', async () => {
    for (const command of ['assign', 'reassign-checker', 'reassign-builder', 'delegate'])
      expect((await w.s.say(LEAD, 'move', goal, command, '--to', CHECKER, '--reason', 'you')).code).not.toBe(
        0,
      );
    const child = await w.s.say(LEAD, 'actor', 'add', 'deputy', '--role', 'lead', '--parent', LEAD);
    expect(child.error.message).toContain(`${LEAD} is the lead`);
    // A child without the role is refused for want of it.
    await w.s.register('errand', [], LEAD);
    expect((await w.s.say('errand', 'goal', 'verify', goal, ...NOTES)).error.code).toBe('wrong-role');
    const second = await w.s.say('', 'actor', 'roles', CHECKER, '--role', 'lead');
    expect(second.error.message).toContain('one agent is at a time');
    expect((await w.roles(LEAD)).data.roles).toEqual([]);
    expect((await w.roles(CHECKER, 'lead')).code).toBe(0);
    expect((await w.s.say(LEAD, 'goal', 'verify', goal, ...NOTES)).error.code).toBe('wrong-role');
    expect((await w.s.say(CHECKER, 'goal', 'verify', goal, ...NOTES)).data.status).toBe('verified');
    // Who led when stands in the log.
    const changes = await w.s.with(
      async ({ ports }) =>
        (await ports.store.read('roster')).filter(({ body }) => body.includes('"roles-changed"')).length,
    );
    expect(changes).toBeGreaterThanOrEqual(2);
  });

  test('GOAL-58: whoever approved its tasks leads it all the same, and judging the whole verifies no task', async () => {
    const events = (await w.s.events(ready)).length;
    expect((await w.s.say(LEAD, 'goal', 'verify', goal, ...NOTES)).data.status).toBe('verified');
    const approvals = (await moved(ready)).filter(({ command }) => command === 'approve');
    expect(approvals.map(({ by }) => by)).toEqual([LEAD]);
    expect((await w.s.events(ready)).length).toBe(events);
  });
});

describe('evidence of the whole', () => {
  test('GOAL-39: verified tasks and notes are not enough: the checks run on the commit that holds the whole', async () => {
    const task = await w.bring(goal, 'verified');
    // Nothing was integrated: neither the step itself nor the plain verification goes through.
    expect((await w.s.say(LEAD, 'move', goal, 'verify-goal')).error.code).toBe('gate-closed');
    expect((await w.s.say(LEAD, 'verify', goal)).code).not.toBe(0);
    const unmerged = await w.s.say(LEAD, 'goal', 'verify', goal, ...NOTES);
    expect(missingOf(unmerged)).toContain(`the work of ${task} is not in`);
    w.merge(task);
    const head = w.s.repo.git('rev-parse', 'main');
    const verified = await w.must(LEAD, 'goal', 'verify', goal, ...NOTES);
    expect(verified.data).toMatchObject({ status: 'verified' });
    const shown = await w.must('', 'show', goal);
    expect(shown.data.accountability).toMatchObject({ commit: head, requested_by: LEAD });
    const pack = (await w.s.events(goal)).find((e) => e.type === 'recorded' && e.kind === 'proof-pack');
    expect(pack).toMatchObject({ by: 'engine', outcome: 'PASSED' });
  });

  test('GOAL-39: where the whole fails its checks the goal goes back, whatever the notes say', async () => {
    const task = await w.bring(goal, 'verified');
    w.merge(task);
    w.s.repo.commit({ 'work.txt': 'broken by the merge\n' });
    const failed = await w.s.say(LEAD, 'goal', 'verify', goal, ...NOTES);
    expect(failed.code).toBe(4);
    expect(failed.data).toMatchObject({ status: 'active', verdict: 'BLOCKED' });
    expect(await w.state(task)).toBe('verified');
  });

  test('GOAL-39: a commit that is not on the default branch is no whole', async () => {
    const task = await w.bring(goal, 'verified');
    const side = await w.s.say(LEAD, 'goal', 'verify', goal, ...NOTES, '--commit', `work-${task}`);
    expect(missingOf(side)).toContain('not in the history of the default branch');
  });
});
