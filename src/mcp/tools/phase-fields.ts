import { z } from 'zod';
import type { Caller } from '../../engine/caller.ts';
import type { Outcome } from '../../engine/execute.ts';
import { refusalCode } from '../../engine/phases/actions.ts';
import { attend } from '../../engine/phases/attend.ts';
import { type PhaseStatus, phaseStatus } from '../../engine/phases/status.ts';
import type { Ports } from '../../engine/ports.ts';
import { toldOf } from '../../engine/refusal-told.ts';
import type { Desk } from '../desk.ts';
import { type Reply, refusal, reply } from '../reply.ts';

const ITEM = /^[A-Za-z0-9][\w.-]{0,63}$/;
const named = (example: string) =>
  z
    .string()
    .max(64)
    .refine((value) => ITEM.test(value), 'is no id')
    .describe(example);
export const phaseId = named('Like PHASE-2, or its task');
export const reviewId = named('Like review-5');
export const agentId = named('Like agent-4');

/** A phase as every tool of the profile tells it: success and guidance, and the review beside (PHASE-105 to PHASE-107). */
export async function phaseReply(
  ports: Ports,
  { actor }: Pick<Caller, 'actor'>,
  ref: string,
  more: object = {},
  ...lines: readonly string[]
): Promise<Reply> {
  const status = await phaseStatus(ports, ref, actor);
  return reply({ success: true, ...status, ...more }, [...lines, ...linesOf(status)].join('\n'));
}

/** A refusal says in the same shape where the phase stands, with the seed's text first where there is one (CH-23). */
export async function refusedReply(
  desk: Desk,
  outcome: Extract<Outcome, { kind: 'refused' }>,
  command: string,
  ref: string,
): Promise<Reply> {
  const told = refusal(outcome, desk.offered, command);
  const { guidance, review } = await phaseStatus(desk.ports, ref);
  const { missing } = toldOf(outcome, command);
  const needed = missing.map(({ because, fix }) => (fix === '' ? because : fix));
  const error = [outcome.because, ...needed.filter((words) => words !== '')].join('. ');
  const data = { ...told.data, success: false, error, error_code: refusalCode(outcome), guidance, review };
  return {
    ...told,
    data,
    text: [`${error} (${refusalCode(outcome)})`, told.text, guidance.action].join('\n'),
  };
}

function linesOf({ phase_id, name, guidance, review, silent }: PhaseStatus): readonly string[] {
  return [
    `${phase_id} ${name} [${guidance.status}]`,
    guidance.action,
    ...(guidance.blocked_reason ?? []).map((why) => `- ${why}`),
    ...(review === null
      ? []
      : [
          `${review.review_id}: ${review.reviewers_submitted}/${review.reviewers_expected} verdicts, ${review.final_verdict ?? review.status}`,
        ]),
    ...silent.map((why) => `- ${why}`),
  ];
}

/** Does something with phases, after what is true by now was brought on. */
export const inPhases = (
  desk: Desk,
  work: (ports: Ports, caller: Caller) => Promise<Reply>,
): Promise<Reply> =>
  desk.work(async (ports, caller) => {
    await attend(desk.opened);
    return work(ports, caller);
  });
