import { z } from 'zod';
import { loadById, loadItem } from '../../engine/handle.ts';
import { reviewNamed } from '../../engine/phases/actions.ts';
import { handoverFor } from '../../engine/phases/handover.ts';
import { lastLinked } from '../../engine/phases/links.ts';
import { roundOf } from '../../engine/phases/rounds.ts';
import { runNamed } from '../../engine/phases/run-named.ts';
import { outputOf } from '../../engine/phases/runs.ts';
import { reviewDetails } from '../../engine/phases/status.ts';
import { phaseNamed } from '../../engine/phases/task-phases.ts';
import { changePage, changeText } from '../../engine/phases/what-is-new.ts';
import { READS, type Tool, tool } from '../tool.ts';
import { agentId, inPhases, phaseId, phaseReply, reviewId } from './phase-fields.ts';

const LEAD = ['orchestrator'];
const AGENT = ['phase-agent'];
const REVIEWER = ['phase-reviewer'];
const PAGE = 16_000;

/** What looks at phases, under the names of the seed; legal in every state (CH-16). */
export const PHASE_LOOK_TOOLS: readonly Tool[] = [
  tool({
    name: 'get_phase_status',
    title: 'Where a phase stands',
    description: 'State, guidance, agents and review of a phase.',
    input: z.strictObject({ phase_id: phaseId }),
    annotations: READS,
    roles: [...LEAD, ...AGENT, ...REVIEWER],
    run: (desk, { phase_id: ref }) => inPhases(desk, (ports, caller) => phaseReply(ports, caller, ref)),
  }),
  tool({
    name: 'get_review_status',
    title: 'Where a review stands',
    description:
      'Reviewers, verdicts and findings of a review, or of the last one of a phase; or a page of the change it is about.',
    input: z.strictObject({
      review_id: reviewId.describe('Like review-5, or its phase'),
      diff_offset: z.number().int().min(0).optional().describe('The change instead, from this byte on'),
      diff_path: z.string().min(1).max(4096).optional().describe('The change of this file alone'),
    }),
    annotations: READS,
    roles: [...LEAD, ...REVIEWER],
    run: (desk, { review_id: ref, diff_offset: offset, diff_path: path }) =>
      inPhases(desk, async (ports, caller) => {
        const named = await loadItem(ports, ref);
        // That it was not reviewed yet is no mistake of who asks: looks are legal in every state (CH-16).
        if (named.protocol.name === 'phase' && lastLinked(named, 'review') === '')
          return phaseReply(ports, caller, ref, {}, 'It has not been reviewed.');
        const review = await reviewNamed(desk.opened, ref);
        const phase = await loadById(ports, lastLinked(review, 'phase'));
        if (offset !== undefined || path !== undefined) {
          // What others said of it is left out: whoever reads it has yet to judge.
          const diff = await changePage(ports, review, {
            path: path ?? '',
            offset: offset ?? 0,
            limit: PAGE,
          });
          return phaseReply(ports, caller, phase.id, { diff }, changeText(diff));
        }
        const details = reviewDetails(await roundOf(ports, review.id), phase.display);
        const lines = [
          ...details.reviewers.map(({ reviewer_id: id, state }) => `${id} ${state}`),
          ...details.findings.map(({ id, severity, title }) => `${id} [${severity}] ${title}`),
        ];
        return phaseReply(ports, caller, phase.id, { review: details }, ...lines);
      }),
  }),
  tool({
    name: 'get_agent_output',
    title: 'Output of an agent',
    description: 'What an agent or reviewer has written, from a byte on.',
    input: z.strictObject({
      agent_id: agentId,
      offset: z.number().int().min(0).optional(),
      stream: z.enum(['out', 'err']).optional(),
    }),
    annotations: READS,
    roles: LEAD,
    run: (desk, { agent_id: agent, offset = 0, stream = 'out' }) =>
      inPhases(desk, async (ports, caller) => {
        const told = await outputOf(ports, caller, agent, { offset, limit: PAGE, stream });
        const phase = await phaseNamed(ports, (await runNamed(ports, agent)).id);
        return phaseReply(ports, caller, phase.id, { output: told }, told.text);
      }),
  }),
  tool({
    name: 'get_phase_handover',
    title: 'Handover of a phase',
    description: 'What an approved phase leaves to the next.',
    input: z.strictObject({ phase_id: phaseId }),
    annotations: READS,
    roles: [...LEAD, ...AGENT],
    run: (desk, { phase_id: ref }) =>
      inPhases(desk, async (ports, caller) => {
        const handover = await handoverFor(ports, caller, ref);
        return phaseReply(ports, caller, ref, { handover }, handover);
      }),
  }),
];
