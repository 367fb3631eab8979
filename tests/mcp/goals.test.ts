import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RefusalEvent, refusalStream, UNOPENED_ID } from '../../src/engine/refuse.ts';
import { eventOf } from '../../src/engine/stored.ts';
import type { StoredEvent } from '../../src/store/store.ts';
import { type Faces, facesOf } from '../journeys/faces.ts';
import { bringGoal, bringTask, GOAL_TEAM, merge } from '../journeys/goal-states.ts';
import { workOn } from '../journeys/lifecycle-states.ts';
import { openSession, type Session } from '../session.ts';
import { type Answered, type Talk, talk } from './in-memory.ts';

// The tools of the profile goals, each as its document says it.
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

describe('the simple flow of three agents', () => {
  test('GOAL-41, GOAL-42, GOAL-44, GOAL-46, GOAL-51..54, GOAL-56: by the calls of the document, to the end', async () => {
    const goal = await done('lead', 'create_goal', { creator: 'lead', title: 'Build login page' });
    const goal_id = String(goal.data.goal_id);
    expect(goal_id).toMatch(/^GOAL-\d+$/);
    expect(await stateOf(goal_id)).toBe('open');
    const made = { creator: 'lead', title: 'Create login form component', assign_to: 'builder' };
    const task = await done('lead', 'create_task', made);
    const task_id = String(task.data.task_id);
    expect(task.data.item?.status).toBe('assigned');
    for (const wrong of [
      { task_id: 'T-9999', goal_id },
      { task_id, goal_id: '9999' },
    ])
      expect((await call('lead', 'link_task_to_goal', wrong)).isError).toBe(true);
    await done('lead', 'link_task_to_goal', { task_id, goal_id });
    expect((await done('lead', 'goal_status', { goal_id })).data.tasks).toMatchObject([{ task_id }]);
    const begun = await done('builder', 'update_task', {
      agent_name: 'builder',
      task_id,
      status: 'in_progress',
    });
    expect(begun.data.item?.status).toBe('in_progress');
    expect(await stateOf(goal_id)).toBe('active');
    workOn(s);
    const words = { summary: 'Built form with validation', files_changed: 'work.txt, login.css' };
    const handed = await done('builder', 'submit_for_review', { agent_name: 'builder', task_id, ...words });
    expect(handed.data.item?.status).toBe('review');
    // What the commit does not hold is said at once; what counts is what git finds.
    expect(handed.text).toContain('login.css is no change of this commit');
    const submitted = (await s.events(task_id)).findLast((e) => e.type === 'moved' && e.command === 'submit');
    expect(submitted).toMatchObject({
      arguments: { summary: 'Built form with validation', files_changed: 'work.txt\nlogin.css' },
      facts: { files: ['work.txt'] },
    });
    expect((await done('reviewer', 'approve_task', { task_id })).data.item?.status).toBe('completed');
    const seen = { agent_name: 'verifier', task_id, notes: 'Form renders correctly, validation works' };
    const verified = await done('verifier', 'verify_task', seen);
    expect(verified.data).toMatchObject({ verdict: 'PASSED', item: { status: 'verified' } });
    const verdict = (await s.events(task_id)).findLast((e) => e.type === 'moved' && e.to === 'verified');
    expect(verdict).toMatchObject({ by: 'verifier', arguments: { notes: seen.notes } });
    expect(await stateOf(goal_id)).toBe('pending_verify');
    merge(s);
    const whole = { agent_name: 'lead', goal_id, notes: 'Signed in end to end' };
    expect((await done('lead', 'verify_goal', whole)).data).toMatchObject({
      verdict: 'PASSED',
      item: { status: 'verified' },
    });
    expect((await s.say('', 'audit', 'verify')).code).toBe(0);
  });
});

describe('goal_status', () => {
  test('GOAL-43, GOAL-50: tells every task, and counts them by state', async () => {
    const goal_id = await bringGoal(s, faces, 'open');
    const states = [
      'pending',
      'assigned',
      'in_progress',
      'review',
      'completed',
      'verified',
      'abandoned',
    ] as const;
    for (const state of states) await bringTask(s, faces, state, goal_id);
    const { data, text } = await call('bystander', 'goal_status', { goal_id });
    expect((data.tasks as readonly { status: string }[]).map(({ status }) => status)).toEqual(states);
    expect(data.counts).toEqual(Object.fromEntries(states.map((state) => [state, 1])));
    expect(text).toContain(
      '1 pending, 1 assigned, 1 in_progress, 1 review, 1 completed, 1 verified, 1 abandoned',
    );
  });

  test('a long goal stays below 25 KB, and the rest stands behind a resource', async () => {
    const goal_id = await bringGoal(s, faces, 'open');
    for (let n = 0; n < 55; n++)
      await faces.must('lead', 'add', `${'ü'.repeat(140)} ${n}`, '--goal', goal_id);
    const { data, text, links } = await call('lead', 'goal_status', { goal_id });
    expect(Buffer.byteLength(JSON.stringify(data)) + Buffer.byteLength(text)).toBeLessThan(25_000);
    const { length } = data.tasks as readonly unknown[];
    expect([length > 10, length + Number(data.left_out)]).toEqual([true, 55]);
    expect(text).toContain(`and ${data.left_out} more`);
    expect(links).toEqual([`countersign://goal/${goal_id}`]);
    const { contents } = await (talks.get('lead') as Talk).client.readResource({ uri: links[0] ?? '' });
    expect(JSON.parse((contents[0] as { text: string }).text).tasks).toHaveLength(55);
  });
});

