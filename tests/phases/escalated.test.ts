import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hands, handsOf } from '../mcp/hands.ts';
import { movesOf, statesOf, steps } from './beside.ts';
import { LEAD, openStage, type Stage } from './stage.ts';

let stage: Stage;
let hands: Hands;
let phase = '';
beforeAll(async () => {
  stage = await openStage();
  hands = await handsOf(stage.s, 'phases', [LEAD]);
  phase = await stage.bring('ESCALATED', ['Only Phase']);
});
afterAll(async () => {
  await hands.close();
  await stage.close();
});

const call = (tool: string, more: Record<string, unknown> = {}) =>
  hands.call(LEAD, tool, { phase_id: phase, ...more });

describe('a phase all of whose reviewers died', () => {
  it('PHASE-80, PHASE-89: is ESCALATED, with both ways on and how many ended without a verdict', async () => {
    const { data } = await call('get_phase_status');
    expect(data.guidance).toEqual({
      status: 'ESCALATED',
      action:
        'ESCALATED - MANUAL INTERVENTION REQUIRED: All reviewers crashed. Options: (1) Use abort_stalled_review and trigger_agentic_review to retry with new reviewers, (2) Use approve_phase_review with force flag if work is actually complete.',
      blocked_reason: ['All 3 reviewer agents terminated without submitting verdicts'],
      escalated: true,
    });
    expect((await statesOf(stage, phase)).at(-1)).toBe('ESCALATED');
  });

  it('is told with why each of them says nothing, by every face that shows its review', async () => {
    const why = /reviewer-\d+ dead: it ended without a verdict: killed/g;
    for (const words of ['status', 'review'])
      expect((await stage.s.text(LEAD, 'phase', words, phase)).out.match(why)).toHaveLength(3);
    expect((await call('get_phase_status')).text.match(why)).toHaveLength(3);
    const { text } = await hands.call(LEAD, 'get_review_status', { review_id: phase });
    expect(text.match(why)).toHaveLength(3);
  });

  it('PHASE-84, PHASE-85, PHASE-86: takes no agent, does not advance, is rejected by nobody', async () => {
    const deployed = await call('deploy_headless_agent', { prompt: 'Go on' });
    expect(String(deployed.data.error)).toMatch(/^resolve the review first/);
    const advanced = await call('advance_to_next_phase');
    expect(String(advanced.data.error)).toMatch(/^PHASE_NOT_APPROVED: Cannot advance phase/);
    const rejected = await call('reject_phase_review');
    expect(String(rejected.data.error)).toMatch(/^BLOCKED: Manual rejection is not allowed/);
    expect((await stage.status(phase)).agents).toHaveLength(1);
    expect((await statesOf(stage, phase)).at(-1)).toBe('ESCALATED');
  });

  it('PHASE-87: takes no new reviewers before the dead review was given up', async () => {
    const { data } = await call('trigger_agentic_review');
    expect(data).toMatchObject({ success: false, guidance: { status: 'ESCALATED' } });
    expect((await stage.review(phase)).status).toBe('escalated');
  });

  it('PHASE-81: its review is closed as aborted, and the phase stays as it is', async () => {
    const { data } = await call('abort_stalled_review', { reason: 'they are dead' });
    expect(data).toMatchObject({
      success: true,
      guidance: { status: 'ESCALATED' },
      review: { status: 'aborted' },
    });
    // What was given up is not given up again.
    const { action } = data.guidance as { action: string };
    expect(action).toContain('(1) Use trigger_agentic_review to retry with new reviewers, (2) Use approve');
    expect((await call('abort_stalled_review', { reason: 'again' })).data.success).toBe(false);
  });

  it('PHASE-82, PHASE-87: then new reviewers judge it, in a review of their own', async () => {
    const before = await stage.review(phase);
    expect((await call('trigger_agentic_review')).data.success).toBe(true);
    expect((await statesOf(stage, phase)).slice(-3)).toEqual([
      ...['ESCALATED', 'AWAITING_REVIEW', 'UNDER_REVIEW'],
    ]);
    const now = await stage.review(phase);
    expect(now.review_id).not.toBe(before.review_id);
    const old = before.reviewers.map(({ reviewer_id }) => reviewer_id);
    expect(now.reviewers.map(({ state }) => state)).toEqual(['running', 'running', 'running']);
    expect(now.reviewers.some(({ reviewer_id }) => old.includes(reviewer_id))).toBe(false);
    for (let n = 0; n < 3; n++) await stage.verdict(phase, 'approve');
    expect((await statesOf(stage, phase)).at(-1)).toBe('APPROVED');
  });

  it('PHASE-91: the last approval ends the task, and advancing is taken once and leaves no phase alive', async () => {
    const { task_id: task } = await stage.status(phase);
    expect((await stage.must('', 'show', task)).data.status).toBe('completed');
    expect((await call('advance_to_next_phase')).data).toMatchObject({
      success: true,
      guidance: { status: 'COMPLETED' },
    });
    expect((await call('advance_to_next_phase')).data.success).toBe(false);
    const { data } = await stage.must('', 'phase', 'list', task);
    const phases = data as unknown as readonly { guidance: { status: string } }[];
    expect(phases.map(({ guidance }) => guidance.status)).toEqual(['COMPLETED']);
  });

  it('PHASE-90: COMPLETED is the end: no tool that changes phases does anything to it', async () => {
    const before = await stage.s.snapshot(phase);
    for (const [tool, more] of [
      ['deploy_headless_agent', { prompt: 'Go on' }],
      ['submit_phase_for_review', {}],
      ['advance_to_next_phase', {}],
      ['trigger_agentic_review', {}],
      ['reject_phase_review', {}],
      ['approve_phase_review', { force_escalated: true, reason: 'I say so' }],
      ['abort_stalled_review', { reason: 'I say so' }],
    ] as const)
      expect((await call(tool, more)).data.success, tool).toBe(false);
    for (const command of ['force-approve', 'deploy', 'trigger', 'escalate'])
      expect((await stage.person(phase, command, 'I say so', { force: 'yes' })).kind, command).toBe(
        'refused',
      );
    expect(await stage.s.snapshot(phase)).toBe(before);
  });
});

