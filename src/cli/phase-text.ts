import type { PhaseStatus, ReviewDetails } from '../engine/phases/status.ts';

/** A phase in a few lines: state, what to do, its review, its agents. */
export function statusText({
  task_id,
  phase_id,
  name,
  order,
  of,
  guidance,
  review,
  agents,
  silent,
}: PhaseStatus): string {
  return [
    `${phase_id} ${name} [${guidance.status}], phase ${order} of ${of} of ${task_id}`,
    guidance.action,
    ...(guidance.blocked_reason ?? []).map((why) => `  - ${why}`),
    ...(review === null
      ? []
      : [
          `${review.review_id} ${review.status}: ${review.reviewers_submitted} of ${review.reviewers_expected} verdicts${review.reviewers_crashed > 0 ? `, ${review.reviewers_crashed} crashed` : ''}${review.final_verdict === null ? '' : `, ${review.final_verdict}`}`,
        ]),
    ...silent,
    ...agents.map(
      ({ agent_id, status, said, fix }) =>
        `${agent_id} ${status}${fix ? ' (fix)' : ''}${said === '' ? '' : `: ${said}`}`,
    ),
  ].join('\n');
}

/** A review in a few lines: verdicts and findings. */
export function reviewText(told: ReviewDetails): string {
  return [
    `${told.review_id} of ${told.phase_id} [${told.status}], policy ${told.policy}, commit ${told.commit.slice(0, 12)}`,
    `${told.reviewers_submitted} of ${told.reviewers_expected} verdicts${told.final_verdict === null ? '' : `: ${told.final_verdict}`}`,
    ...told.reviewers.map(
      ({ reviewer_id, state, summary, silent }) =>
        `${reviewer_id} ${state}${[summary, silent].map((said) => (said === '' ? '' : `: ${said}`)).join('')}`,
    ),
    ...told.findings.map(
      ({ id, severity, title, path, line, aside }) =>
        `${id} [${severity}] ${title}${path === '' ? '' : ` (${path}${line > 0 ? `:${line}` : ''})`}${aside === '' ? '' : `, aside: ${aside}`}`,
    ),
  ].join('\n');
}
