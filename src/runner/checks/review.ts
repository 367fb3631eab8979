import type { Fields } from '../fields.ts';
import { type CheckContext, type CheckResult, plainResult } from './check.ts';

/** Asks for reviews by actors outside the lineage, of the very tree that is judged. */
export interface ReviewCheck {
  readonly id: string;
  readonly kind: 'review';
  /** Roles that a review may be given in; none means any. */
  readonly by: readonly string[];
  readonly count: number;
  /** What becomes of it while reviews are missing. */
  readonly lacking: 'fail' | 'indeterminate';
}

/** Reads a review check from criteria; problems go to the fields. */
export function readReviewCheck(id: string, fields: Fields): ReviewCheck {
  const count = fields.integer('count', 1);
  if (count < 1) fields.problem('count', 'must be at least 1: a review that nobody gives is none');
  return { id, kind: 'review', by: fields.has('by') ? fields.texts('by') : [], count, lacking: 'fail' };
}

/**
 * Counts reviewers, not reviews. One rejection of this tree from outside fails it, whatever others say and whichever
 * role it was given in; reviews of another tree count for nothing.
 */
export async function runReviewCheck(
  check: ReviewCheck,
  { statements, tree }: Pick<CheckContext, 'statements' | 'tree'>,
): Promise<CheckResult> {
  const given = statements.filter(
    (one) => one.kind === 'review' && one.outside && one.digest === tree && tree !== '',
  );
  const namesOf = (outcome: 'approve' | 'reject', roles: readonly string[]) =>
    [
      ...new Set(given.filter((one) => one.outcome === outcome && fits(one, roles)).map(({ by }) => by)),
    ].sort();
  const [approving, rejecting] = [namesOf('approve', check.by), namesOf('reject', [])];
  const passed = rejecting.length === 0 && approving.length >= check.count;
  const roles = check.by.length > 0 ? ` in the role ${check.by.join(' or ')}` : '';
  const aside =
    check.lacking === 'fail'
      ? ''
      : 'nothing was changed, so somebody outside looks first (countersign review): ';
  const wanted = `${aside}${approving.length} of ${check.count} reviews${roles} by actors outside the lineage approve this tree`;
  return {
    ...plainResult,
    id: check.id,
    kind: check.kind,
    outcome: passed ? 'pass' : rejecting.length > 0 ? 'fail' : check.lacking,
    reason: passed ? '' : 'review-missing',
    explanation: rejecting.length > 0 ? `${rejecting.join(', ')} rejected this tree` : wanted,
    shows: passed ? ['review'] : [],
    notes: [
      ...approving.map((name) => `approved by ${name}`),
      ...rejecting.map((name) => `rejected by ${name}`),
    ],
  };
}

/** A person may hold a role beside being one, and speaks as both. */
const fits = ({ role, human }: { role: string; human: boolean }, roles: readonly string[]) =>
  roles.length === 0 || roles.includes(role) || (human && roles.includes('human'));
