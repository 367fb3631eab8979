import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Hands, handsOf } from '../mcp/hands.ts';
import { talk } from '../mcp/in-memory.ts';
import { movesOf, replaced } from '../phases/beside.ts';
import { LEAD, openStage, type Stage } from '../phases/stage.ts';

// One task of two phases, and everything that can go wrong on its way, by the tools of the seed.
let stage: Stage;
let hands: Hands;
let first = '';
let second = '';
const seen: string[] = [];

beforeAll(async () => {
  stage = await openStage();
  hands = await handsOf(stage.s, 'phases', [LEAD]);
});
afterAll(async () => {
  await hands.close();
  await stage.close();
});

const lead = (phase: string, tool: string, more: Record<string, unknown> = {}) =>
  hands.call(LEAD, tool, { phase_id: phase, ...more });

/** The guidance that the orchestrator gets, in its first words. */
async function told(phase: string): Promise<string> {
  const { data } = await lead(phase, 'get_phase_status');
  const { status, action } = data.guidance as { status: string; action: string };
  return `${status}: ${action.split(/[:.]/)[0]}`;
}

/** An agent is deployed, commits, and says by its own server that it is complete. */
async function built(phase: string, files: Readonly<Record<string, string>>): Promise<void> {
  const { data } = await lead(phase, 'deploy_headless_agent', { prompt: 'Build it' });
  const agent = String(data.agent_id);
  seen.push(await told(phase));
  stage.commit(agent, files);
  const own = await talk(stage.s, agent, 'phases');
  const said = await own.call('update_agent_progress', { status: 'completed', message: 'built' });
  await own.close();
  expect(said.data, said.text).toMatchObject({ success: true, agent_status: 'completed' });
}

/** The next reviewer who is free says so by its own server. */
async function judged(phase: string, verdict: string, findings: readonly object[] = []): Promise<void> {
  const { review_id: review, reviewers } = await stage.review(phase);
  const free = reviewers.find(({ state }) => state === 'running')?.agent_id ?? '';
  const own = await talk(stage.s, free, 'phases');
  const said = await own.call('submit_review_verdict', { review_id: review, verdict, findings });
  await own.close();
  expect(said.data.success, said.text).toBe(true);
}

it('J12: something critical against a majority sends the phase back', async () => {
  [first = '', second = ''] = await stage.plan('Design Phase', 'Implementation Phase');
  await built(first, { 'auth.txt': 'anybody may\n' });
  await judged(first, 'approve');
  await judged(first, 'approve');
  await judged(first, 'reject', [
    { severity: 'critical', title: 'Anybody may', path: 'auth.txt', line: 1, quote: 'anybody may' },
  ]);
  expect(await told(first)).toBe('REJECTED: PHASE REJECTED');
});

it('J12: fix agents mend it, and a new review asks for changes', async () => {
  const { review_id: before } = await stage.review(first);
  await built(first, { 'auth.txt': 'ada may\n' });
  const { review_id: now } = await stage.review(first);
  expect(now).not.toBe(before);
  await judged(first, 'request_changes', [{ severity: 'high', title: 'Say why', path: 'auth.txt' }]);
  await judged(first, 'approve');
  await judged(first, 'request_changes', [{ severity: 'high', title: 'Say when', path: 'auth.txt' }]);
  expect(await told(first)).toBe('REVISING: FIX REQUIRED');
});

it('J12: it is submitted again; one reviewer crashes, is replaced, and the phase passes', async () => {
  await built(first, { 'auth.txt': 'ada may, today, as she owns it\n' });
  await replaced(stage, first, 1);
  for (let n = 0; n < 3; n++) await judged(first, 'approve');
  expect(await told(first)).toBe('APPROVED: PROCEED');
  expect((await lead(first, 'advance_to_next_phase')).data.success).toBe(true);
  expect(await told(second)).toBe('ACTIVE: DEPLOY AGENTS');
});

it('J12: all reviewers crash; no new ones before the dead review was given up, and then they do', async () => {
  await built(second, { 'code.txt': 'it works\n' });
  await stage.allDie(second);
  expect(await told(second)).toBe('ESCALATED: ESCALATED - MANUAL INTERVENTION REQUIRED');
  expect((await lead(second, 'trigger_agentic_review')).data.success).toBe(false);
  expect((await lead(second, 'abort_stalled_review', { reason: 'all are dead' })).data.success).toBe(true);
  expect((await lead(second, 'trigger_agentic_review')).data.success).toBe(true);
  expect(await told(second)).toBe('UNDER_REVIEW: REVIEW IN PROGRESS');
});

it('J12: they crash again, and a person forces it, which stands in the log for ever', async () => {
  await stage.allDie(second);
  const forced = { force_escalated: true, reason: 'it works' };
  expect((await lead(second, 'approve_phase_review', forced)).data.success).toBe(false);
  const person = await stage.person(second, 'force-approve', 'I tried it', { force: 'yes' });
  expect(person.kind).toBe('done');
  expect(await told(second)).toBe('APPROVED: TASK COMPLETE');
  const last = (await movesOf(stage, second)).at(-1);
  expect(last).toMatchObject({ command: 'force-approve', by: 'ada', reason: 'I tried it' });
  const { task_id: task } = await stage.status(second);
  expect((await stage.must('', 'show', task)).data.status).toBe('completed');
  expect((await lead(second, 'advance_to_next_phase')).data.success).toBe(true);
  expect((await lead(second, 'advance_to_next_phase')).data.success).toBe(false);
  expect((await stage.must('', 'audit', 'verify')).code).toBe(0);
  expect(seen).toEqual([...['ACTIVE: WAIT', 'REVISING: FIX REQUIRED', 'ACTIVE: WAIT', 'ACTIVE: WAIT']]);
});
