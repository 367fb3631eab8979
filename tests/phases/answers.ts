import { z } from 'zod';
import { PHASE_STATES } from './stage.ts';

/** What the answers of the profile have to fit (PHASE-105 to PHASE-108). */
const guidance = z.strictObject({
  status: z.enum(PHASE_STATES as unknown as [string, ...string[]]),
  action: z.string().min(1),
  blocked_reason: z.null().or(z.array(z.string().min(1)).min(1)),
  escalated: z.boolean(),
});
const count = z.number().int().min(0);
export const REVIEW = z.object({
  review_id: z.string().regex(/^review-\d+$/),
  status: z.enum(['in_progress', 'completed', 'aborted', 'escalated']),
  reviewers_submitted: count,
  reviewers_expected: count,
  final_verdict: z.null().or(z.enum(['approved', 'rejected', 'changes_requested'])),
  findings_summary: z.strictObject({ total: count, critical: count, high: count, blockers: count }),
});
export const ANSWER = z.object({ success: z.boolean(), guidance, review: REVIEW.nullable() });