describe('names in calls', () => {
  const calls: readonly (readonly [string, string, (id: string) => Record<string, unknown>])[] = [
    ['update_task', 'assigned', (task_id) => ({ task_id, status: 'in_progress' })],
    ['submit_for_review', 'in_progress', (task_id) => ({ task_id, summary: 'x' })],
    ['approve_task', 'review', (task_id) => ({ task_id })],
    ['reject_task', 'review', (task_id) => ({ task_id, reason: 'x' })],
    ['verify_task', 'completed', (task_id) => ({ task_id, notes: 'x' })],
    ['reject_verification', 'completed', (task_id) => ({ task_id, reason: 'x' })],
  ];
  test.each(calls)(
    '%s: somebody else’s is refused and recorded, however right the caller is',
    async (tool, state, input) => {
      const id = await bringTask(s, faces, state as 'review');
      const right =
        {
          update_task: 'builder',
          submit_for_review: 'builder',
          approve_task: 'reviewer',
          reject_task: 'reviewer',
        }[tool] ?? 'verifier';
      const before = await s.snapshot(id);
      const answer = await call(right, tool, { ...input(id), agent_name: 'lead' });
      expect(answer.isError).toBe(true);
      expect(answer.data).toMatchObject({
        code: 'wrong-role',
        message: `this call is made as ${right}, not as lead`,
        next: expect.arrayContaining([expect.objectContaining({ by: 'you' })]),
      });
      expect(await s.snapshot(id)).toBe(before);
      expect((await s.refusals(id)).at(-1)).toMatchObject({ by: right, code: 'wrong-role' });
      if (state === 'in_progress') workOn(s);
      await done(right, tool, { ...input(id), agent_name: right });
    },
  );

  test('a creator is the caller as well; nothing is made otherwise, and the attempt is on record', async () => {
    for (const tool of ['create_goal', 'create_task']) {
      const refused = await call('lead', tool, { title: 'Pose', creator: 'builder' });
      expect(refused).toMatchObject({ isError: true, data: { code: 'wrong-role' } });
      expect(refused.text).toContain('not as builder');
      expect(refused.text).toContain('next (you): leave the name out');
      const stored = await s.with(({ ports }) => ports.store.read(refusalStream(UNOPENED_ID)));
      const { by, attempted, code, item } = eventOf<RefusalEvent>(stored.at(-1) as StoredEvent);
      expect({ by, attempted, code, item }).toEqual({
        by: 'lead',
        attempted: tool,
        code: 'wrong-role',
        item: '',
      });
    }
    const { refusals } = (await s.say('', 'metrics')).data as { refusals?: unknown };
    expect(refusals).toContainEqual({ code: 'wrong-role', agent: 'lead', refusals: expect.any(Number) });
    expect((await s.text('', 'audit', 'verify')).out).toContain('clean');
    expect((await s.text('', 'list', '--limit', '500')).out).not.toContain('Pose');
  });

  test('GOAL-40: nobody verifies a goal for the lead, under whatever name', async () => {
    const goal_id = await bringGoal(s, faces, 'pending_verify');
    for (const agent_name of ['lead', 'builder', undefined])
      expect((await call('builder', 'verify_goal', { goal_id, notes: 'x', agent_name })).isError).toBe(true);
    const given = await call('lead', 'assign_task', { task_id: goal_id, assign_to: 'builder' });
    expect(given.data).toMatchObject({ ok: false, code: 'unknown-command' });
    expect(await stateOf(goal_id)).toBe('pending_verify');
    await done('lead', 'verify_goal', { goal_id, notes: 'tried it' });
  });
});

describe('update_task', () => {
  test('GOAL-52: moves a task of one’s own to in_progress, and nothing else anywhere', async () => {
    const id = await bringTask(s, faces, 'assigned');
    for (const status of ['completed', 'verified', 'review', 'pending', '__proto__', '']) {
      const { isError, data } = await call('builder', 'update_task', { task_id: id, status });
      expect([isError, data.ok, await stateOf(id)]).toEqual([true, false, 'assigned']);
      expect((await s.refusals(id)).at(-1)).toMatchObject({ by: 'builder', code: 'no-transition' });
    }
    expect((await call('other-builder', 'update_task', { task_id: id, status: 'in_progress' })).isError).toBe(
      true,
    );
    await done('builder', 'update_task', { task_id: id, status: 'in_progress' });
    expect(await stateOf(id)).toBe('in_progress');
  });
});

