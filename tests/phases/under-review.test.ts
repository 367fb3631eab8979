import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORCE, type Hand, handOf, IN_REVIEW, NO_REJECTION, NOT_APPROVED, ORDER, waysOf } from './hand.ts';
import { CHANGE, CRITICAL, LEAD, openStage, type Stage, type Verdict } from './stage.ts';

let stage: Stage;
let lead: Hand;
let phase = '';
beforeAll(async () => {
  stage = await openStage();
  lead = await handOf(stage);
  phase = await stage.bring('UNDER_REVIEW');
});
afterAll(async () => {
  await lead.close();
  await stage.close();
});

/** A phase on which reviewers say these words; how it stood before the last of them, and after. */
async function judged(...words: readonly Verdict[]) {
  const one = await stage.bring('UNDER_REVIEW');
  let before = '';
  for (const word of words) {
    before = await stage.state(one);
    const found = { approve: [], request_changes: [CHANGE], reject: [CRITICAL] }[word];
    expect((await stage.verdict(one, word, found)).code).toBe(0);
  }
  return { one, before, now: await stage.state(one), last: (await waysOf(stage, one)).at(-1) };
}

describe('UNDER_REVIEW', () => {
  it('PHASE-36: its reviewers read', async () => {
    expect(await stage.state(phase)).toBe('UNDER_REVIEW');
    const { reviewers } = await stage.review(phase);
    expect(reviewers.map(({ state }) => state)).toEqual(['running', 'running', 'running']);
  });

  it('PHASE-38: what a single reviewer has written is read', async () => {
    const [reviewer] = (await stage.review(phase)).reviewers;
    const text = async () => {
      const { data } = await lead.call('get_agent_output', { agent_id: reviewer?.reviewer_id });
      return (data.output as { text: string }).text;
    };
    await expect.poll(text).toContain(`You are ${reviewer?.agent_id}, a reviewer of`);
  });

  it('PHASE-40: no agent is deployed', async () => {
    await lead.refused('deploy_headless_agent', phase, 'the work of the phase is complete', ORDER);
  });

  it('PHASE-41: it is not submitted again', async () => {
    const { review_id } = await stage.review(phase);
    await lead.refused('submit_phase_for_review', phase, 'the phase is already in review');
    expect((await stage.review(phase)).review_id).toBe(review_id);
  });

  it('PHASE-42: it is not advanced', async () => {
    const { error_code } = await lead.refused('advance_to_next_phase', phase, NOT_APPROVED);
    expect(error_code).toBe('PHASE_NOT_APPROVED');
  });

  it('PHASE-43: nobody approves it, with and without force, a person neither', async () => {
    for (const more of [{}, FORCE]) {
      const { error_code } = await lead.refused('approve_phase_review', phase, IN_REVIEW, more);
      expect(error_code).toBe('ACTION_BLOCKED');
    }
    const forced = await stage.person(phase, 'force-approve', 'now', { force: 'yes' });
    expect(forced).toMatchObject({ kind: 'refused', because: IN_REVIEW });
    expect(await stage.state(phase)).toBe('UNDER_REVIEW');
  });

  it('PHASE-44: nobody rejects it', async () => {
    await lead.refused('reject_phase_review', phase, NO_REJECTION);
  });

  it('PHASE-39: reviewers who are well cannot be given up', async () => {
    await lead.refused('abort_stalled_review', phase, 'abort is not open yet', { reason: 'it takes long' });
    expect((await stage.review(phase)).status).toBe('in_progress');
  });

  it('PHASE-37, PHASE-49: tells how many verdicts are in, of how many', async () => {
    await stage.verdict(phase, 'approve');
    await stage.verdict(phase, 'approve');
    const { guidance, review } = await lead.does('get_phase_status', phase);
    expect(guidance).toEqual({
      status: 'UNDER_REVIEW',
      action: 'REVIEW IN PROGRESS: 2/3 reviewers submitted. Wait for verdicts.',
      blocked_reason: null,
      escalated: false,
    });
    expect(review).toMatchObject({ reviewers_submitted: 2, reviewers_expected: 3 });
    const { data } = await lead.call('get_review_status', { review_id: phase });
    expect(data.review).toMatchObject({ reviewers_submitted: 2, reviewers_expected: 3 });
  });
});

describe('verdicts', () => {
  it('PHASE-45: a majority that approves, approves', async () => {
    const { before, now, last, one } = await judged('approve', 'approve', 'request_changes');
    expect([before, now]).toEqual(['UNDER_REVIEW', 'APPROVED']);
    expect(last).toBe('UNDER_REVIEW>APPROVED  by engine');
    expect((await stage.review(one)).final_verdict).toBe('approved');
  });

  it('PHASE-46: one who found something critical rejects, whatever the majority says', async () => {
    const { before, now, last } = await judged('approve', 'approve', 'reject');
    expect([before, now]).toEqual(['UNDER_REVIEW', 'REJECTED']);
    expect(last).toBe('UNDER_REVIEW>REJECTED  by engine');
  });

  it('PHASE-47: a majority that asks for changes sends it back', async () => {
    const { before, now, last } = await judged('approve', 'request_changes', 'request_changes');
    expect([before, now]).toEqual(['UNDER_REVIEW', 'REVISING']);
    expect(last).toBe('UNDER_REVIEW>REVISING  by engine');
  });

  it('PHASE-48: when every reviewer is dead it is escalated', async () => {
    const one = await stage.bring('UNDER_REVIEW');
    const { reviewers } = await stage.review(one);
    for (const { agent_id } of reviewers.slice(1)) await stage.strike(agent_id);
    await stage.must('', 'tick');
    expect(await stage.state(one)).toBe('UNDER_REVIEW');
    await stage.allDie(one);
    expect(await stage.state(one)).toBe('ESCALATED');
    expect(await waysOf(stage, one)).toContain('UNDER_REVIEW>ESCALATED  by engine');
    expect(await stage.review(one)).toMatchObject({ reviewers_crashed: 3, reviewers_submitted: 0 });
  });
});

// It moves the clock: what comes after it has waited.
describe('a review that stalls', () => {
  it('PHASE-39: is given up when those who are missing have been silent for too long', async () => {
    const one = await stage.bring('UNDER_REVIEW');
    await stage.verdict(one, 'approve');
    await stage.verdict(one, 'approve');
    const abort = () => stage.s.say(LEAD, 'phase', 'abort', one, '--reason', 'it does not answer');
    // By the clock of the machine, which the words of agents go by: that of the session runs ahead of it.
    const later = (minutes: number) => stage.s.at(new Date(Date.now() + minutes * 60_000).toISOString());
    later(9);
    expect((await abort()).code).not.toBe(0);
    later(11);
    const said = await abort();
    expect([said.code, said.out]).toEqual([0, expect.stringContaining('APPROVED')]);
    expect(await stage.review(one)).toMatchObject({ reviewers_submitted: 2, final_verdict: 'approved' });
  });
});
