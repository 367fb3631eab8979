import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Spoken, speakTo } from '../mcp/stdio.ts';
import { runsFolder } from '../phases/beside.ts';
import { FORCE, IN_REVIEW, NO_REJECTION, NOT_APPROVED, ORDER } from '../phases/hand.ts';
import { CHANGE, type Found, LEAD, openStage, type Stage } from '../phases/stage.ts';
import { buildProgram, type Program } from '../terminal.ts';
import { type Answer, ask, honest, order, reviewersSay, SCRIPTED } from './phase-clients.ts';

// J11: three phases by real clients over pipes, with agents and reviewers that are programs of their own.
let program: Program;
let stage: Stage;
let lead: Spoken;
let phases: readonly string[] = [];
beforeAll(async () => {
  program = buildProgram();
  stage = await openStage({ config: SCRIPTED });
  lead = await clientOf(LEAD);
});
afterAll(async () => {
  await lead.close();
  await stage.close();
  program.remove();
});

const clientOf = (actor: string) =>
  speakTo(program, stage.s.repo.top, stage.s.env, ['--actor', actor, '--profile', 'phases']);

async function does(tool: string, input: Record<string, unknown>): Promise<Answer['data']> {
  const { isError, data } = await ask(lead, tool, input);
  expect([tool, isError ? data : '']).toEqual([tool, '']);
  return data;
}

/** Everything that may not be done in this state, with how each refusal begins. */
async function refused(phase: string, words: { readonly [tool: string]: string }) {
  const { status } = (await does('get_phase_status', { phase_id: phase })).guidance;
  for (const [tool, start] of Object.entries(words)) {
    const more = tool === 'deploy_headless_agent' ? ORDER : tool.startsWith('approve') ? FORCE : {};
    const { isError, data } = await ask(lead, tool, { phase_id: phase, ...more });
    expect([tool, isError, data.success, data.guidance.status]).toEqual([tool, true, false, status]);
    expect(data.error).toMatch(new RegExp(`^${start}`));
  }
}

/** Waits until the guidance of a phase begins so; everything happens by itself. */
async function comes(phase: string, action: string) {
  const told = async () => (await does('get_phase_status', { phase_id: phase })).guidance.action;
  await expect.poll(told, { interval: 300 }).toMatch(new RegExp(`^${action}`));
}

/** The third reviewer gives its verdict, by a client and a credential of its own. */
async function lastVerdict(phase: string, verdict: string, findings: readonly Found[] = []) {
  const { review } = await does('get_review_status', { review_id: phase });
  const { reviewers } = review as unknown as { reviewers: readonly { agent_id: string; state: string }[] };
  const left = reviewers.filter(({ state }) => state === 'running');
  expect(left).toHaveLength(1);
  const client = await clientOf(left[0]?.agent_id ?? '');
  const given = { review_id: phase, verdict, findings };
  const { isError, data } = await ask(client, 'submit_review_verdict', given);
  await client.close();
  expect([isError, data.error]).toEqual([false, undefined]);
}

const REJECT = { reject_phase_review: NO_REJECTION };
const ADVANCE = { advance_to_next_phase: NOT_APPROVED };

test('three phases are planned; the first is to be worked on, the others wait', async () => {
  const input = { title: 'Build the shop', phases: ['Design', 'Build', 'Release'].map((name) => ({ name })) };
  phases = (await does('create_phased_task', input)).phases as readonly string[];
  const [one = '', two = ''] = phases;
  await comes(one, 'DEPLOY AGENTS: No agents deployed');
  await refused(one, { ...ADVANCE, ...REJECT, approve_phase_review: 'there is no review' });
  await comes(two, 'WAIT: Phase queued');
  await refused(two, {
    ...{ ...ADVANCE, ...REJECT, deploy_headless_agent: 'wrong phase' },
    submit_phase_for_review: 'the phase is not active',
  });
});