describe('separation', () => {
  /** A task built by the allrounder, who holds every role that could confirm it. */
  async function built(state: 'review' | 'completed'): Promise<string> {
    const id = await faces.must('lead', 'add', 'Build it all', '--protocol', 'goal-task');
    await faces.must('lead', 'move', id, 'assign', '--to', 'allrounder');
    await done('allrounder', 'update_task', { task_id: id, status: 'in_progress' });
    workOn(s);
    await done('allrounder', 'submit_for_review', { task_id: id, summary: 'all of it' });
    if (state === 'completed') await done('reviewer', 'approve_task', { task_id: id });
    return id;
  }

  test('GOAL-29, GOAL-32, GOAL-67: a builder neither approves nor verifies, nor does their minion', async () => {
    const review = await built('review');
    expect((await call('allrounder', 'approve_task', { task_id: review })).data).toMatchObject({
      code: 'gate-closed',
      missing: expect.arrayContaining([expect.objectContaining({ guard: 'apart' })]),
    });
    const id = await built('completed');
    for (const actor of ['allrounder', 'minion']) {
      const answer = await call(actor, 'verify_task', { task_id: id });
      expect(answer.data).toMatchObject({ ok: false, code: 'gate-closed' });
      expect(answer.text).toContain('builder');
      expect(await stateOf(id)).toBe('completed');
    }
    await done('verifier', 'verify_task', { task_id: id });
  });

  test('GOAL-30, GOAL-47: whoever approved does not verify, and is told another reason than a builder', async () => {
    const id = await bringTask(s, faces, 'review');
    await done('allrounder', 'approve_task', { task_id: id });
    const asApprover = await call('allrounder', 'verify_task', { task_id: id });
    expect(asApprover.data).toMatchObject({ ok: false, code: 'gate-closed' });
    const asBuilder = await call('allrounder', 'verify_task', { task_id: await built('completed') });
    const whyOf = ({ data }: Answered) => JSON.stringify((data.missing ?? [])[0]);
    expect(whyOf(asApprover)).toContain('reviewer');
    expect(whyOf(asBuilder)).toContain('builder');
  });
});

describe('create_task', () => {
  test('GOAL-77, GOAL-78: no nesting; tasks wait for each other by links', async () => {
    const first = await bringTask(s, faces, 'pending');
    const parent = await call('lead', 'create_task', { title: 'Part of a part', parent: first });
    expect(parent.isError).toBe(true);
    const after = { title: 'Later', depends_on: [first], assign_to: 'builder' };
    const { data } = await done('lead', 'create_task', after);
    const early = await call('builder', 'update_task', { task_id: data.task_id, status: 'in_progress' });
    expect(early.data).toMatchObject({ ok: false, code: 'gate-closed' });
    expect(early.text).toContain(first);
    const [outer, inner] = [await bringGoal(s, faces, 'open'), await bringGoal(s, faces, 'open')];
    const nested = await call('lead', 'link_task_to_goal', { task_id: inner, goal_id: outer });
    expect(nested.isError).toBe(true);
    expect(nested.text).toContain('goals do not nest (split it: link its tasks instead)');
  });

  test('one that cannot be given out is not made at all, and whoever asked is told so', async () => {
    const goal_id = await bringGoal(s, faces, 'open');
    const listed = async () => (await s.text('', 'list', '--limit', '500')).out;
    const before = await listed();
    for (const of of [{}, { goal_id }])
      for (const to of ['nobody', 'reviewer']) {
        const refused = await call('lead', 'create_task', { title: 'Whose?', assign_to: to, ...of });
        expect(refused.isError, refused.text).toBe(true);
        expect(refused.data).toMatchObject({ ok: false, code: 'BAD_INPUT' });
        expect(refused.text).toContain('the task was not created');
        expect(refused.text).toContain('who can take it: ');
      }
    expect(await listed()).toBe(before);
    const { data } = await done('lead', 'create_task', { title: 'Mine', assign_to: 'builder', goal_id });
    expect(data.item).toMatchObject({ status: 'assigned', assigned_to: 'builder' });
    const [opened, moved] = await s.events(String(data.task_id));
    expect([opened?.type, opened?.at]).toEqual(['opened', moved?.at]);
    expect((await call('lead', 'goal_status', { goal_id })).data.tasks).toMatchObject([
      { task_id: data.task_id, status: 'assigned', assignee: 'builder' },
    ]);
    expect((await s.text('', 'audit', 'verify')).out).toContain('clean');
    const unknown = await call('lead', 'create_task', { title: 'Lost', goal_id: '9999' });
    expect(unknown.data).toMatchObject({ ok: false, code: 'NOT_FOUND' });
    expect((await s.text('', 'list', '--limit', '500')).out).not.toContain('Lost');
  });
});
