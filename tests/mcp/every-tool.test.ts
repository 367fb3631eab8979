import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Profile } from '../../src/mcp/profile.ts';
import { PROFILES } from '../../src/mcp/profiles.ts';
import { GOAL_TEAM, merge } from '../journeys/goal-states.ts';
import { LIFE_TEAM, workOn } from '../journeys/lifecycle-states.ts';
import { openSession, type Session } from '../session.ts';
import { buildProgram, type Program } from '../terminal.ts';
import type { Answered } from './in-memory.ts';
import { GENERATIONS, type Generation, type Spoken, speakTo } from './stdio.ts';

// A real task with everything that can go wrong on its way: every tool of a profile is used, over pipes.
let program: Program;
let s: Session;
beforeAll(async () => {
  program = buildProgram();
  s = await openSession({
    agents: { ...LIFE_TEAM, ...GOAL_TEAM },
    files: { 'README.md': '# Scratch\n', 'plan.md': '# Plan\n' },
  });
});
afterAll(() => {
  program.remove();
  s.close();
});

/** Agents that speak over pipes; which tools were taken is kept. */
async function troupe(profile: Profile, generation: Generation, actors: readonly string[]) {
  const spoken = new Map<string, Spoken>();
  for (const actor of actors) {
    const words = ['--actor', actor, '--profile', profile];
    spoken.set(actor, await speakTo(program, s.repo.top, s.env, words, generation));
  }
  const used = new Set<string>();
  return {
    used,
    async does(actor: string, tool: string, input: Record<string, unknown> = {}): Promise<Answered> {
      const answer = await (spoken.get(actor) as Spoken).call(tool, input);
      expect([actor, tool, answer.isError ? answer.text : '']).toEqual([actor, tool, '']);
      used.add(tool);
      return answer;
    },
    async close() {
      for (const { close } of spoken.values()) await close();
    },
  };
}

const everyTool = (profile: Profile) => PROFILES[profile].map(({ name }) => name).toSorted();
const generations = Object.keys(GENERATIONS) as readonly Generation[];

describe.each(generations)('in the %s generation of the protocol', (generation) => {
  test('a task of the lifecycle, over rejections, two interventions and a failed commit', async () => {
    const { does, used, close } = await troupe('lifecycle', generation, Object.keys(LIFE_TEAM));
    const made = await does('planner', 'create_task', { title: 'Build it', plan_file: 'plan.md' });
    const task_id = String(made.data.task_id);
    const reason = 'as it should be';
    const task = { task_id, reason };
    const fail = async (actor: string, times: number) => {
      for (let n = 0; n < times; n++) await does(actor, 'record_failure', task);
    };
    const guide = (more: object) => does('cto', 'give_guidance', { task_id, guidance: 'otherwise', ...more });
    await does('cto', 'review_codebase', task);
    await does('orchestrator', 'assign_task', task);
    await does('validator', 'start_planning', task);
    await fail('validator', 3);
    await guide({});
    await does('developer', 'propose_approach', { ...task, file: 'plan.md' });
    await does('validator', 'validate_task', task);
    await does('developer', 'begin_task', task);
    const finish = async () => {
      await does('developer', 'finish_task', { ...task, commit: workOn(s) });
      await does('developer', 'request_review', { ...task, evidence: ['README.md'] });
    };
    await finish();
    await does('monitor', 'item_judge', { item: task_id, kind: 'review', approve: true });
    await does('monitor', 'verify_task', { task_id });
    await does('committer', 'start_commit', task);
    await fail('committer', 1);
    await finish();
    await does('monitor', 'verify_task', { task_id });
    await does('committer', 'start_commit', task);
    const commit = s.repo.git('rev-parse', 'HEAD');
    const done = await does('committer', 'report_commit', { ...task, commit });
    expect(done.data.item?.status).toBe('completed');
    // What only an unlucky one needs.
    const other = String((await does('planner', 'create_task', { title: 'Another' })).data.task_id);
    const unlucky = { task_id: other, reason };
    for (let n = 0; n < 2; n++) {
      for (let i = 0; i < 3; i++) await does('orchestrator', 'record_failure', unlucky);
      if (n === 0) await does('cto', 'give_guidance', { task_id: other, guidance: 'once more' });
    }
    await does('cto', 'escalate_task', unlucky);
    await does('orchestrator', 'next');
    await does('bystander', 'item_list', { attention: 'escalated' });
    await does('bystander', 'item_show', { item: task_id, history: true });
    await does('planner', 'get_tasks_by_state', { state: 'completed' });
    for (const tool of ['exceeding_timeout', 'under_cto_review', 'awaiting_human', 'with_multiple_failures'])
      await does('planner', `get_tasks_${tool}`);
    await does('planner', 'get_task_state_history', { task_id });
    await does('planner', 'validate_transition', { from: 'pending', to: 'assigned' });
    const third = String((await does('planner', 'create_task', { title: 'A third' })).data.task_id);
    await does('orchestrator', 'item_move', { item: third, command: 'assign', reason });
    await close();
    expect([...used].toSorted()).toEqual(everyTool('lifecycle'));
    expect((await s.say('', 'audit', 'verify')).code).toBe(0);
  });

  test('a goal and its task, over rejections by everybody and a reopening', async () => {
    const { does, used, close } = await troupe('goals', generation, Object.keys(GOAL_TEAM));
    const goal_id = String((await does('lead', 'create_goal', { title: 'The whole' })).data.goal_id);
    const task_id = String((await does('lead', 'create_task', { title: 'The part' })).data.task_id);
    const task = { task_id };
    const reason = 'it does not work';
    await does('lead', 'link_task_to_goal', { task_id, goal_id });
    await does('lead', 'assign_task', { task_id, assign_to: 'builder' });
    await does('builder', 'update_task', { task_id, status: 'in_progress' });
    const submit = () => {
      workOn(s);
      return does('builder', 'submit_for_review', { task_id, summary: 'built', files_changed: ['work.txt'] });
    };
    await submit();
    await does('reviewer', 'reject_task', { task_id, reason });
    await submit();
    await does('reviewer', 'approve_task', task);
    await does('verifier', 'reject_verification', { task_id, reason });
    const verified = async () => {
      await submit();
      await does('reviewer', 'approve_task', task);
      await does('verifier', 'item_judge', { item: task_id, kind: 'review', approve: true });
      const { data } = await does('verifier', 'verify_task', { task_id, notes: 'it works' });
      expect(data.item?.status).toBe('verified');
    };
    await verified();
    await does('lead', 'reject_goal', { goal_id, reason });
    await does('lead', 'reopen_task', { task_id, reason });
    await verified();
    merge(s);
    const whole = await does('lead', 'verify_goal', { goal_id, notes: 'the whole works' });
    expect(whole.data.item?.status).toBe('verified');
    await does('bystander', 'goal_status', { goal_id });
    await does('lead', 'next');
    await does('lead', 'item_list', {});
    await does('lead', 'item_show', { item: task_id });
    const spare = String((await does('lead', 'create_task', { title: 'No more' })).data.task_id);
    await does('lead', 'item_move', { item: spare, command: 'abandon', reason });
    await close();
    expect([...used].toSorted()).toEqual(everyTool('goals'));
    expect((await s.say('', 'audit', 'verify')).code).toBe(0);
  });
});