describe('approval by force', () => {
  it('PHASE-83, PHASE-88: only by a person who says force; who and why stand in the log and in the handover', async () => {
    phase = await stage.bring('ESCALATED');
    const tool = { force_escalated: true, reason: 'I coordinate this' };
    expect((await call('approve_phase_review', tool)).data).toMatchObject({
      success: false,
      error: 'Only human may force-approve this item',
    });
    const plain = await stage.person(phase, 'force-approve', 'it is complete');
    expect(plain.kind).toBe('refused');
    // A person's name without a person at a terminal is nobody's word.
    expect((await steps(stage, '', phase, 'force-approve', { force: 'yes' })).kind).toBe('refused');
    expect((await statesOf(stage, phase)).at(-1)).toBe('ESCALATED');
    const forced = await stage.person(phase, 'force-approve', 'I read it myself', { force: 'yes' });
    expect(forced.kind).toBe('done');
    const move = (await movesOf(stage, phase)).at(-1);
    expect(move).toMatchObject({ from: 'ESCALATED', to: 'APPROVED', by: 'ada', reason: 'I read it myself' });
    expect(move?.proof).not.toBe('');
    const { data } = await call('get_phase_handover');
    expect(data.handover).toContain('**Approved by force** by ada');
    expect(data.handover).toContain('I read it myself');
    // Marked for ever: also after the phase is done.
    await stage.must(LEAD, 'phase', 'advance', phase);
    expect((await call('get_phase_handover')).data.handover).toContain('**Approved by force** by ada');
  });
});
