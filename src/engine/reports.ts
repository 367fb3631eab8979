import { latestEvidence } from '../kernel/freshness.ts';
import { accountability, strengthOf, verdictOf } from './accountability.ts';
import { claimStep } from './gates.ts';
import type { Handle } from './handle.ts';
import type { Progress } from './query.ts';
import { isWeak } from './weak.ts';

/** How sure the verdict on the present attempt is, in words that stand wherever it is shown. */
export function standing({ item }: Handle): string {
  const held = standingOf(item);
  return isWeak(item) ? `${held}, weakly: the team is too small for three pairs of eyes` : held;
}

function standingOf(item: Handle['item']): string {
  const verdict = verdictOf(item, item.attempt);
  if (verdict === undefined) return 'not verified';
  if (verdict.outcome !== 'PASSED') return 'not verified: blocked';
  switch (verdict.independence) {
    case 'automated':
      return 'verified: automated, not independent';
    case 'sibling':
      return 'verified: asked for by a sibling of the builder';
    case 'other-lineage':
      return 'verified: asked for from outside the builder\u2019s lineage';
    case 'human':
      return 'verified: confirmed by a person';
  }
}

/** How much the checks of the verdict say, as a line of its own wherever the standing is told; '' without a pass. */
export const strengthLine = ({ item }: Handle): string => strengthOf(verdictOf(item, item.attempt));

/** True when the present attempt was claimed as needing no change. */
export const claimsNoChange = ({ item }: Handle): boolean =>
  claimStep(item, item.attempt)?.facts.no_change === true;

/** What a claimant tells: that it is done, with what evidence, and that nobody has confirmed it yet (2PC-58). */
export function claimReport(handle: Handle): string {
  const claimed = handle.item.steps.at(-1);
  const { commit, changed, evidence } = claimed?.facts ?? {};
  const files = Array.isArray(evidence) ? evidence.length : 0;
  return [
    `${handle.display}: implementation said to be complete by ${claimed?.by} at commit ${String(commit).slice(0, 12)}.`,
    ...(claimsNoChange(handle) ? ['No change was claimed.'] : []),
    `Evidence recorded: ${String(changed)} changed paths, ${files} evidence files.`,
    'Status: CLAIMED. Verification is required before completion.',
  ].join('\n');
}

/** What a run that failed came to: the block of its list, or in other protocols the way back to the work. */
export function failedReport(
  handle: Handle,
  { failures, path }: { readonly failures: readonly string[]; readonly path: string },
): string {
  if (handle.item.state === 'blocked') return hardBlockReport(handle);
  return [
    `VERIFICATION FAILED for ${handle.display} ${handle.item.title}: it is ${handle.item.state.toUpperCase()}`,
    ...failures.map((failure, i) => `  ${i + 1}. ${failure}`),
    `Evidence: ${path}`,
  ].join('\n');
}

/** What stops the list, and the way on (2PC-79, 2PC-80). */
export function hardBlockReport(handle: Handle): string {
  const told = accountability(handle);
  const n = told.failures.length;
  return [
    `TASK BLOCKED: verification failed for ${told.item}`,
    '',
    `Task: ${told.title}`,
    `Claimed by: ${told.implemented_by} at ${told.claimed_at}`,
    `Verified by: ${told.verified_by} at ${told.verified_at} (asked for by ${told.requested_by})`,
    '',
    `Failed verifications (${n}):`,
    ...told.failures.map((failure, i) => `  ${i + 1}. ${failure}`),
    '',
    `Evidence: ${told.evidence}`,
    '',
    'Required actions:',
    `  1. Fix ${n === 1 ? 'the failed verification' : `all ${n} failed verifications`}`,
    `  2. The item is reset to PENDING (countersign ack ${told.item}, then countersign retry ${told.item})`,
    `  3. ${told.implemented_by} implements it again and claims it`,
    '  4. Verification runs again, in full',
    '',
    'Work on this list cannot go on until ALL verifications pass.',
  ].join('\n');
}

/** Who did, who confirmed, where the evidence is (2PC-73, 2PC-87). */
export function completionReport(handle: Handle): string {
  const told = accountability(handle);
  return [
    `${told.item} completed with verification: ${told.title}`,
    `- Implementation: ${told.implemented_by} at ${told.claimed_at}`,
    ...(claimsNoChange(handle) ? ['- Change: no change was claimed'] : []),
    `- Verification: ${told.verified_by} at ${told.verified_at} (${standing(handle)})`,
    `- Strength: ${strengthLine(handle) || 'not recorded'}`,
    ...told.waived.map((waived) => `- Waived: ${waived}`),
    `- Evidence: ${told.evidence}`,
  ].join('\n');
}

/** The five questions of accountability, answered or plainly not yet (2PC-87). */
export function accountabilityView(handle: Handle): string {
  const told = accountability(handle);
  const or = (value: string) => value || 'not yet';
  return [
    `implemented by  ${or(told.implemented_by)}`,
    `claimed at      ${or(told.claimed_at)}`,
    ...(claimsNoChange(handle) ? ['change          no change was claimed'] : []),
    `verified by     ${told.verified_by === '' ? 'not yet' : `${told.verified_by} (asked for by ${told.requested_by})`}`,
    `verified at     ${or(told.verified_at)}`,
    `evidence        ${or(told.evidence)}`,
    ...told.waived.map((waived) => `waived          ${waived}`),
    ...qualityLine(handle),
    ...(told.strength === '' ? [] : [`strength        ${told.strength}`]),
    `standing        ${handle.item.legacy ? 'legacy: said to be done, never verified' : standing(handle)}`,
  ].join('\n');
}

/** The quality verdict on the present attempt, with what was found. */
function qualityLine({ item }: Handle): readonly string[] {
  const verdict = latestEvidence(item, 'quality');
  if (verdict === undefined) return [];
  const findings = Array.isArray(verdict.facts.findings) ? verdict.facts.findings : [];
  const found = findings.length === 0 ? '' : `: ${findings.join('; ')}`;
  return [`quality         ${verdict.outcome.toLowerCase()} by ${verdict.by}${found}`];
}

/** How far a list is, in one line: what was never verified and what another item replaced stand beside. */
export function doneOf({ done, total, legacy, superseded }: Progress): string {
  const beside = [
    ...(legacy > 0 ? [`${legacy} legacy and unverified`] : []),
    ...(superseded > 0 ? [`${superseded} superseded`] : []),
  ];
  return [`${done} of ${total} done`, ...beside].join(', ');
}
