import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildProgram, inTerminal, type Program } from '../terminal.ts';
import { BUILDER, CHECKER, LEAD, missingOf, openWorkshop, type Workshop } from './workshop.ts';

const ANY = ['builder', 'reviewer', 'verifier'];
const typed = (code: string) => `${code}\r`;

describe('a team of three', () => {
  let w: Workshop;
  let goal: string;
  beforeEach(async () => {
    w = await openWorkshop();
    goal = await w.goal();
  });
  afterEach(() => w.s.close());
  const rejects = (actor: string, task: string) =>
    w.s.say(actor, 'move', task, 'reject-verification', '--reason', 'It breaks');

  test('GOAL-29, GOAL-32: whoever built it neither approves nor verifies it', async () => {
    const task = await w.bring(goal, 'review');
    const approval = await w.s.say(BUILDER, 'move', task, 'approve');
    expect(missingOf(approval)).toContain(`${BUILDER} is the builder`);
    expect(await w.state(task)).toBe('review');
    await w.must(LEAD, 'move', task, 'approve');
    const verdict = await w.s.say(BUILDER, 'verify', task);
    expect(missingOf(verdict)).toContain(`${BUILDER} is the builder`);
    expect(await w.state(task)).toBe('completed');
  });

  test('GOAL-30, GOAL-47: neither does whoever approved it, and each of the two is told their own reason', async () => {
    const task = await w.bring(goal, 'review');
    await w.must(CHECKER, 'move', task, 'approve');
    const approver = missingOf(await w.s.say(CHECKER, 'verify', task));
    expect(approver).toContain(`${CHECKER} is the reviewer`);
    expect(approver).not.toContain('is the builder');
    const builder = missingOf(await w.s.say(BUILDER, 'verify', task));
    expect(builder).toContain(`${BUILDER} is the builder`);
    expect(builder).not.toContain(`${BUILDER} is the reviewer`);
    expect(await w.state(task)).toBe('completed');
  });

  test('GOAL-30: nor does the lead where the lead approved it, with the role of a verifier or without', async () => {
    const task = await w.bring(goal, 'completed');
    expect((await w.s.say(LEAD, 'verify', task)).code).not.toBe(0);
    await w.roles(LEAD, 'lead', 'verifier');
    expect(missingOf(await w.s.say(LEAD, 'verify', task))).toContain(`${LEAD} is the reviewer`);
    expect(await w.state(task)).toBe('completed');
  });

  test('GOAL-31: builder, reviewer and verifier are three: any two roles on one agent are refused', async () => {
    for (const [reviewer, verifier, reason] of [
      [BUILDER, CHECKER, `${BUILDER} is the builder`],
      [CHECKER, BUILDER, `${BUILDER} is the builder`],
      [CHECKER, CHECKER, `${CHECKER} is the reviewer`],
    ] as const) {
      const task = await w.bring(goal, 'review');
      const approval = await w.s.say(reviewer, 'move', task, 'approve');
      const last = approval.code === 0 ? await w.s.say(verifier, 'verify', task) : approval;
      expect(missingOf(last)).toContain(reason);
      expect(await w.state(task)).not.toBe('verified');
    }
    const task = await w.bring(goal, 'verified');
    const { tasks } = await w.status(goal);
    expect(tasks.find(({ task_id }) => task_id === task)).toMatchObject({ weak: false });
  });

  test('GOAL-45, GOAL-47: nor may they reject it then; those who might verify it may, and a lead who may not is none', async () => {
    const task = await w.bring(goal, 'completed');
    for (const [actor, what] of [
      [LEAD, 'as long as there are 3 independent agents'],
      [BUILDER, `${BUILDER} is the builder`],
    ] as const)
      expect(missingOf(await rejects(actor, task))).toContain(what);
    await w.roles(LEAD, 'lead', 'verifier');
    expect(missingOf(await rejects(LEAD, task))).toContain(`${LEAD} is the reviewer`);
    expect(await w.state(task)).toBe('completed');
    expect((await rejects(CHECKER, task)).data.status).toBe('in_progress');
  });

  test('GOAL-33: whoever verifies wears the hat of a tester; the rule of it that they break is named', async () => {
    const task = await w.bring(goal, 'review');
    await w.must(CHECKER, 'move', task, 'approve');
    const refused = await w.s.say(CHECKER, 'verify', task);
    expect(missingOf(refused)).toContain('the rule reviewer-tester forbids tester');
  });
});

