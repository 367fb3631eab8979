import { z } from 'zod';
import { abortReview, giveVerdict, phaseStep, reviewNamed } from '../../engine/phases/actions.ts';
import { deployAgent } from '../../engine/phases/deploy.ts';
import { lastLinked } from '../../engine/phases/links.ts';
import { MOST_PROMPT } from '../../engine/phases/open-run.ts';
import { planPhases } from '../../engine/phases/plan.ts';
import { runNamed } from '../../engine/phases/run-named.ts';
import { killRun, tellProgress } from '../../engine/phases/runs.ts';
import { SEVERITIES } from '../../engine/phases/settings.ts';
import { phaseNamed } from '../../engine/phases/task-phases.ts';
import { because, text } from '../fields.ts';
import type { Reply } from '../reply.ts';
import { STEPS, type Tool, tool } from '../tool.ts';
import { agentId, inPhases, phaseId, phaseReply, refusedReply, reviewId } from './phase-fields.ts';

const LEAD = ['orchestrator'];
const AGENT = ['phase-agent'];
const REVIEWER = ['phase-reviewer'];

/** A step of a phase that takes nothing but its name and a reason. */
const stepTool = (name: string, title: string, description: string, command: string): Tool =>
  tool({
    ...{ name, title, description, annotations: STEPS, roles: LEAD },
    input: z.strictObject({ phase_id: phaseId, reason: because.optional() }),
    run: (desk, { phase_id: ref, reason = '' }) =>
      inPhases(desk, async (ports, caller) => {
        const outcome = await phaseStep(desk.opened, caller, ref, { command, reason, arguments: {} });
        if (outcome.kind === 'refused') return refusedReply(desk, outcome, command, ref);
        const more =
          command === 'submit' ? ['Auto-submit is preferred: agents that complete submit their phase.'] : [];
        return phaseReply(ports, caller, ref, more.length === 0 ? {} : { note: more[0] }, ...more);
      }),
  });

const finding = z.strictObject({
  severity: z.enum(SEVERITIES),
  title: text('What is wrong'),
  detail: because.optional(),
  path: z.string().max(500).optional(),
  line: z.number().int().min(0).optional(),
  quote: z.string().max(4_000).describe('Lines of the file, word for word').optional(),
  criterion: because.optional(),
  blocker: z.boolean().optional(),
  reopens: z.string().max(64).describe('Id of an earlier finding').optional(),
});

/** The agent was deployed, and its program could not be started: nobody works on it. */
const notStarted = (told: Reply, error: string): Reply => ({
  ...told,
  data: { ...told.data, ok: false, success: false, error, error_code: 'AGENT_NOT_STARTED' },
  text: [`${error} (AGENT_NOT_STARTED)`, told.text].join('\n'),
  isError: true,
});

