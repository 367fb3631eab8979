import { afterEach, describe, expect, test } from 'vitest';
import { handsOf } from '../mcp/hands.ts';
import { BUILDER, CHECKER, LEAD, openWorkshop, SOUND, type Workshop } from './workshop.ts';

// What is told of goals and their tasks: how sure a verdict is, who built it, and whether it still holds.
const ANY = ['builder', 'reviewer', 'verifier'];
const NOTES = ['--notes', 'Bought a thing from end to end'];
let w: Workshop;
afterEach(() => w.s.close());
const seen = async (...words: readonly string[]) => (await w.s.text(LEAD, ...words)).out;

/** A verified goal with one task, and the answers of the two verifications. */
async function verifiedGoal(by: string) {
  const goal = await w.goal();
  const task = await w.bring(goal, 'completed');
  const verified = await w.must(by, 'verify', task);
  w.merge(task);
  const whole = await w.must(LEAD, 'goal', 'verify', goal, ...NOTES);
  return { goal, task, verified, whole };
}

describe('a pass of a team too small for three pairs of eyes', () => {
  test('GOAL-82: is marked wherever the task and its goal are told, and in their data', async () => {
    w = await openWorkshop({ agents: { [LEAD]: ['lead'], [BUILDER]: ANY } });
    const { goal, task, verified, whole } = await verifiedGoal(LEAD);
    expect(verified.data).toMatchObject({ id: task, weak: true });
    expect(whole.data).toMatchObject({ id: goal, status: 'verified', weak: true, weak_tasks: [task] });
    expect((await w.s.say(LEAD, 'show', task)).data).toMatchObject({ weak: true });
    expect((await w.s.say(LEAD, 'show', goal)).data).toMatchObject({ weak: true, weak_tasks: [task] });
    const { items } = (await w.s.say(LEAD, 'list')).data;
    expect(items).toMatchObject([
      { id: goal, weak: true },
      { id: task, weak: true },
    ]);
    expect(await seen('show', task)).toMatch(/^standing .*, weakly: the team is too small/m);
    expect(await seen('show', goal)).toContain(`rests on weakly verified tasks: ${task}`);
    expect(await seen('list')).toMatch(/, weak .*\n.*, weak /);
    expect((await w.status(goal)).weak).toBe(true);
    expect(await seen('goal', 'status', goal)).toContain('verified on tasks that are weakly verified');
    const hands = await handsOf(w.s, 'goals', [LEAD]);
    expect((await hands.call(LEAD, 'item_show', { item: goal })).data.item).toMatchObject({
      weak_tasks: [task],
    });
    expect((await hands.call(LEAD, 'item_show', { item: task })).text).toContain('weakly');
    const listed = await hands.call(LEAD, 'item_list');
    expect(listed.data.items).toMatchObject([{ weak: true }, { weak: true }]);
    expect(listed.text).toContain('weakly verified');
    expect((await hands.call(LEAD, 'goal_status', { goal_id: goal })).data).toMatchObject({ weak: true });
    await hands.close();
    const core = await handsOf(w.s, 'core', [LEAD]);
    const other = await w.bring(await w.goal(), 'completed');
    const answer = await core.call(LEAD, 'item_verify', { item: other });
    expect(answer.data.item).toMatchObject({ status: 'verified', weak: true });
    expect(answer.text).toContain('weakly');
    await core.close();
  });

  test('GOAL-82: a team of three leaves no mark anywhere', async () => {
    w = await openWorkshop();
    const { goal, task, verified, whole } = await verifiedGoal(CHECKER);
    for (const { data } of [verified, whole]) expect(data).not.toHaveProperty('weak');
    for (const words of [['show', task], ['show', goal], ['list'], ['goal', 'status', goal]])
      expect(await seen(...words), words.join(' ')).not.toContain('weak');
  });
});

describe('who built a goal, and whether it holds', () => {
  test('it is implemented by those who built its tasks, and claimed by its lead', async () => {
    w = await openWorkshop();
    const { goal } = await verifiedGoal(CHECKER);
    const { accountability } = (await w.s.say(LEAD, 'show', goal)).data;
    expect(accountability).toMatchObject({ implemented_by: BUILDER, claimed_by: LEAD, requested_by: LEAD });
    expect(await seen('show', goal)).toContain(`implemented by  ${BUILDER}\n`);
  });

  test('GOAL-72: a verification that a reopened task took back stays, marked as invalid, with why', async () => {
    w = await openWorkshop();
    const { goal, task } = await verifiedGoal(CHECKER);
    expect(await seen('show', goal)).not.toContain('invalid since');
    await w.must(LEAD, 'move', task, 'reopen', '--reason', 'The total is off by one');
    expect(await w.state(goal)).toBe('active');
    const told = await seen('show', goal);
    expect(told).toContain(`verified by ${LEAD} at `);
    expect(told).toMatch(
      new RegExp(`invalid since \\S+: ${task} reopened by ${LEAD}: The total is off by one`),
    );
    expect((await w.s.say(LEAD, 'show', goal)).data.verifications).toMatchObject([
      { by: LEAD, invalidated: { by: LEAD, task, reason: 'The total is off by one' } },
    ]);
  });

  test('a whole that fails is no false claim of its lead, and a task that fails is one of its builder', async () => {
    w = await openWorkshop({ files: SOUND });
    const goal = await w.goal();
    const task = await w.bring(goal, 'completed', { good: false });
    await w.s.say(CHECKER, 'verify', task);
    await w.onTo(task, 'in_progress', 'verified');
    w.merge(task);
    w.s.repo.commit({ 'work.txt': 'begun\n' });
    expect((await w.s.say(LEAD, 'goal', 'verify', goal, ...NOTES)).data.status).toBe('active');
    const { claims } = (await w.s.say(LEAD, 'metrics')).data as unknown as { claims: readonly object[] };
    expect(claims).toEqual([
      {
        ...{ protocol: 'goal-task', agent: BUILDER, claims: 2, passed: 1, refused: 1 },
        ...{ inconclusive: 0, false_claim_rate: 0.5 },
      },
    ]);
  });
});