test('GOAL-33: which hats clash is the project’s to say', async () => {
  const w = await openWorkshop({ config: 'hats: [[lead, tester], [builder, tester]]\n' });
  const goal = await w.goal();
  await w.roles(LEAD, 'lead', 'verifier');
  const task = await w.bring(goal, 'review');
  await w.must(CHECKER, 'move', task, 'approve');
  // The lead, who assigned it, wears that hat on it; by the hats that hold elsewhere nothing would keep them.
  const refused = await w.s.say(LEAD, 'verify', task);
  expect(missingOf(refused)).toContain('the rule lead-tester forbids tester');
  expect(await w.state(task)).toBe('completed');
  w.s.close();
});

describe('a small team', () => {
  test('GOAL-80, GOAL-81, GOAL-82: one builder and a lead: the lead approves and verifies, the builder never, and it shows', async () => {
    const w = await openWorkshop({ agents: { [LEAD]: ['lead'], [BUILDER]: ANY } });
    const goal = await w.goal();
    const task = await w.bring(goal, 'completed');
    const own = await w.s.say(BUILDER, 'verify', task);
    expect(missingOf(own)).toContain(`${BUILDER} is the builder`);
    expect(await w.state(task)).toBe('completed');
    expect((await w.must(LEAD, 'verify', task)).data.status).toBe('verified');
    expect((await w.status(goal)).tasks).toMatchObject([{ task_id: task, weak: true }]);
    expect((await w.s.text('', 'goal', 'status', goal)).out).toContain('weakly verified');
    w.s.close();
  });

  test('GOAL-80, GOAL-81: the lead who approved it rejects it as they might verify it; others do not make a team larger', async () => {
    const agents = { [LEAD]: ['lead'], [BUILDER]: ANY, other: ['specialist'], third: ['cto'] };
    const w = await openWorkshop({ agents });
    const goal = await w.goal();
    const task = await w.bring(goal, 'completed');
    const back = await w.s.say(LEAD, 'move', task, 'reject-verification', '--reason', 'It breaks');
    expect(back.data.status).toBe('in_progress');
    await w.onTo(task, 'in_progress', 'completed');
    expect((await w.must(LEAD, 'verify', task)).data.status).toBe('verified');
    expect((await w.status(goal)).tasks[0]).toMatchObject({ weak: true });
    w.s.close();
  });

  test('GOAL-81, GOAL-29: two who may do anything: the reviewer verifies too, the builder does not', async () => {
    const w = await openWorkshop({ agents: { [BUILDER]: ANY, [CHECKER]: ANY }, ownerRoles: ['lead'] });
    const goal = (await w.must('', 'goal', 'create', 'A shop')).data.id;
    const task = (await w.must('', 'add', 'A piece', '--goal', goal)).data.id;
    await w.must('', 'move', task, 'assign', '--to', BUILDER);
    await w.must(BUILDER, 'start', task);
    w.build(task);
    await w.submit(task);
    expect(missingOf(await w.s.say(BUILDER, 'move', task, 'approve'))).toContain('is the builder');
    await w.must(CHECKER, 'move', task, 'approve');
    expect(missingOf(await w.s.say(BUILDER, 'verify', task))).toContain('is the builder');
    expect((await w.must(CHECKER, 'verify', task)).data.status).toBe('verified');
    expect((await w.status(goal)).tasks[0]).toMatchObject({ weak: true });
    w.s.close();
  });

  test('GOAL-82: the mark is of that verification alone: a team of three takes it back with the next one', async () => {
    const w = await openWorkshop({ agents: { [LEAD]: ['lead'], [BUILDER]: ANY } });
    const goal = await w.goal();
    const task = await w.bring(goal, 'completed');
    await w.must(LEAD, 'verify', task);
    await w.s.register(CHECKER, ANY);
    await w.must(LEAD, 'move', task, 'reopen', '--reason', 'It broke');
    expect((await w.status(goal)).tasks[0]).toMatchObject({ weak: false });
    await w.onTo(task, 'in_progress', 'verified');
    expect((await w.status(goal)).tasks[0]).toMatchObject({ weak: false });
    w.s.close();
  });

  test('GOAL-82, GOAL-29: helpers without a role and children of the builder make a team no larger', async () => {
    const w = await openWorkshop({ agents: { [LEAD]: ['lead'], [BUILDER]: ANY } });
    await w.s.register('minion', [], BUILDER);
    await w.s.register('child', ['verifier'], BUILDER);
    const goal = await w.goal();
    const task = await w.bring(goal, 'completed');
    expect(missingOf(await w.s.say('child', 'verify', task))).toContain('lineage of the builder');
    await w.must(LEAD, 'verify', task);
    expect((await w.status(goal)).tasks[0]).toMatchObject({ weak: true });
    w.s.close();
  });
});