/** What moves phases, under the names of the seed (PHASE-110). */
export const PHASE_STEP_TOOLS: readonly Tool[] = [
  tool({
    name: 'create_phased_task',
    title: 'Plan a task in phases',
    description: 'Makes a task of phases, in their order, and begins the first.',
    input: z.strictObject({
      title: text('One line'),
      phases: z
        .array(
          z.strictObject({
            name: text('One line'),
            criteria: because.describe('What it has to come to').optional(),
          }),
        )
        .min(1)
        .max(20),
      list: z.string().max(64).optional(),
      part_of: z.string().max(64).describe('Task that is built in them').optional(),
    }),
    annotations: STEPS,
    roles: LEAD,
    run: (desk, { title, phases, list = 'main', part_of: partOf = '' }) =>
      inPhases(desk, async (ports, caller) => {
        const wanted = phases.map(({ name, criteria = '' }) => ({ name, criteria }));
        const planned = await planPhases(ports, caller, { title, phases: wanted, list, from: '', partOf });
        const ids = planned.phases.map(({ display }) => display);
        return phaseReply(
          ports,
          caller,
          planned.task.id,
          { phases: ids },
          `${planned.task.display}: ${ids.join(', ')}`,
        );
      }),
  }),
  tool({
    name: 'deploy_headless_agent',
    title: 'Deploy an agent',
    description: 'Starts an agent that builds in the phase, in a working tree of its own.',
    input: z.strictObject({
      phase_id: phaseId,
      prompt: z.string().min(1).max(MOST_PROMPT).describe('What it is to do'),
      agent: z.string().max(64).describe('Of the configuration').optional(),
    }),
    annotations: STEPS,
    roles: LEAD,
    run: (desk, { phase_id: ref, prompt, agent = '' }) =>
      inPhases(desk, async (ports, caller) => {
        const { outcome, run } = await deployAgent(desk.opened, caller, { phase: ref, prompt, agent });
        if (outcome.kind === 'refused') return refusedReply(desk, outcome, 'deploy', ref);
        const id = run?.display ?? '';
        const started = { agent_id: id, agent_status: run?.item.state };
        const told = await phaseReply(ports, caller, ref, started, `${id} ${run?.item.state}`);
        return run?.item.state === 'failed' ? notStarted(told, run.item.steps.at(-1)?.reason ?? '') : told;
      }),
  }),
  stepTool(
    'submit_phase_for_review',
    'Submit a phase',
    'Puts the phase before reviewers. It is done by itself when its agents complete.',
    'submit',
  ),
  stepTool('advance_to_next_phase', 'Advance', 'Completes an approved phase and begins the next.', 'advance'),
  stepTool(
    'trigger_agentic_review',
    'Review again',
    'New reviewers, after fixes or an aborted review.',
    'trigger',
  ),
  stepTool('reject_phase_review', 'Reject a phase', 'Always refused: only reviewers reject.', 'reject'),
  tool({
    name: 'abort_stalled_review',
    title: 'Abort a stalled review',
    description: 'Gives up a review whose missing reviewers are stalled or dead.',
    input: z.strictObject({ phase_id: phaseId, reason: because }),
    annotations: STEPS,
    roles: LEAD,
    run: (desk, { phase_id: ref, reason }) =>
      inPhases(desk, async (ports, caller) => {
        const outcome = await abortReview(desk.opened, caller, ref, reason);
        return outcome.kind === 'refused'
          ? refusedReply(desk, outcome, 'abort', ref)
          : phaseReply(ports, caller, ref);
      }),
  }),
  tool({
    name: 'approve_phase_review',
    title: 'Approve by force',
    description: 'Only a person may, for an escalated phase: countersign phase approve. Refused here.',
    input: z.strictObject({
      phase_id: phaseId,
      force_escalated: z.boolean().optional(),
      reason: because.optional(),
    }),
    annotations: STEPS,
    roles: LEAD,
    run: (desk, { phase_id: ref, force_escalated: force = false, reason = '' }) =>
      inPhases(desk, async (ports, caller) => {
        const given: { readonly [name: string]: string } = force ? { force: 'yes' } : {};
        const action = { command: 'force-approve', reason, arguments: given };
        const outcome = await phaseStep(desk.opened, caller, ref, action);
        return outcome.kind === 'refused'
          ? refusedReply(desk, outcome, 'force-approve', ref)
          : phaseReply(ports, caller, ref);
      }),
  }),
  tool({
    name: 'submit_review_verdict',
    title: 'Give your verdict',
    description: 'As a reviewer of the review: once, and it cannot be taken back.',
    input: z.strictObject({
      review_id: reviewId,
      verdict: z.enum(['approve', 'request_changes', 'reject']),
      summary: because.optional(),
      findings: z.array(finding).max(100).optional(),
    }),
    annotations: STEPS,
    roles: REVIEWER,
    run: (desk, { review_id: review, verdict, summary = '', findings = [] }) =>
      inPhases(desk, async (ports, caller) => {
        const given = { review, verdict, summary, findings: JSON.stringify(findings) };
        const outcome = await giveVerdict(desk.opened, caller, given);
        const of = await reviewNamed(desk.opened, review);
        const phase = lastLinked(of, 'phase');
        if (outcome.kind === 'refused') return refusedReply(desk, outcome, 'verdict', phase);
        const { display, item } = outcome.handle;
        const found = item.steps.findLast(({ command }) => ['approve', 'changes', 'reject'].includes(command))
          ?.facts.findings;
        return phaseReply(
          ports,
          caller,
          phase,
          { reviewer_id: display, verdict: item.state, findings: found },
          `${display} ${item.state}`,
        );
      }),
  }),
  tool({
    name: 'update_agent_progress',
    title: 'Say how it goes',
    description: 'As an agent of a phase. completed brings your commits in; the last one submits the phase.',
    input: z.strictObject({
      agent_id: agentId.optional(),
      status: z.enum(['working', 'completed', 'failed']),
      message: because.optional(),
    }),
    annotations: STEPS,
    roles: AGENT,
    run: (desk, { agent_id: agent = '', status, message = '' }) =>
      inPhases(desk, async (ports, caller) => {
        const said = { agent, status, message: message === '' && status === 'working' ? 'working' : message };
        const outcome = await tellProgress(desk.opened, caller, said);
        const phase = lastLinked(await runNamed(ports, agent || caller.actor.id), 'phase');
        if (outcome.kind === 'refused') return refusedReply(desk, outcome, status, phase);
        const { display, item } = outcome.handle;
        return phaseReply(
          ports,
          caller,
          phase,
          { agent_id: display, agent_status: item.state },
          `${display} ${item.state}`,
        );
      }),
  }),
  tool({
    name: 'kill_real_agent',
    title: 'End an agent',
    description: 'Ends a builder that went astray. Reviewers of an open review cannot be ended.',
    input: z.strictObject({ agent_id: agentId, reason: because }),
    annotations: { ...STEPS, destructiveHint: true },
    roles: LEAD,
    run: (desk, { agent_id: agent, reason }) =>
      inPhases(desk, async (ports, caller) => {
        const run = await runNamed(ports, agent);
        const phase = (await phaseNamed(ports, run.id)).id;
        const outcome = await killRun(desk.opened, caller, agent, reason);
        if (outcome.kind === 'refused') return refusedReply(desk, outcome, 'kill', phase);
        return phaseReply(
          ports,
          caller,
          phase,
          { agent_id: run.display, agent_status: outcome.handle.item.state },
          [`${run.display} killed`, ...outcome.warnings].join('; '),
        );
      }),
  }),
];
