import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hands, handsOf } from '../mcp/hands.ts';
import { mends, statesOf, steps } from './beside.ts';
import { CRITICAL, LEAD, openStage, type Stage } from './stage.ts';

let stage: Stage;
let hands: Hands;
let phase = '';
beforeAll(async () => {
  stage = await openStage();
  hands = await handsOf(stage.s, 'phases', [LEAD]);
  [phase = ''] = await stage.plan('Design Phase', 'Implementation Phase');
  await stage.completes(await stage.deploy(phase));
  await stage.verdict(phase, 'approve');
  await stage.verdict(phase, 'approve', [{ severity: 'low', title: 'A word is spelled wrong' }]);
  await stage.verdict(phase, 'reject', [
    CRITICAL,
    { severity: 'critical', title: 'Missing error handling in payment processing' },
  ]);
});
afterAll(async () => {
  await hands.close();
  await stage.close();
});

const call = (tool: string, more: Record<string, unknown> = {}) =>
  hands.call(LEAD, tool, { phase_id: phase, ...more });

describe('a phase in which something critical was found', () => {
  it('PHASE-60: is REJECTED, though two of three approved', async () => {
    expect((await stage.review(phase)).reviewers.map(({ verdict }) => verdict)).toEqual([
      ...['approve', 'approve', 'reject'],
    ]);
    expect((await statesOf(stage, phase)).at(-1)).toBe('REJECTED');
  });

  it('PHASE-62: get_review_status shows the findings with their severity', async () => {
    const { data } = await hands.call(LEAD, 'get_review_status', { review_id: phase });
    const { findings } = data.review as { findings: readonly { severity: string; title: string }[] };
    expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
      ['low', 'A word is spelled wrong'],
      ['critical', CRITICAL.title],
      ['critical', 'Missing error handling in payment processing'],
    ]);
  });

  it('PHASE-69: its guidance names the critical issues', async () => {
    const { data } = await call('get_phase_status');
    expect(data.guidance).toEqual({
      status: 'REJECTED',
      action: 'PHASE REJECTED: Critical issues found. Review findings and deploy fix agents.',
      blocked_reason: [
        expect.stringMatching(new RegExp(`^${CRITICAL.title} \\(F-\\d+-\\d+\\)$`)),
        expect.stringMatching(/^Missing error handling in payment processing \(F-\d+-\d+\)$/),
      ],
      escalated: false,
    });
  });

  it('PHASE-64: does not advance', async () => {
    const { data } = await call('advance_to_next_phase');
    expect(data.error_code).toBe('PHASE_NOT_APPROVED');
    expect(String(data.error)).toMatch(/^PHASE_NOT_APPROVED: Cannot advance phase/);
    expect((await statesOf(stage, phase)).at(-1)).toBe('REJECTED');
  });

  it('PHASE-65: is approved by nobody, with force or without', async () => {
    for (const force of [false, true]) {
      const { data } = await call('approve_phase_review', { force_escalated: force, reason: 'I say so' });
      expect(data).toMatchObject({ success: false, guidance: { status: 'REJECTED' } });
      expect(String(data.error)).toMatch(/^it has to be mended and reviewed again/);
      const person = await stage.person(phase, 'force-approve', 'I say so', force ? { force: 'yes' } : {});
      expect(person.kind === 'refused' && person.because).toBe('it has to be mended and reviewed again');
    }
  });

  it('PHASE-66: is rejected by nobody', async () => {
    const { data } = await call('reject_phase_review');
    expect(data.error_code).toBe('ACTION_BLOCKED');
    expect(String(data.error)).toMatch(/^BLOCKED: Manual rejection is not allowed/);
  });

  it('PHASE-63: takes new reviewers only when something was mended; a commit of nothing mends nothing', async () => {
    const { review_id: before } = await stage.review(phase);
    expect(String((await call('trigger_agentic_review')).text)).toContain(`nothing changed since ${before}`);
    await mends(stage, phase, {});
    expect(String((await call('trigger_agentic_review')).text)).toContain(`nothing changed since ${before}`);
    expect((await stage.review(phase)).review_id).toBe(before);
    await mends(stage, phase, { 'auth.txt': 'checked\n' });
    const { data } = await call('trigger_agentic_review');
    expect(data).toMatchObject({ success: true, guidance: { status: 'UNDER_REVIEW' } });
    const now = await stage.review(phase);
    expect(now.review_id).not.toBe(before);
    expect(now.reviewers.map(({ state }) => state)).toEqual(['running', 'running', 'running']);
  });
});

describe('the ways out of a rejection', () => {
  it('PHASE-61, PHASE-67: a fix agent is deployed, marked as one, and the phase is being revised', async () => {
    phase = await stage.bring('REJECTED');
    const { data } = await call('deploy_headless_agent', { prompt: 'Mend it' });
    expect(data).toMatchObject({ success: true, agent_status: 'running', guidance: { status: 'REVISING' } });
    const { agents } = await stage.status(phase);
    expect(agents.map(({ fix, status }) => [status, fix])).toEqual([
      ['completed', false],
      ['running', true],
    ]);
    expect((await statesOf(stage, phase)).slice(-2)).toEqual(['REJECTED', 'REVISING']);
  });

  it('PHASE-68: what was mended without agents makes it active, with an answer to each finding that counts', async () => {
    phase = await stage.bring('REJECTED');
    const [finding] = (await stage.review(phase)).findings;
    const answered = { fixed: `${finding?.id}: the token is checked` };
    const unmended = await steps(stage, LEAD, phase, 'fixes-applied', answered);
    expect(unmended.verdicts.map(({ because }) => because).join()).toContain('nothing changed since');
    await mends(stage, phase, { 'auth.txt': 'checked\n' });
    const silent = await steps(stage, LEAD, phase, 'fixes-applied', { fixed: 'all of it' });
    expect(silent.verdicts.map(({ because }) => because)).toContain(
      `nothing says how these were mended: ${finding?.id}`,
    );
    expect((await steps(stage, LEAD, phase, 'fixes-applied', answered)).kind).toBe('done');
    expect(await stage.state(phase)).toBe('ACTIVE');
    // Not approved by that: it goes before reviewers once more, and that is what leads on.
    expect((await stage.status(phase)).guidance.action).toMatch(/^REVIEW PENDING: Fixes applied/);
    const { out } = await stage.s.text(LEAD, 'next');
    expect(out).toContain(`phase submit ${phase}`);
    expect(out).not.toContain(`phase deploy ${phase}`);
    const { data } = await call('submit_phase_for_review');
    expect(data).toMatchObject({ success: true, guidance: { status: 'UNDER_REVIEW' } });
  });
});
