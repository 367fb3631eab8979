import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REVIEW } from './answers.ts';
import { type Hand, handOf } from './hand.ts';
import { CRITICAL, type Found, openStage, type Stage } from './stage.ts';

let stage: Stage;
let lead: Hand;
beforeAll(async () => {
  stage = await openStage();
  lead = await handOf(stage);
});
afterAll(async () => {
  await lead.close();
  await stage.close();
});

describe('a review', () => {
  const found = (severity: Found['severity'], n: number, blocker = false): readonly Found[] =>
    Array.from({ length: n }, (_, i) => ({ severity, title: `${severity} ${i}`, blocker }));

  it('PHASE-107, PHASE-108: its fields fit while it is open and when it is closed, and findings are counted', async () => {
    const phase = await stage.bring('UNDER_REVIEW');
    const open = REVIEW.parse((await lead.does('get_phase_status', phase)).review);
    expect(open).toMatchObject({ status: 'in_progress', final_verdict: null, reviewers_submitted: 0 });
    expect(open.findings_summary).toEqual({ total: 0, critical: 0, high: 0, blockers: 0 });
    await stage.verdict(phase, 'reject', [...found('critical', 2), ...found('high', 2)]);
    await stage.verdict(phase, 'reject', [...found('high', 1), ...found('medium', 1, true)]);
    await stage.verdict(phase, 'request_changes', [...found('medium', 4), ...found('low', 5)]);
    const closed = REVIEW.parse((await lead.does('get_phase_status', phase)).review);
    expect(closed).toMatchObject({ status: 'completed', final_verdict: 'rejected', reviewers_submitted: 3 });
    expect(closed.findings_summary).toEqual({ total: 15, critical: 2, high: 3, blockers: 1 });
  });

  it.each([
    ['APPROVED', 'approved'],
    ['REJECTED', 'rejected'],
    ['REVISING', 'changes_requested'],
  ] as const)('PHASE-107: of a phase that is %s says %s', async (state, verdict) => {
    const phase = await stage.bring(state);
    const { data } = await lead.call('get_review_status', { review_id: phase });
    expect(REVIEW.parse(data.review)).toMatchObject({ status: 'completed', final_verdict: verdict });
    if (state === 'REJECTED') expect(JSON.stringify(data.review)).toContain(CRITICAL.title);
  });
});
