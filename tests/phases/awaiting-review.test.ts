import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORCE, type Hand, handOf, IN_REVIEW, NO_REJECTION, NOT_APPROVED, ORDER, waysOf } from './hand.ts';
import { heldBack } from './held-back.ts';
import { CONFIG, openStage, type Stage } from './stage.ts';

const BROKEN = `  broken: {adapter: command, command: [/nowhere/to/be/found]}\n`;

let stage: Stage;
let lead: Hand;
let phase = '';
let release: () => Promise<void>;
beforeAll(async () => {
  stage = await openStage({ config: CONFIG('', BROKEN) });
  lead = await handOf(stage);
  [phase = ''] = await stage.plan('Design Phase', 'Implementation Phase');
  const agent = await stage.deploy(phase);
  stage.commit(agent);
  release = await heldBack(stage.s, phase, agent);
});
afterAll(async () => {
  await lead.close();
  await stage.close();
});

describe('AWAITING_REVIEW', () => {
  it('PHASE-26: the work is handed in, and its reviewers are not there yet', async () => {
    expect(await stage.state(phase)).toBe('AWAITING_REVIEW');
    await stage.must('', 'tick');
    expect(await stage.state(phase)).toBe('AWAITING_REVIEW');
  });

  it('PHASE-27, PHASE-35: its status tells that reviewers are on their way', async () => {
    const { success, guidance, review } = await lead.does('get_phase_status', phase);
    expect(success).toBe(true);
    expect(guidance).toEqual({
      status: 'AWAITING_REVIEW',
      action: 'REVIEWERS SPAWNING: Agentic reviewers being deployed. Wait for UNDER_REVIEW status.',
      blocked_reason: null,
      escalated: false,
    });
    expect(review).toMatchObject({ status: 'in_progress', final_verdict: null });
  });

  it('PHASE-28: its review tells how many are expected, and how many are deployed', async () => {
    const { data } = await lead.call('get_review_status', { review_id: phase });
    expect(data.review).toMatchObject({
      reviewers_expected: 3,
      reviewers_spawning: 3,
      reviewers_running: 0,
      reviewers_submitted: 0,
    });
  });

  it('PHASE-29: no agent is deployed', async () => {
    await lead.refused('deploy_headless_agent', phase, 'the work of the phase is complete', ORDER);
    expect((await stage.status(phase)).agents).toHaveLength(1);
  });

  it('PHASE-30: it is submitted already, and not put before others', async () => {
    const { review_id } = await stage.review(phase);
    await lead.refused('submit_phase_for_review', phase, 'the phase is already submitted');
    expect((await stage.review(phase)).review_id).toBe(review_id);
  });

  it('PHASE-31: it is not advanced', async () => {
    const { error_code } = await lead.refused('advance_to_next_phase', phase, NOT_APPROVED);
    expect(error_code).toBe('PHASE_NOT_APPROVED');
  });

  it('PHASE-32: nobody approves it, a person neither', async () => {
    for (const more of [{}, FORCE]) {
      const { error_code } = await lead.refused('approve_phase_review', phase, IN_REVIEW, more);
      expect(error_code).toBe('ACTION_BLOCKED');
    }
    const forced = await stage.person(phase, 'force-approve', 'now', { force: 'yes' });
    expect(forced).toMatchObject({ kind: 'refused', because: IN_REVIEW });
  });

  it('PHASE-33: nobody rejects it', async () => {
    await lead.refused('reject_phase_review', phase, NO_REJECTION);
  });

  it('a verdict before the reviewers are there is nobody’s', async () => {
    const mallory = await handOf(stage, 'mallory');
    const said = await mallory.call('submit_review_verdict', { review_id: phase, verdict: 'approve' });
    await mallory.close();
    expect(said.isError).toBe(true);
    expect(await stage.state(phase)).toBe('AWAITING_REVIEW');
  });

  it('PHASE-34: is under review when its reviewers have been started, as many as are expected', async () => {
    await release();
    const details = await stage.review(phase);
    expect(await stage.state(phase)).toBe('UNDER_REVIEW');
    expect(details).toMatchObject({ reviewers_expected: 3, reviewers_running: 3, reviewers_spawning: 0 });
    expect(await waysOf(stage, phase)).toContain('AWAITING_REVIEW>UNDER_REVIEW  by engine');
    await stage.s.with(async ({ ports }) => {
      for (const { agent_id } of details.reviewers)
        expect((await ports.agents.look(agent_id)).state).toBe('running');
    });
  });
});

it('a phase whose reviewers cannot be started, twice each, is escalated', async () => {
  const other = await openStage({
    config: CONFIG('reviewer_agents: [broken]', BROKEN),
  });
  const [one = ''] = await other.plan('A');
  expect((await other.completes(await other.deploy(one))).code).toBe(0);
  // What a watcher reports may be trying the second time at this very moment.
  for (let n = 0; n < 100 && (await other.state(one)) !== 'ESCALATED'; n++)
    await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await waysOf(other, one)).toContain('AWAITING_REVIEW>ESCALATED  by engine');
  expect(await other.review(one)).toMatchObject({ reviewers_crashed: 3, status: 'escalated' });
  await other.close();
});
