import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hand, handOf, ORDER, waysOf } from './hand.ts';
import { CONFIG, LEAD, openStage, type Stage } from './stage.ts';

// A project that submits by hand.
let stage: Stage;
let lead: Hand;
let phase = '';
beforeAll(async () => {
  stage = await openStage({ config: CONFIG('auto_submit: false') });
  lead = await handOf(stage);
  [phase = ''] = await stage.plan('Design Phase', 'Implementation Phase');
});
afterAll(async () => {
  await lead.close();
  await stage.close();
});

describe('a phase that is submitted by hand', () => {
  it('is not submitted before an agent has completed, nor while one works', async () => {
    await lead.refused('submit_phase_for_review', phase, 'submit is not open yet');
    const [one = '', two = ''] = [await stage.deploy(phase), await stage.deploy(phase)];
    await stage.completes(one);
    const { missing } = await lead.refused('submit_phase_for_review', phase, 'submit is not open yet');
    expect(JSON.stringify(missing)).toContain(two);
    await stage.completes(two);
  });

  it('PHASE-25: tells that its review is pending when all agents are done', async () => {
    expect((await stage.status(phase)).guidance).toEqual({
      status: 'ACTIVE',
      action: 'REVIEW PENDING: All agents done. Use submit_phase_for_review.',
      blocked_reason: null,
      escalated: false,
    });
  });

  it('PHASE-17, PHASE-22: is handed in by that, with its reviewers, and told which way is better', async () => {
    const told = await lead.does('submit_phase_for_review', phase);
    expect(told.note).toMatch(/^Auto-submit is preferred/);
    expect(told.guidance.status).toBe('UNDER_REVIEW');
    expect((await waysOf(stage, phase)).slice(-2)).toEqual([
      `ACTIVE>AWAITING_REVIEW submit by ${LEAD}`,
      'AWAITING_REVIEW>UNDER_REVIEW  by engine',
    ]);
    expect(await stage.review(phase)).toMatchObject({ reviewers_expected: 3, reviewers_running: 3 });
  });
});

it('PHASE-111: agents of the next phase begin from what the one before handed over', async () => {
  for (let n = 0; n < 3; n++) await stage.verdict(phase, 'approve');
  const { handover } = await lead.does('get_phase_handover', phase);
  await lead.does('advance_to_next_phase', phase);
  const { data } = await stage.must('', 'phase', 'list', phase);
  const next = (data as unknown as readonly { phase_id: string }[])[1]?.phase_id ?? '';
  const { agent_id } = await lead.does('deploy_headless_agent', next, ORDER);
  const told = async () => {
    const { data: said } = await lead.call('get_agent_output', { agent_id });
    return (said.output as { text: string }).text;
  };
  await expect.poll(told).toContain('How it is done here');
  expect(await told()).toContain(`## Handover of the phase before\n\n${String(handover).trim()}`);
  expect(await lead.does('get_phase_handover', phase)).toMatchObject({ handover });
});
