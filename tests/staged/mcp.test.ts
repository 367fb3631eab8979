import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { PROFILES } from '../../src/mcp/profiles.ts';
import type { Answered } from '../mcp/in-memory.ts';
import { type Talk, talk } from '../mcp/in-memory.ts';
import { AGENTS, type Crew, openCrew, REPORT } from './crew.ts';
import { approved, commits, DONE, PLANNED, TASK } from './walk.ts';

let crew: Crew;
const talks = new Map<string, Talk>();
afterEach(async () => {
  for (const { close } of talks.values()) await close();
  talks.clear();
  crew.close();
});

const used = new Set<string>();

async function open(): Promise<void> {
  crew = await openCrew();
  for (const actor of ['lead', ...AGENTS]) talks.set(actor, await talk(crew.session, actor, 'staged'));
}

const call = (actor: string, tool: string, input: Record<string, unknown>): Promise<Answered> => {
  used.add(tool);
  return (talks.get(actor) as Talk).call(tool, input);
};

/** A call of the coordinator, standing in the task's worktree. */
async function does(tool: string, input: Record<string, unknown> = {}): Promise<Answered> {
  const at = ['task_step', 'task_gate'].includes(tool) ? { cwd: crew.code } : {};
  const answer = await call('lead', tool, { task_id: TASK, session: 's-1', ...at, ...input });
  expect([tool, answer.isError ? answer.text : '']).toEqual([tool, '']);
  return answer;
}

const step = async (command: string, input: Record<string, unknown> = {}) =>
  (await does('task_step', { command, ...input })).data.item?.status;

async function says(actor: string, status: string): Promise<void> {
  const answer = await call(actor, 'task_status', { task_id: TASK, status });
  expect([actor, answer.isError ? answer.text : '']).toEqual([actor, '']);
}

describe('a task in stages by the tools of its profile', () => {
  test('PROTO-13: it goes its whole way, every tool of the profile is used, and the audit finds it clean', async () => {
    await open();
    const list = await call('lead', 'task_list', { session: 's-1' });
    expect(list.data).toMatchObject({ next_task: TASK });
    expect((await does('task_check')).data).toMatchObject({ feasible: true, selection: 'PROCEED_WITH_INIT' });
    expect((await does('task_start')).data).toMatchObject({ state: 'INIT', worktree: crew.code });
    expect((await does('task_gate')).data).toMatchObject({ command: 'classify', open: true });
    // Whoever stands elsewhere than in the worktree takes no step of it.
    const elsewhere = await call('lead', 'task_step', { task_id: TASK, session: 's-1', command: 'classify' });
    expect(elsewhere).toMatchObject({ isError: true });
    expect(await step('classify')).toBe('CLASSIFIED');
    await step('assess', { risk: 'MEDIUM', agents: AGENTS.join(','), reason: 'src/dates.js' });
    await does('task_do', { act: 'worktrees' });
    await step('document');
    expect(await step('gather')).toBe('REQUIREMENTS');
    for (const agent of AGENTS) {
      await step('invoke', { agent });
      crew.write(join(crew.tasks, TASK, `${TASK}-${agent}-requirements.md`), REPORT(agent));
      await says(agent, 'COMPLETE');
    }
    expect((await does('task_show')).data).toMatchObject({ resume: { decision: 'TRANSITION_TO_SYNTHESIS' } });
    expect(await step('synthesize')).toBe('SYNTHESIS');
    crew.write(join(crew.tasks, TASK, 'task.md'), PLANNED());
    expect((await does('task_do', { act: 'lint' })).data).toMatchObject({ findings: [] });
    await step('present-plan');
    await step('acknowledge-delegation');
    expect((await does('task_gate')).data).toMatchObject({ command: 'implement', open: false });
    await approved(crew);
    expect(await step('implement')).toBe('IMPLEMENTATION');
    await does('task_stop', { category: 'technical-blocker', evidence: ['api.example answers 404'] });
    for (const agent of AGENTS) {
      const files =
        agent === 'architect' ? { 'work.txt': 'done\n', 'todo.md': DONE } : { [`${agent}.js`]: '1;\n' };
      commits(crew, agent, files);
      await step('invoke', { agent });
      await says(agent, 'COMPLETE');
      await does('task_do', { act: 'merge', agent });
    }
    expect(await step('validate')).toBe('VALIDATION');
    // The next call that is named is taken as it stands.
    const shown = await call('lead', 'item_show', { item: 'T-1' });
    const named = shown.data.next?.find(({ tool }) => tool === 'verify_task');
    expect(named).toMatchObject({ arguments: { task_id: 'T-1' } });
    const verified = await call('lead', 'verify_task', named?.arguments as Record<string, unknown>);
    expect(verified.data.item?.status).toBe('REVIEW');
    for (const agent of AGENTS) {
      await step('invoke', { agent });
      await says(agent, 'APPROVED');
    }
    expect(await step('present')).toBe('AWAITING_USER_APPROVAL');
    await approved(crew);
    expect(await step('complete')).toBe('COMPLETE');
    await does('task_do', { act: 'land' });
    expect(await step('clean')).toBe('CLEANUP');
    await does('task_do', { act: 'tidy' });
    for (const act of ['take', 'beat', 'release', 'show'])
      expect((await call('lead', 'lease', { what: 'main', act, session: 's-1' })).isError).toBe(false);
    await call('lead', 'next', {});
    await call('lead', 'item_list', {});
    expect([...used].toSorted()).toEqual(PROFILES.staged.map(({ name }) => name).toSorted());
    expect((await crew.session.text('', 'audit', 'verify')).code).toBe(0);
  });

  test('the session that does not hold a task takes no step of it, and what is missing is said', async () => {
    await open();
    await does('task_check');
    await does('task_start');
    const foreign = { task_id: 'T-1', session: 's-2', cwd: crew.code, command: 'classify' };
    const answer = await call('lead', 'task_step', foreign);
    expect(answer).toMatchObject({ isError: true, data: { ok: false } });
    expect(JSON.stringify(answer.data.missing)).toContain('s-1');
    for (const [tool, input] of [
      ['task_start', {}],
      ['task_stop', { category: 'technical-blocker', evidence: ['x'] }],
      ['task_do', { act: 'tidy' }],
    ] as const)
      expect((await call('lead', tool, { task_id: TASK, session: 's-2', ...input })).isError).toBe(true);
    // Neither is a call taken whose reason is none.
    const stop = await call('lead', 'task_stop', { task_id: TASK, session: 's-1', category: 'tokens' });
    expect(stop.isError).toBe(true);
    expect((await does('task_show')).data).toMatchObject({ state: 'INIT', session: 's-1' });
  });

  test('agents are offered what they say, and not what leads the task', async () => {
    await open();
    const { tools } = await (talks.get('architect') as Talk).client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'next',
      'item_list',
      'item_show',
      'task_show',
      'task_status',
    ]);
  });
});
