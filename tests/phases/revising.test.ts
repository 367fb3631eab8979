import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runIn } from '../fixtures/scratch-repo.ts';
import { type Hands, handsOf } from '../mcp/hands.ts';
import { mends, statesOf } from './beside.ts';
import { CHANGE, LEAD, openStage, type Stage } from './stage.ts';

const SECOND = { severity: 'high', title: 'Implement proper error boundaries' } as const;

let stage: Stage;
let hands: Hands;
let phase = '';
const call = (tool: string, more: Record<string, unknown> = {}) =>
  hands.call(LEAD, tool, { phase_id: phase, ...more });

/** Changes were requested: two of three reviewers ask for something. */
async function revising(): Promise<string> {
  const [first = ''] = await stage.plan('Design Phase', 'Implementation Phase');
  await stage.completes(await stage.deploy(first));
  await stage.verdict(first, 'approve');
  await stage.verdict(first, 'request_changes', [CHANGE]);
  await stage.verdict(first, 'request_changes', [SECOND]);
  return first;
}

beforeAll(async () => {
  stage = await openStage();
  hands = await handsOf(stage.s, 'phases', [LEAD]);
  phase = await revising();
});
afterAll(async () => {
  await hands.close();
  await stage.close();
});

describe('a phase whose reviewers request changes', () => {
  it('PHASE-70: is REVISING', async () => {
    expect((await statesOf(stage, phase)).at(-1)).toBe('REVISING');
    expect((await stage.review(phase)).final_verdict).toBe('changes_requested');
  });

  it('PHASE-79: its guidance lists what is requested', async () => {
    const { data } = await call('get_phase_status');
    expect(data.guidance).toEqual({
      status: 'REVISING',
      action: 'FIX REQUIRED: Address blockers and re-submit for review.',
      blocked_reason: [CHANGE, SECOND].map(({ title }) => expect.stringContaining(title)),
      escalated: false,
    });
  });

  it('PHASE-74, PHASE-76: neither advances nor is rejected by hand', async () => {
    const advanced = await call('advance_to_next_phase');
    expect(String(advanced.data.error)).toMatch(/^PHASE_NOT_APPROVED: Cannot advance phase/);
    const rejected = await call('reject_phase_review');
    expect(String(rejected.data.error)).toMatch(/^BLOCKED: Manual rejection is not allowed/);
    expect((await statesOf(stage, phase)).at(-1)).toBe('REVISING');
  });

  it('PHASE-75: is approved by nobody, with force or without', async () => {
    for (const force of [false, true]) {
      const { data } = await call('approve_phase_review', { force_escalated: force, reason: 'I say so' });
      expect(String(data.error)).toMatch(/^it has to be mended and reviewed again/);
      const person = await stage.person(phase, 'force-approve', 'I say so', force ? { force: 'yes' } : {});
      expect(person.kind === 'refused' && person.because).toBe('it has to be mended and reviewed again');
    }
  });

  it('PHASE-72, PHASE-78: is submitted again when it was mended, and not before; the review is a new one', async () => {
    const { review_id: before } = await stage.review(phase);
    expect((await call('submit_phase_for_review')).text).toContain(`nothing changed since ${before}`);
    await mends(stage, phase, { 'form.txt': 'validated\n' });
    expect((await call('submit_phase_for_review')).data.success).toBe(true);
    expect((await statesOf(stage, phase)).slice(-3)).toEqual(['REVISING', 'AWAITING_REVIEW', 'UNDER_REVIEW']);
    const now = await stage.review(phase);
    expect(now.review_id).not.toBe(before);
    expect(now.reviewers_submitted).toBe(0);
  });
});

describe('fix agents', () => {
  it('PHASE-71, PHASE-77: one that is deployed where changes are requested makes the phase active', async () => {
    phase = await revising();
    const { data } = await call('deploy_headless_agent', { prompt: 'Validate the form' });
    expect(data).toMatchObject({ success: true, agent_status: 'running', guidance: { status: 'ACTIVE' } });
    expect((await stage.status(phase)).agents.at(-1)).toMatchObject({ fix: true, status: 'running' });
  });

  it('PHASE-73: its output is there to be read', async () => {
    const agent = (await stage.status(phase)).agents.at(-1)?.agent_id;
    let text = '';
    // It writes what it was told as soon as it runs.
    for (let n = 0; n < 100 && !text.includes('Validate the form'); n++) {
      const { data } = await hands.call(LEAD, 'get_agent_output', { agent_id: agent });
      text = (data.output as { text: string }).text;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(text).toContain('Validate the form');
    expect(text).toContain(`[high] ${CHANGE.title}`);
  });

  it('CH-06: one that commits nothing new brings no other reviewers', async () => {
    const agent = (await stage.status(phase)).agents.at(-1)?.agent_id ?? '';
    const { review_id: before } = await stage.review(phase);
    runIn(join(stage.trees, agent), ['commit', '-q', '--allow-empty', '-m', 'all is well']);
    expect((await stage.s.say(agent, 'agent', 'progress', 'completed', '--message', 'done')).code).toBe(0);
    expect((await statesOf(stage, phase)).at(-1)).toBe('ACTIVE');
    expect((await stage.review(phase)).review_id).toBe(before);
    expect((await call('submit_phase_for_review')).text).toContain(`nothing changed since ${before}`);
    // Nothing of it is left behind.
    await stage.strike(agent);
    await stage.must('', 'tick');
    expect(stage.s.repo.git('branch', '--list', `*.${agent}`)).toBe('');
  });

  it('CH-05, CH-20: after a rejection they work while it is REVISING, and the last one submits it', async () => {
    phase = await stage.bring('REJECTED');
    const [one, two] = [await stage.deploy(phase, 'Mend one'), await stage.deploy(phase, 'Mend two')];
    expect(await stage.state(phase)).toBe('REVISING');
    expect((await stage.status(phase)).guidance.action).toContain('2 fix agents still working');
    expect((await call('submit_phase_for_review')).text).toContain(`${one}`);
    await stage.completes(one);
    expect(await stage.state(phase)).toBe('REVISING');
    await stage.completes(two);
    expect((await statesOf(stage, phase)).slice(-4)).toEqual([
      ...['REJECTED', 'REVISING', 'AWAITING_REVIEW', 'UNDER_REVIEW'],
    ]);
  });
});
