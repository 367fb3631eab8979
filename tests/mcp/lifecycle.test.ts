import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Faces, facesOf } from '../journeys/faces.ts';
import { bringLife, LIFE_TEAM, workOn } from '../journeys/lifecycle-states.ts';
import { openSession, type Session } from '../session.ts';
import { type Hands, handsOf } from './hands.ts';
import { type Answered, talk } from './in-memory.ts';

// J03 through the tools of the profile lifecycle.
let s: Session;
let faces: Faces;
let hands: Hands;
beforeAll(async () => {
  s = await openSession({ agents: LIFE_TEAM, files: { 'README.md': '# Scratch\n', 'plan.md': '# Plan\n' } });
  faces = await facesOf(s, [], 'lifecycle');
  hands = await handsOf(s, 'lifecycle', Object.keys(LIFE_TEAM));
});
afterAll(async () => {
  await hands.close();
  await faces.close();
  s.close();
});

const call: Hands['call'] = (...asked) => hands.call(...asked);
const to: Hands['to'] = (...asked) => hands.to(...asked);
const idsIn = ({ data }: Answered) => (data.items as readonly { id: string }[]).map(({ id }) => id);
const START = Date.parse('2026-01-05T09:00:00Z');
const at = (minutes: number) => s.at(new Date(START + minutes * 60_000).toISOString());

describe('J03: the happy path with a clock', () => {
  test('LIFE-03: a task with a plan waits for the review of the code base, which is no intervention', async () => {
    const made = await call('planner', 'create_task', { title: 'Planned', plan_file: 'plan.md' });
    const task_id = String(made.data.task_id);
    const early = await call('orchestrator', 'assign_task', { task_id, reason: 'now' });
    expect(early.data).toMatchObject({ ok: false, code: 'gate-closed' });
    const asked = { tool: 'review_codebase', arguments: { task_id, reason: 'WHY' } };
    expect((await call('cto', 'next')).data.next).toContainEqual(
      expect.objectContaining({ id: task_id, call: { by: 'you', ...asked } }),
    );
    expect((await call('cto', 'review_codebase', { task_id, reason: ' ' })).isError).toBe(true);
    expect(await to('cto', 'review_codebase', { task_id, reason: 'it fits' })).toBe('pending');
    expect(await to('orchestrator', 'assign_task', { task_id })).toBe('assigned');
    const { data } = await call('planner', 'get_task_state_history', { task_id });
    expect(data.history).toMatchObject({ ctoAttempts: 0, currentState: 'assigned' });
  });

  test('LIFE-27, LIFE-33, LIFE-36, LIFE-87, LIFE-105: nine steps by nine right hands, with the minutes of each', async () => {
    at(0);
    const { data } = await call('planner', 'create_task', { title: 'Build it' });
    const task_id = String(data.task_id);
    const steps: readonly (readonly [string, string, string, () => Record<string, unknown>])[] = [
      ['orchestrator', 'assign_task', 'assigned', () => ({})],
      ['validator', 'start_planning', 'planning', () => ({})],
      ['validator', 'validate_task', 'validated', () => ({})],
      ['developer', 'begin_task', 'in_progress', () => ({})],
      ['developer', 'finish_task', 'testing', () => ({ commit: workOn(s) })],
      ['developer', 'request_review', 'quality_review', () => ({ evidence: ['README.md'] })],
    ];
    for (const [n, [actor, tool, state, more]] of steps.entries()) {
      at(10 * (n + 1));
      if (tool === 'request_review')
        expect((await call(actor, tool, { task_id, evidence: [], reason: 'x' })).data).toMatchObject({
          ok: false,
          code: 'gate-closed',
        });
      expect(await to(actor, tool, { task_id, ...more() })).toBe(state);
    }
    at(70);
    const passed = await call('monitor', 'verify_task', { task_id });
    expect(passed.data).toMatchObject({ verdict: 'PASSED', item: { status: 'approved' } });
    at(80);
    expect(await to('committer', 'start_commit', { task_id })).toBe('committing');
    const unknown = await call('committer', 'report_commit', {
      task_id,
      commit: 'f'.repeat(40),
      reason: 'x',
    });
    expect(unknown.data).toMatchObject({ ok: false, code: 'gate-closed' });
    at(90);
    const commit = s.repo.git('rev-parse', 'HEAD');
    expect(await to('committer', 'report_commit', { task_id, commit })).toBe('completed');
    const told = await call('planner', 'get_task_state_history', { task_id });
    const { stateHistory, times } = told.data.history as {
      stateHistory: readonly { toState: string; actor: string }[];
      times: { totalTaskTime: number; timeByState: Record<string, number> };
    };
    const expected = ['pending', ...steps.map(([, , state]) => state), 'approved', 'committing', 'completed'];
    expect(stateHistory.map(({ toState }) => toState)).toEqual(expected);
    for (const [state, minutes] of Object.entries(times.timeByState))
      expect([state, Math.round(minutes)]).toEqual([state, state === 'completed' ? 0 : 10]);
    const sum = Object.values(times.timeByState).reduce((a, b) => a + b, 0);
    expect(times.totalTaskTime).toBeCloseTo(sum);
    const { contents } = await hands.talkOf('planner').client.readResource({
      uri: told.links[0] ?? '',
    });
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ currentState: 'completed' });
    expect(
      (await call('bystander', 'item_show', { item: task_id, history: true })).data.history,
    ).toMatchObject({
      currentState: 'completed',
    });
  });

  test('LIFE-94, LIFE-101..104, LIFE-106: the queries find what they are asked for, and change nothing', async () => {
    at(1_000);
    const [late, cto, human] = [
      await bringLife(s, faces, 'planning'),
      await bringLife(s, faces, 'cto_intervention'),
      await bringLife(s, faces, 'human_escalation'),
    ];
    const failing = await bringLife(s, faces, 'planning');
    for (let n = 0; n < 2; n++) await to('validator', 'record_failure', { task_id: failing });
    at(1_029);
    const inTime = await bringLife(s, faces, 'planning');
    at(1_031);
    const before = await s.snapshot(late);
    expect(idsIn(await call('planner', 'get_tasks_by_state', { state: 'planning' }))).toEqual(
      expect.arrayContaining([late, failing, inTime]),
    );
    const listed = await call('planner', 'get_tasks_by_state', { state: 'planning' });
    const states = (listed.data.items as readonly { state: string }[]).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(['planning']));
    const over = idsIn(await call('planner', 'get_tasks_exceeding_timeout'));
    expect([over.includes(late), over.includes(inTime)]).toEqual([true, false]);
    expect(idsIn(await call('planner', 'get_tasks_under_cto_review'))).toEqual([cto]);
    expect(idsIn(await call('planner', 'get_tasks_awaiting_human'))).toEqual([human]);
    expect(idsIn(await call('planner', 'get_tasks_with_multiple_failures'))).toContain(failing);
    expect(idsIn(await call('planner', 'get_tasks_with_multiple_failures', { at_least: 4 }))).toEqual([]);
    for (const [attention, id] of [
      ['stuck', late],
      ['escalated', cto],
      ['failing', failing],
    ] as const)
      expect(idsIn(await call('bystander', 'item_list', { attention, limit: 100 }))).toContain(id);
    expect(await s.snapshot(late)).toBe(before);
    expect((await call('planner', 'get_tasks_by_state', { state: 'flying' })).isError).toBe(true);
    const lost = await call('planner', 'get_task_state_history', { task_id: 'T-9999' });
    expect(lost.data).toMatchObject({ ok: false, code: 'NOT_FOUND' });
    for (const [from, to, legal] of [
      ['pending', 'assigned', true],
      ['pending', 'in_progress', false],
      ['planning', 'cto_intervention', true],
      ['flying', 'pending', false],
      ['__proto__', 'constructor', false],
    ] as const)
      expect((await call('planner', 'validate_transition', { from, to })).data).toMatchObject({ legal });
    for (const actor of ['developer', 'cto', 'bystander'])
      await expect(call(actor, 'get_tasks_by_state', { state: 'planning' })).rejects.toThrow();
  });
});

