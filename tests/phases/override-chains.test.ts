import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hands, handsOf } from '../mcp/hands.ts';
import { talk } from '../mcp/in-memory.ts';
import { replaced, statesOf, why } from './beside.ts';
import { CONFIG, CRITICAL, LEAD, openStage, type Stage } from './stage.ts';

// What was done to systems of this kind, so that work passed that nobody had looked at.
let stage: Stage;
let hands: Hands;
beforeAll(async () => {
  stage = await openStage();
  hands = await handsOf(stage.s, 'phases', [LEAD]);
});
afterAll(async () => {
  await hands.close();
  await stage.close();
});

const now = async (phase: string) => (await statesOf(stage, phase)).at(-1);

describe('verdicts that nobody may give', () => {
  it('invented reviewer names: a name is no credential, and the tool takes none', async () => {
    const phase = await stage.bring('UNDER_REVIEW');
    const { review_id: review, reviewers } = await stage.review(phase);
    for (const name of ['reviewer-901', 'reviewer-902']) {
      const said = await stage.verdictOf(name, review, 'approve');
      expect(why(said)).toMatch(/^NO_CREDENTIAL/);
    }
    const own = await talk(stage.s, reviewers[0]?.agent_id ?? '', 'phases');
    try {
      const given = { review_id: review, verdict: 'approve', summary: 'fine' };
      const named = await own.call('submit_review_verdict', { ...given, reviewer_agent_id: 'reviewer-901' });
      expect(named.isError).toBe(true);
      expect(named.text).toContain('reviewer_agent_id');
      expect((await stage.review(phase)).reviewers_submitted).toBe(0);
      // Its own it gives, once.
      expect((await own.call('submit_review_verdict', given)).data.success).toBe(true);
      expect((await own.call('submit_review_verdict', given)).data.error).toMatch(
        /^its verdict is given, and cannot be taken back/,
      );
    } finally {
      await own.close();
    }
    expect((await stage.review(phase)).reviewers_submitted).toBe(1);
    expect(await now(phase)).toBe('UNDER_REVIEW');
  });

  it('foreign verdicts: a reviewer of another review, and one who only has the role, are heard by none', async () => {
    const [mine, other] = [await stage.bring('UNDER_REVIEW'), await stage.bring('UNDER_REVIEW')];
    const { review_id: review } = await stage.review(mine);
    for (const { agent_id: foreign } of (await stage.review(other)).reviewers)
      expect(why(await stage.verdictOf(foreign, review, 'approve'))).toBe(
        `wrong-role | the token of ${foreign} is good for other items only, not for ${(await stage.review(mine)).reviewers[0]?.reviewer_id}`,
      );
    expect(why(await stage.verdictOf('mallory', review, 'approve'))).toContain('agent is reviewer-');
    expect((await stage.review(mine)).reviewers_submitted).toBe(0);
    expect(await now(mine)).toBe('UNDER_REVIEW');
  });
});

describe('reviewers who are got rid of', () => {
  it('killing dissenters first: no tool ends a reviewer, and those that the system kills leave no quorum to the rest', async () => {
    const phase = await stage.bring('UNDER_REVIEW');
    const { reviewers } = await stage.review(phase);
    for (const { reviewer_id: id, agent_id: agent } of reviewers.slice(1))
      for (const named of [id, agent]) {
        const killed = await hands.call(LEAD, 'kill_real_agent', { agent_id: named, reason: 'it dissents' });
        expect(killed.data.error).toMatch(/^reviewers are not ended by whoever waits for their verdict/);
      }
    expect((await stage.review(phase)).reviewers_running).toBe(3);
    await stage.verdict(phase, 'approve');
    await stage.allDie(phase);
    // One approval of three that were expected is no majority, and was of the one that was left.
    expect(await stage.review(phase)).toMatchObject({
      status: 'escalated',
      reviewers_submitted: 1,
      reviewers_expected: 3,
      reviewers_crashed: 2,
      final_verdict: null,
    });
    expect(await now(phase)).toBe('ESCALATED');
    // Giving that review up does not make an outcome of it either.
    await stage.must(LEAD, 'phase', 'abort', phase, '--reason', 'they are gone');
    expect(await now(phase)).toBe('ESCALATED');
  });

  it('killing one dissenter: another takes its place, and what that one finds counts', async () => {
    const phase = await stage.bring('UNDER_REVIEW');
    await replaced(stage, phase, 2);
    await stage.verdict(phase, 'approve');
    await stage.verdict(phase, 'approve');
    expect(await now(phase)).toBe('UNDER_REVIEW');
    expect((await stage.verdict(phase, 'reject', [CRITICAL])).code).toBe(0);
    expect(await now(phase)).toBe('REJECTED');
  });

  it('force after killing all: whoever coordinates has no force, and a person has to be one', async () => {
    const phase = await stage.bring('ESCALATED');
    for (const force of [false, true]) {
      const { data } = await hands.call(LEAD, 'approve_phase_review', {
        ...{ phase_id: phase, force_escalated: force, reason: 'all reviewers are dead' },
      });
      expect(data).toMatchObject({ success: false, error: 'Only human may force-approve this item' });
    }
    const asPerson = await stage.s.say('', 'phase', 'approve', phase, '--force', '--reason', 'I am ada');
    expect(why(asPerson)).toMatch(/^NO_CREDENTIAL \| this process has no terminal/);
    expect(await now(phase)).toBe('ESCALATED');
    expect((await stage.must('', 'audit', 'verify')).code).toBe(0);
  });
});

describe('outcomes that were not decided', () => {
  it('what blocks goes before the majority, whoever says approve', async () => {
    const phase = await stage.bring('UNDER_REVIEW');
    await stage.verdict(phase, 'approve');
    // Who approves and names something critical does not approve.
    await stage.verdict(phase, 'approve', [CRITICAL]);
    await stage.verdict(phase, 'approve');
    expect((await stage.review(phase)).reviewers.map(({ verdict, state }) => [verdict, state])).toEqual([
      ['approve', 'approve'],
      ['approve', 'reject'],
      ['approve', 'approve'],
    ]);
    expect(await now(phase)).toBe('REJECTED');
  });

  it('a tie blocks', async () => {
    stage.s.repo.commit({ '.countersign/config.yaml': CONFIG().replace('reviewers: 3', 'reviewers: 2') });
    const phase = await stage.bring('UNDER_REVIEW');
    await stage.verdict(phase, 'approve');
    await stage.verdict(phase, 'request_changes', [{ severity: 'high', title: 'Mend it' }]);
    expect(await now(phase)).toBe('REVISING');
  });
});
