import type { Fields } from '../fields.ts';
import { type CheckContext, type CheckResult, plainResult } from './check.ts';

/** Asks for a person's word on the very tree that is judged. */
export interface ApprovalCheck {
  readonly id: string;
  readonly kind: 'approval';
}

/** Reads an approval check from criteria; it has no keys of its own. */
export const readApprovalCheck = (id: string, _fields: Fields): ApprovalCheck => ({ id, kind: 'approval' });

/** Passes with one approval by a person. A person who rejects this tree stands against any approval. */
export async function runApprovalCheck(
  check: ApprovalCheck,
  { statements, tree }: Pick<CheckContext, 'statements' | 'tree'>,
): Promise<CheckResult> {
  const given = statements.filter(
    (one) => one.kind === 'approval' && one.human && one.digest === tree && tree !== '',
  );
  const [approving, rejecting] = (['approve', 'reject'] as const).map((outcome) =>
    given.filter((one) => one.outcome === outcome).map(({ by }) => by),
  );
  const by = approving?.[0];
  const against = rejecting?.[0];
  const passed = by !== undefined && against === undefined;
  const missing = 'no person has approved this tree; what anybody else says is no approval';
  return {
    ...plainResult,
    id: check.id,
    kind: check.kind,
    outcome: passed ? 'pass' : 'fail',
    reason: passed ? '' : 'approval-missing',
    explanation:
      against !== undefined ? `${against} rejected this tree` : passed ? `${by} approved this tree` : missing,
    shows: passed ? ['approval'] : [],
  };
}
