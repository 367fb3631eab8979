import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Faces, facesOf } from '../journeys/faces.ts';
import { bringGoal, bringTask, GOAL_TEAM, merge } from '../journeys/goal-states.ts';
import { openSession, type Session } from '../session.ts';
import { type Answered, type Talk, talk } from './in-memory.ts';

// What takes work back, through the tools of the profile goals.
let s: Session;
let faces: Faces;
const talks = new Map<string, Talk>();
beforeAll(async () => {
  s = await openSession({ agents: { ...GOAL_TEAM, allrounder: ['builder', 'reviewer', 'verifier'] } });
  await s.register('minion', ['builder', 'verifier'], 'allrounder');
  faces = await facesOf(s, [], 'goals');
  for (const actor of [...Object.keys(GOAL_TEAM), 'allrounder', 'minion'])
    talks.set(actor, await talk(s, actor, 'goals', true));
});
afterAll(async () => {
  for (const { close } of talks.values()) await close();
  await faces.close();
  s.close();
});

const call = (actor: string, tool: string, input: Record<string, unknown> = {}): Promise<Answered> =>
  (talks.get(actor) as Talk).call(tool, input);
/** A call that must be taken; its answer. */
async function done(actor: string, tool: string, input: Record<string, unknown>): Promise<Answered> {
  const answer = await call(actor, tool, input);
  expect(answer.isError, answer.text).toBe(false);
  return answer;
}
const stateOf = (id: string) => faces.state(id);

describe('rejections', () => {
  test('GOAL-14, GOAL-45, GOAL-48, GOAL-60: need a reason that says something, and reach the builder', async () => {
    const id = await bringTask(s, faces, 'completed');
    for (const reason of ['', '   '])
      expect((await call('verifier', 'reject_verification', { task_id: id, reason })).data).toMatchObject({
        ok: false,
        code: 'bad-arguments',
      });
    expect((await call('verifier', 'reject_verification', { task_id: id })).isError).toBe(true);
    expect(await stateOf(id)).toBe('completed');
    await done('verifier', 'reject_verification', { task_id: id, reason: 'Empty names are accepted' });
    expect(await stateOf(id)).toBe('in_progress');
    const shown = await call('builder', 'item_show', { item: id });
    expect(shown.data.messages).toMatchObject([
      { to: 'builder', text: expect.stringContaining('Empty names') },
    ]);
    expect(shown.text).toContain('to builder: ');
    expect(shown.data.briefing).toMatchObject({
      failures: [{ by: 'verifier', reason: 'Empty names are accepted' }],
    });
    const review = await bringTask(s, faces, 'review');
    expect((await call('reviewer', 'reject_task', { task_id: review, reason: ' ' })).isError).toBe(true);
    await done('reviewer', 'reject_task', { task_id: review, reason: 'No tests' });
    expect(await stateOf(review)).toBe('in_progress');
  });

  test('GOAL-36: the second one is told to the lead, whose triage goes on by item_move', async () => {
    const ways = [
      ['reassign-builder', { to: 'other-builder' }, 'other-builder'],
      ['reassign-checker', { to: 'verifier' }, 'builder'],
      ['intervene', {}, 'lead'],
    ] as const;
    for (const [command, to, assignee] of ways) {
      const item = await bringTask(s, faces, 'escalated');
      const { data } = await call('lead', 'item_show', { item });
      expect(data.messages).toContainEqual({
        to: 'lead',
        item,
        text: expect.stringContaining('rejected twice, by verifier; escalation required'),
      });
      expect(data.next).toContainEqual(
        expect.objectContaining({
          by: 'you',
          tool: 'item_move',
          arguments: expect.objectContaining({ command }),
        }),
      );
      const inbox = await (talks.get('lead') as Talk).client.readResource({ uri: 'countersign://inbox' });
      expect((inbox.contents[0] as { text: string }).text).toContain(
        `${item} Build the part: verification rejected`,
      );
      await done('lead', 'item_move', { item, command, reason: 'triage', ...to });
      expect((await s.say('', 'show', item)).data.assigned_to).toBe(assignee);
    }
  });

  test('GOAL-62, GOAL-73, GOAL-74: a goal goes back, its tasks stay verified, and a new one brings it on', async () => {
    const goal_id = await bringGoal(s, faces, 'pending_verify');
    const { data } = await call('lead', 'goal_status', { goal_id });
    const [old] = data.tasks as readonly { task_id: string }[];
    const before = await s.snapshot(old?.task_id ?? '');
    expect((await call('lead', 'reject_goal', { goal_id })).isError).toBe(true);
    const rejected = await done('lead', 'reject_goal', { goal_id, reason: 'The parts do not fit' });
    expect(rejected.data.item?.status).toBe('active');
    expect((await call('lead', 'goal_status', { goal_id })).data).toMatchObject({
      rejected: 'The parts do not fit',
      counts: { verified: 1 },
    });
    await bringTask(s, faces, 'verified', goal_id);
    expect(await stateOf(goal_id)).toBe('pending_verify');
    expect(await s.snapshot(old?.task_id ?? '')).toBe(before);
    merge(s);
    const again = await done('lead', 'verify_goal', { goal_id, notes: 'They fit now' });
    expect(again.data.item?.status).toBe('verified');
  });
});

describe('reopen_task', () => {
  test('GOAL-69, GOAL-70, GOAL-71: its builder has it again, and the way is the whole way', async () => {
    const id = await bringTask(s, faces, 'verified');
    await done('lead', 'reopen_task', { task_id: id, reason: 'It broke again' });
    expect((await s.say('', 'show', id)).data).toMatchObject({
      status: 'in_progress',
      assigned_to: 'builder',
    });
    expect((await call('verifier', 'verify_task', { task_id: id })).data).toMatchObject({
      code: 'no-transition',
    });
    const other = await bringTask(s, faces, 'verified');
    await done('lead', 'reopen_task', { task_id: other, reason: 'It broke', assign_to: 'other-builder' });
    expect((await s.say('', 'show', other)).data.assigned_to).toBe('other-builder');
    expect((await call('verifier', 'reopen_task', { task_id: other, reason: 'x' })).isError).toBe(true);
  });
});