describe('a person', () => {
  let program: Program;
  let w: Workshop;
  beforeAll(() => {
    program = buildProgram();
  });
  afterAll(() => program.remove());
  beforeEach(async () => {
    w = await openWorkshop();
    w.s.at(new Date(Date.now() - 3_600_000).toISOString());
  });
  afterEach(() => w.s.close());

  test('GOAL-30, GOAL-31: who approved a task as a person does not verify it among three; who did not, does', async () => {
    const goal = await w.goal();
    const task = await w.bring(goal, 'review');
    expect((await inTerminal(program, w.s, ['move', task, 'approve'], typed)).code).toBe(0);
    const refused = await inTerminal(program, w.s, ['verify', task, '--confirm'], typed);
    expect(refused.code).not.toBe(0);
    expect(refused.out).toContain('is the reviewer');
    expect(await w.state(task)).toBe('completed');
    const other = await w.bring(goal, 'completed');
    expect((await inTerminal(program, w.s, ['verify', other, '--confirm'], typed)).code).toBe(0);
    expect((await w.status(goal)).tasks).toMatchObject([{ status: 'completed' }, { weak: false }]);
  });

  test('GOAL-81, GOAL-82: alone with one agent they approve and verify, and it is marked as weaker', async () => {
    await w.must('', 'actor', 'retire', CHECKER);
    await w.must('', 'actor', 'retire', LEAD);
    await w.must('', 'actor', 'roles', 'ada', '--role', 'lead');
    const goal = (await w.must('', 'goal', 'create', 'A shop')).data.id;
    const task = (await w.must('', 'add', 'A piece', '--goal', goal)).data.id;
    await w.must('', 'move', task, 'assign', '--to', BUILDER);
    await w.must(BUILDER, 'start', task);
    w.build(task);
    await w.submit(task);
    await w.must('', 'move', task, 'approve');
    expect(missingOf(await w.s.say(BUILDER, 'verify', task))).toContain('is the builder');
    expect((await inTerminal(program, w.s, ['verify', task, '--confirm'], typed)).code).toBe(0);
    expect((await w.status(goal)).tasks).toMatchObject([{ status: 'verified', weak: true }]);
  });

  test('GOAL-38, GOAL-40: without the role of the lead they verify a goal only with their word at the terminal, twice', async () => {
    const goal = await w.goal();
    w.merge(await w.bring(goal, 'verified'));
    const words = ['goal', 'verify', goal, '--notes', 'Bought a thing'];
    expect((await w.s.say('', ...words)).code).not.toBe(0);
    const prompts: number[] = [];
    const answer = await inTerminal(program, w.s, words, (code, n) => {
      prompts.push(n);
      return typed(code);
    });
    expect([answer.code, prompts]).toEqual([0, [1, 2]]);
    expect(await w.state(goal)).toBe('verified');
    expect((await w.must('', 'show', goal)).data.accountability).toMatchObject({
      ...{ requested_by: 'ada', independence: 'human' },
    });
  });
});
