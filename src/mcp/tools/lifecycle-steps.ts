import { z } from 'zod';
import { lifecycle as protocol } from '../../protocols/lifecycle.ts';
import { agentName, because, commit, evidence, taskId } from '../fields.ts';
import { takeVerification } from '../taking.ts';
import { rolesOfCommand, STEPS, type Tool, tool } from '../tool.ts';
import { waitSeconds } from '../verification.ts';
import { named, plainSteps } from './named.ts';

const plain = plainSteps(protocol);

const PATTERNS = ['return', 'rollback', 'skip'] as const;

/** The steps of the lifecycle, each by its own name (LIFE-28 to LIFE-36, LIFE-39 to LIFE-54). */
export const LIFECYCLE_STEPS: readonly Tool[] = [
  plain('assign_task', 'assign', 'Assign a task', 'Takes a pending task up.'),
  plain('start_planning', 'plan', 'Start planning', 'Begins to examine the approach of an assigned task.'),
  plain('validate_task', 'validate', 'Approve the approach', 'Approves the approach of a task in planning.'),
  named({
    name: 'propose_approach',
    title: 'Propose an approach',
    description: 'Names the file that holds a new approach, after one was rejected.',
    ...{ protocol, command: 'propose' },
    input: { task_id: taskId, file: z.string().min(1).max(500), reason: because },
    wanted: ({ task_id: ref, file, reason }) => ({ ref, reason, evidence: [file] }),
  }),
  plain('begin_task', 'begin', 'Begin the work', 'Begins to build a task whose approach was approved.'),
  named({
    name: 'finish_task',
    title: 'Finish the work',
    description: 'Says that the committed work is finished. It is not done: it is tested and reviewed.',
    ...{ protocol, command: 'finish' },
    input: {
      task_id: taskId,
      commit: commit.describe('HEAD unless given').optional(),
      evidence: evidence.optional(),
      no_change: z.boolean().describe('Nothing had to change; needs evidence').optional(),
      reason: because,
    },
    wanted: ({ task_id: ref, commit: of, evidence: files, no_change: noChange, reason }) => ({
      ...{ ref, commit: of, evidence: files, noChange, reason },
    }),
  }),
  named({
    name: 'request_review',
    title: 'Ask for the quality review',
    description: 'Hands tested work on. Name the output of your own checks as evidence.',
    ...{ protocol, command: 'ask-review' },
    input: { task_id: taskId, evidence, reason: because },
    wanted: ({ task_id: ref, evidence: files, reason }) => ({ ref, evidence: files, reason }),
  }),
  tool({
    name: 'verify_task',
    title: 'Verify a task',
    description:
      'Has the engine run the checks of work in quality review. It decides. Still running: call again.',
    input: z.strictObject({ task_id: taskId, wait_seconds: waitSeconds, agent_name: agentName }),
    annotations: STEPS,
    roles: rolesOfCommand(protocol, 'approve'),
    run: (desk, { task_id: ref, wait_seconds: wait, agent_name: as }, context) =>
      takeVerification(desk, { ref, wait, as, tool: 'verify_task', item: 'task_id' }, context),
  }),
  plain('start_commit', 'commit', 'Start the commit', 'Begins to commit work that passed.'),
  named({
    name: 'report_commit',
    title: 'Report the commit',
    description: 'Names the commit that holds what was verified. It has to exist and to hold it.',
    ...{ protocol, command: 'committed' },
    input: { task_id: taskId, commit: commit.describe('Its id, or a name of it'), reason: because },
    wanted: ({ task_id: ref, commit: of, reason }) => ({ ref, reason, arguments: { commit: of } }),
  }),
  named({
    name: 'record_failure',
    title: 'Record a failure',
    description: 'Counts a failure of the state that you own. The third calls for an intervention.',
    ...{ protocol, command: 'fail' },
    roles: protocol.order.flatMap((state) => protocol.states[state]?.owner ?? []),
    input: { task_id: taskId, reason: because },
    wanted: ({ task_id: ref, reason }) => ({ ref, reason }),
  }),
  named({
    name: 'give_guidance',
    title: 'Give guidance',
    description:
      'Ends an intervention: return to the state it came from, rollback to an earlier one, or skip.',
    ...{ protocol, command: 'return' },
    input: {
      task_id: taskId,
      guidance: because.describe('What to do otherwise'),
      pattern: z.enum(PATTERNS).describe('return unless given').optional(),
      to: z.string().max(64).describe('With rollback: the state').optional(),
    },
    wanted: ({ task_id: ref, guidance, pattern = 'return', to }) => ({
      ...{ ref, command: pattern },
      arguments: { guidance, ...(to === undefined ? {} : { to }) },
    }),
  }),
  plain(
    'escalate_task',
    'escalate',
    'Escalate to a person',
    'Hands an intervention on, after the second one.',
  ),
  named({
    ...{ name: 'review_codebase', title: 'Review the code base', command: 'codebase-review', protocol },
    description: 'Says that the code base was reviewed, before a task with a plan is assigned.',
    roles: protocol.evidence.filter(({ kind }) => kind === 'codebase-review').flatMap(({ by }) => by),
    input: { task_id: taskId, reason: because.describe('What was found') },
    wanted: ({ task_id: ref, reason }) => ({ ref, reason }),
  }),
];