test('an agent that hangs is looked at and ended; the last that completes hands the phase in', async () => {
  const [one = ''] = phases;
  reviewersSay(stage, 'approve');
  const hangs = order({ say: 'I go in circles' }, { hang: true });
  const { agent_id: stuck } = await does('deploy_headless_agent', { phase_id: one, prompt: hangs });
  const output = async () => JSON.stringify((await does('get_agent_output', { agent_id: stuck })).output);
  await expect.poll(output).toContain('I go in circles');
  await comes(one, 'WAIT: 1 agent still working');
  await does('kill_real_agent', { agent_id: stuck, reason: 'it goes in circles' });
  await comes(one, 'DEPLOY AGENTS: No agent completed');
  await does('deploy_headless_agent', { phase_id: one, prompt: honest('design.md') });
  await comes(one, 'REVIEW IN PROGRESS: 2/3 reviewers submitted');
  await refused(one, {
    ...{ ...ADVANCE, ...REJECT, approve_phase_review: IN_REVIEW },
    deploy_headless_agent: 'the work of the phase is complete',
    submit_phase_for_review: 'the phase is already in review',
  });
});

test('a majority approves; what was done is handed over to the next phase', async () => {
  const [one = '', two = ''] = phases;
  await lastVerdict(one, 'request_changes', [CHANGE]);
  await comes(one, "PROCEED: Phase approved. Use advance_to_next_phase to start 'Build'");
  await refused(one, {
    ...{ ...REJECT, approve_phase_review: 'the phase is already approved' },
    deploy_headless_agent: 'the phase is complete',
    submit_phase_for_review: 'the phase is already approved',
  });
  const { handover } = await does('get_phase_handover', { phase_id: one });
  expect(handover).toContain('design.md');
  await does('advance_to_next_phase', { phase_id: one });
  await comes(two, 'DEPLOY AGENTS: No agents deployed');
  reviewersSay(stage, 'request_changes', [CHANGE]);
  const looks = { call: 'get_phase_handover', arguments: { phase_id: one }, expect: 'taken' };
  const { agent_id } = await does('deploy_headless_agent', {
    phase_id: two,
    prompt: honest('shop.ts', looks),
  });
  expect(readFileSync(join(runsFolder(stage), String(agent_id), 'prompt'), 'utf8')).toContain(
    String(handover).trim(),
  );
});

test('changes that are asked for are made, and submitted by hand', async () => {
  const [, two = ''] = phases;
  await comes(two, 'REVIEW IN PROGRESS: 2/3 reviewers submitted');
  await lastVerdict(two, 'approve');
  await comes(two, 'FIX REQUIRED: Address blockers');
  const { guidance } = await does('get_phase_status', { phase_id: two });
  expect(guidance.blocked_reason).toContainEqual(expect.stringContaining(CHANGE.title));
  await refused(two, { ...ADVANCE, ...REJECT, approve_phase_review: 'it has to be mended' });
  await refused(two, { submit_phase_for_review: 'submit is not open yet' });
  const { task_id } = await does('get_phase_status', { phase_id: two });
  const { git } = stage.s.repo;
  git('checkout', '-q', `phases/${task_id}`);
  stage.s.repo.commit({ 'validation.ts': 'export const isValid = true;\n' });
  git('checkout', '-q', 'main');
  reviewersSay(stage, 'approve');
  const { note } = await does('submit_phase_for_review', { phase_id: two });
  expect(note).toContain('Auto-submit is preferred');
  await comes(two, 'REVIEW IN PROGRESS: 2/3 reviewers submitted');
  await lastVerdict(two, 'approve');
  await comes(two, 'PROCEED');
  await does('advance_to_next_phase', { phase_id: two });
});

test('the last phase ends the task', async () => {
  const [one = '', two = '', three = ''] = phases;
  await does('deploy_headless_agent', { phase_id: three, prompt: honest('release.md') });
  await comes(three, 'REVIEW IN PROGRESS: 2/3 reviewers submitted');
  await lastVerdict(three, 'approve');
  await comes(three, 'TASK COMPLETE: All phases approved');
  const { task_id } = await does('get_phase_status', { phase_id: three });
  expect((await stage.must('', 'show', String(task_id))).data.status).toBe('completed');
  await does('advance_to_next_phase', { phase_id: three });
  for (const phase of [one, two, three]) {
    await comes(phase, 'PHASE COMPLETED');
    await refused(phase, { ...ADVANCE, ...REJECT, deploy_headless_agent: 'the phase is complete' });
  }
  const files = stage.s.repo.git('ls-tree', '--name-only', `phases/${task_id}`).split('\n');
  for (const file of ['design.md', 'shop.ts', 'validation.ts', 'release.md']) expect(files).toContain(file);
  expect((await stage.must('', 'audit', 'verify')).code).toBe(0);
});
