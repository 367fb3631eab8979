import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Faces, facesOf } from '../journeys/faces.ts';
import { bringLife, CLAIMED, LIFE_TEAM, type LifeState, workOn } from '../journeys/lifecycle-states.ts';
import { openSession, type Session } from '../session.ts';
import { type Answered, type Talk, talk } from './in-memory.ts';

// J03 and J04 through the tools of the profile lifecycle.
let s: Session;
let faces: Faces;
const talks = new Map<string, Talk>();
beforeAll(async () => {
  s = await openSession({ agents: LIFE_TEAM, files: { 'README.md': '# Scratch\n', 'plan.md': '# Plan\n' } });
  faces = await facesOf(s, [], 'lifecycle');
  for (const actor of Object.keys(LIFE_TEAM)) talks.set(actor, await talk(s, actor, 'lifecycle'));
});
afterAll(async () => {
  for (const { close } of talks.values()) await close();
  await faces.close();
  s.close();
});

const call = (actor: string, tool: string, input: Record<string, unknown> = {}): Promise<Answered> =>
  (talks.get(actor) as Talk).call(tool, input);
/** A call that must be taken: the state that the task is in after it. */
async function to(actor: string, tool: string, input: Record<string, unknown>): Promise<string> {
  const answer = await call(actor, tool, {
    ...(tool === 'give_guidance' ? {} : { reason: 'as it should be' }),
    ...input,
  });
  expect(answer.isError, `${tool}: ${answer.text}`).toBe(false);
  return answer.data.item?.status ?? '';
}
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

  test('LIFE-27, LIFE-33, LIFE-36, LIFE-87, LIFE-88, LIFE-105: nine steps by nine right hands, with the minutes of each', async () => {
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
    const { contents } = await (talks.get('planner') as Talk).client.readResource({
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

describe('J04: failures and escalation', () => {
  const fail = (actor: string, task_id: string, reason = 'it does not work') =>
    to(actor, 'record_failure', { task_id, reason });
  /** From in progress to quality review anew. */
  const again = async (task_id: string) => {
    expect(await to('developer', 'finish_task', { task_id, commit: workOn(s) })).toBe('testing');
    expect(await to('developer', 'request_review', { task_id, evidence: ['README.md'] })).toBe(
      'quality_review',
    );
  };

  test('LIFE-39, LIFE-43, LIFE-47, LIFE-48, LIFE-53, LIFE-68, LIFE-74, LIFE-114, LIFE-115: three rejections, guidance, and what came of it', async () => {
    const task_id = await bringLife(s, faces, 'planning');
    expect(await fail('validator', task_id, 'no plan for errors')).toBe('planning');
    expect(await fail('validator', task_id, 'still none')).toBe('planning');
    expect(await fail('validator', task_id, 'none at all')).toBe('cto_intervention');
    const briefed = await call('cto', 'item_show', { item: task_id, history: true });
    expect(briefed.data).toMatchObject({
      item: { content: 'Build the thing', status: 'cto_intervention' },
      briefing: {
        failures: ['no plan for errors', 'still none', 'none at all'].map((reason) => ({ reason })),
        guidance: [],
      },
      history: { ctoAttempts: 1 },
    });
    for (const guidance of ['', '  '])
      expect((await call('cto', 'give_guidance', { task_id, guidance })).data).toMatchObject({
        ok: false,
        code: 'bad-arguments',
      });
    expect(await to('cto', 'give_guidance', { task_id, guidance: 'List the errors first' })).toBe('planning');
    const shown = await call('developer', 'item_show', { item: task_id });
    expect(shown.text).toContain('guidance        by cto (open): List the errors first');
    const proposed = { task_id, file: 'plan.md', reason: 'errors are listed' };
    expect(await to('developer', 'propose_approach', proposed)).toBe('planning');
    expect(await to('validator', 'validate_task', { task_id })).toBe('validated');
    const { data } = await call('developer', 'item_show', { item: task_id });
    expect(data.briefing).toMatchObject({ guidance: [{ outcome: 'solved' }] });
  });

  test('LIFE-40, LIFE-45, LIFE-50, LIFE-61, LIFE-64: failures of the review are counted across the way back', async () => {
    const task_id = await bringLife(s, faces, 'quality_review');
    for (let n = 0; n < 2; n++) {
      expect(await fail('monitor', task_id)).toBe('in_progress');
      await again(task_id);
    }
    expect(await fail('monitor', task_id)).toBe('cto_intervention');
    expect(await to('cto', 'give_guidance', { task_id, guidance: 'Look at it again' })).toBe(
      'quality_review',
    );
  });

  test('LIFE-41, LIFE-46, LIFE-51: a commit that fails goes back to be built', async () => {
    const task_id = await bringLife(s, faces, 'committing');
    const next = async () => {
      await again(task_id);
      const verified = await call('monitor', 'verify_task', { task_id });
      expect(verified.data.item?.status, verified.text).toBe('approved');
      expect(await to('committer', 'start_commit', { task_id })).toBe('committing');
    };
    for (let n = 0; n < 2; n++) {
      expect(await fail('committer', task_id, 'the hook failed')).toBe('in_progress');
      await next();
    }
    expect(await fail('committer', task_id)).toBe('cto_intervention');
    expect(await to('cto', 'give_guidance', { task_id, guidance: 'Mend the hook' })).toBe('committing');
    expect(CLAIMED.has(task_id)).toBe(true);
  });

  test('LIFE-75, LIFE-76, LIFE-78: the cto alone rolls back and skips, and each is told as what it was', async () => {
    const skipped = await bringLife(s, faces, 'cto_intervention');
    const words = { guidance: 'go on without' };
    for (const actor of ['orchestrator', 'developer'])
      await expect(call(actor, 'give_guidance', { task_id: skipped, ...words })).rejects.toThrow();
    expect(
      (
        await call('orchestrator', 'item_move', {
          item: skipped,
          command: 'skip',
          arguments: { guidance: 'x' },
        })
      ).data,
    ).toMatchObject({ ok: false, code: 'wrong-role' });
    expect(await to('cto', 'give_guidance', { task_id: skipped, pattern: 'skip', ...words })).toBe(
      'validated',
    );
    const rolled = await bringLife(s, faces, 'cto_intervention');
    const nowhere = await call('cto', 'give_guidance', {
      task_id: rolled,
      pattern: 'rollback',
      guidance: 'x',
    });
    expect(nowhere.data).toMatchObject({ ok: false, code: 'bad-arguments' });
    const back = { task_id: rolled, pattern: 'rollback', to: 'assigned', ...words };
    expect(await to('cto', 'give_guidance', back)).toBe('assigned');
    const patterns = async (id: string) => (await s.text('', 'history', id, '--events')).out;
    expect(await patterns(skipped)).toContain('"pattern":"skip"');
    expect(await patterns(rolled)).toContain('"pattern":"rollback"');
  });

  test('LIFE-24, LIFE-52, LIFE-66, LIFE-70, LIFE-77: after two interventions a person decides, and no agent', async () => {
    const task_id = await bringLife(s, faces, 'planning');
    const limit = async () => {
      for (let n = 0; n < 3; n++) await fail('validator', task_id);
    };
    await limit();
    expect((await call('cto', 'escalate_task', { task_id, reason: 'early' })).data).toMatchObject({
      ok: false,
      code: 'gate-closed',
    });
    await to('cto', 'give_guidance', { task_id, guidance: 'one' });
    await limit();
    await to('cto', 'give_guidance', { task_id, guidance: 'two' });
    await limit();
    expect(await faces.state(task_id)).toBe('human_escalation');
    for (const actor of Object.keys(LIFE_TEAM).filter((name) => name !== 'bystander'))
      for (const command of ['resolve', 'abandon', 'return', 'fail']) {
        const tried = await call(actor, 'item_move', { item: task_id, command, to: 'planning', reason: 'x' });
        expect([actor, command, tried.isError]).toEqual([actor, command, true]);
      }
    const { data } = await call('cto', 'item_show', { item: task_id });
    expect(data.next).toMatchObject(
      ['resolve', 'abandon'].slice(0, 1).map((command) => ({
        by: 'a person at a terminal',
        run: expect.stringContaining(`countersign move ${task_id} ${command}`),
      })),
    );
    const resolved = await faces.confirm('move', task_id, 'resolve', '--to', 'planning', '--reason', 'go on');
    expect(resolved.data.status).toBe('planning');
  });

  test.each(['assigned', 'validated', 'approved'] as const satisfies readonly LifeState[])(
    'LIFE-42: three failures in %s call the cto as well, who returns it there',
    async (state) => {
      const task_id = await bringLife(s, faces, state);
      const owner = { assigned: 'validator', validated: 'developer', approved: 'committer' }[state];
      for (let n = 0; n < 2; n++) expect(await fail(owner, task_id)).toBe(state);
      expect(await fail(owner, task_id)).toBe('cto_intervention');
      expect(await to('cto', 'give_guidance', { task_id, guidance: 'once more' })).toBe(state);
    },
  );
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