test('a name in a call is one’s own, or the call is refused and recorded', async () => {
  const task_id = await bringLife(s, faces, 'validated');
  const posed = await call('developer', 'begin_task', { task_id, reason: 'x', agent_name: 'cto' });
  expect(posed.data).toMatchObject({
    code: 'wrong-role',
    message: 'this call is made as developer, not as cto',
  });
  expect((await s.refusals(task_id)).at(-1)).toMatchObject({ by: 'developer', attempted: 'begin' });
  expect(await to('developer', 'begin_task', { task_id, agent_name: 'developer' })).toBe('in_progress');
});

test('LIFE-34: nobody approves what they or their own agents built, whatever roles they hold', async () => {
  await s.register('both', ['fullstack-developer', 'quality-monitor']);
  await s.register('child', ['quality-monitor'], 'both');
  const id = await bringLife(s, faces, 'validated');
  const task = { task_id: id, reason: 'mine' };
  const both = await talk(s, 'both', 'lifecycle');
  for (const [tool, more] of [
    ['begin_task', {}],
    ['finish_task', { commit: workOn(s) }],
    ['request_review', { evidence: ['README.md'] }],
  ] as const)
    expect((await both.call(tool, { ...task, ...more })).isError).toBe(false);
  const child = await talk(s, 'child', 'lifecycle');
  for (const hand of [both, child]) {
    const tried = await hand.call('verify_task', { task_id: id });
    expect(tried.data).toMatchObject({ ok: false, code: 'gate-closed', item: { status: 'quality_review' } });
    expect(JSON.stringify(tried.data.missing)).toContain('builder');
    const posed = await hand.call('verify_task', { task_id: id, agent_name: 'monitor' });
    expect(posed.data).toMatchObject({ ok: false, code: 'wrong-role' });
  }
  await Promise.all([both.close(), child.close()]);
  const next = (await call('monitor', 'next')).data.next as readonly { id: string; verification?: unknown }[];
  expect(next.find((entry) => entry.id === id)?.verification).toMatchObject({ item: id });
  expect((await call('monitor', 'verify_task', { task_id: id })).data.verdict).toBe('PASSED');
});
