import { z } from 'zod';
import { claimFacts } from '../../engine/claim-facts.ts';
import { goalNamed, goalToHold } from '../../engine/goals.ts';
import type { Handle } from '../../engine/handle.ts';
import { integrate } from '../../engine/integrate.ts';
import { otherName, refuseBefore } from '../../engine/other-name.ts';
import { start } from '../../engine/start.ts';
import { goal } from '../../protocols/goal.ts';
import { goalTask as protocol } from '../../protocols/goal-task.ts';
import { agentName, because, commit, evidence, goalId, taskId, text } from '../fields.ts';
import { outcomeReply, refusal } from '../reply.ts';
import { takeVerification } from '../taking.ts';
import { rolesOfCommand, STEPS, type Tool, tool } from '../tool.ts';
import { verification, waitSeconds } from '../verification.ts';
import { named, plainSteps } from './named.ts';

const plain = plainSteps(protocol);

const submit = named({
  name: 'submit_for_review',
  title: 'Submit for review',
  description: 'Says that the committed work is finished. It is not done: others approve and verify it.',
  ...{ protocol, command: 'submit', roles: ['builder'] },
  input: {
    task_id: taskId,
    summary: text('What was done'),
    files_changed: z.union([z.string().max(2_000), z.array(z.string().max(500)).max(200)]).optional(),
    commit: commit.describe('HEAD unless given').optional(),
    evidence: evidence.optional(),
    no_change: z.boolean().describe('Nothing had to change; needs evidence').optional(),
    helpers: z.string().max(300).describe('Your minions, by name').optional(),
  },
  wanted: (input) => ({
    ...{ ref: input.task_id, commit: input.commit, evidence: input.evidence, noChange: input.no_change },
    arguments: {
      summary: input.summary,
      ...(input.files_changed === undefined ? {} : { files_changed: listOf(input.files_changed).join('\n') }),
      ...(input.helpers === undefined ? {} : { helpers: input.helpers }),
    },
    remarks: (handle) => unseen(handle, listOf(input.files_changed ?? [])),
  }),
});

/** Names as a list, whether they came as one or with commas between them (CG-14). */
const listOf = (given: string | readonly string[]): readonly string[] =>
  (typeof given === 'string' ? given.split(',') : given).map((name) => name.trim()).filter(Boolean);

/** What was named and is not in the commit: the files that count are those that git finds. */
function unseen(handle: Handle, named: readonly string[]): readonly string[] {
  const { files } = claimFacts(handle);
  if (!Array.isArray(files)) return [];
  return named.filter((name) => !files.includes(name)).map((name) => `${name} is no change of this commit`);
}

const update = tool({
  name: 'update_task',
  title: 'Begin a task',
  description: 'Begins a task that was assigned to you: status in_progress. Nothing else can be set.',
  input: z.strictObject({ task_id: taskId, status: z.string().max(32), agent_name: agentName }),
  annotations: STEPS,
  roles: rolesOfCommand(protocol, 'start'),
  run: ({ work, offered }, { task_id: ref, status, agent_name: name = '' }) =>
    work(async (ports, caller) => {
      const command = status === 'in_progress' ? 'start' : `set ${status}`;
      const posing = await otherName(ports, caller, { name, ref, command });
      if (posing !== undefined) return refusal(posing, offered, command);
      if (status !== 'in_progress')
        return refusal(await refuseBefore(ports, caller, { ref, command, ...NOT_SET }), offered, command);
      const outcome = await start(ports, caller, ref);
      const notes = outcome.warnings.map((warning) => `note: ${warning}`);
      const done = [`${outcome.handle.display} started: commit the work, then submit it`, ...notes].join(
        '\n',
      );
      return outcomeReply(outcome, offered, 'start', done, { warnings: outcome.warnings });
    }),
});

const NOT_SET = {
  code: 'no-transition',
  guard: 'table',
  because: 'a status other than in_progress is never set: it is what others said of the work',
  fix: 'submit the work for review; somebody else approves it, and somebody else has it verified',
} as const;

const verifyTask = tool({
  name: 'verify_task',
  title: 'Verify a task',
  description:
    'Has the engine run the checks of an approved task. It decides, not notes. Still running: call again.',
  input: z.strictObject({
    task_id: taskId,
    notes: text('What you saw').optional(),
    wait_seconds: waitSeconds,
    agent_name: agentName,
  }),
  annotations: STEPS,
  roles: ['verifier'],
  run: (desk, { task_id: ref, notes, wait_seconds: wait, agent_name: as }, context) =>
    takeVerification(desk, { ref, notes, wait, as, tool: 'verify_task', item: 'task_id' }, context),
});

const verifyGoal = tool({
  name: 'verify_goal',
  title: 'Verify a goal',
  description: 'Has the engine run the checks on the commit that holds the whole. Still running: call again.',
  input: z.strictObject({
    goal_id: goalId,
    notes: text('What you tried of the whole, and what you saw'),
    commit: commit.describe('The default branch unless given').optional(),
    wait_seconds: waitSeconds,
    agent_name: agentName,
  }),
  annotations: STEPS,
  roles: rolesOfCommand(goal, 'verify-goal'),
  run: (desk, { goal_id: ref, notes, commit: of = '', wait_seconds: wait, agent_name: name = '' }, context) =>
    desk.work(async (ports, caller) => {
      const { offered, runs } = desk;
      const posing = await otherName(ports, caller, { name, ref, command: 'verify-goal' });
      if (posing !== undefined) return refusal(posing, offered, 'verify-goal');
      if (!runs.isRunning(caller, ref)) {
        const integrated = await integrate(ports, caller, { ref, notes, commit: of });
        if (integrated.kind === 'refused') return refusal(integrated, offered, 'integrate');
      }
      const again = { tool: 'verify_goal', arguments: { goal_id: ref, notes } };
      return verification(desk, ports, caller, { ref, wait, again }, context);
    }),
});

/** The steps of goals and their tasks, each by its own name (GOAL-41 to GOAL-55). */
export const GOAL_STEPS: readonly Tool[] = [
  named({
    name: 'link_task_to_goal',
    title: 'Link a task to a goal',
    description: 'Ties an existing task to a goal.',
    ...{ protocol: goal, command: 'link' },
    input: { task_id: taskId, goal_id: goalId },
    wanted: ({ task_id: task, goal_id: ref }) => ({
      ...{ ref, arguments: { task } },
      before: (ports) => goalToHold(ports, ref),
    }),
  }),
  named({
    name: 'assign_task',
    title: 'Assign a task',
    description: 'Gives a task to a builder.',
    ...{ protocol, command: 'assign' },
    input: { task_id: taskId, assign_to: z.string().max(64) },
    wanted: ({ task_id: ref, assign_to: to }) => ({ ref, arguments: { to } }),
  }),
  update,
  submit,
  named({
    name: 'approve_task',
    title: 'Approve a task',
    description: 'Accepts a submission that you read. It is completed then, and not yet verified.',
    ...{ protocol, command: 'approve' },
    input: { task_id: taskId, reason: because.optional() },
    wanted: ({ task_id: ref, reason }) => ({ ref, reason }),
  }),
  plain('reject_task', 'reject', 'Reject a submission', 'Sends a submission back to its builder.'),
  verifyTask,
  named({
    name: 'reject_verification',
    title: 'Reject an approved task',
    description: 'Sends an approved task back. The second time the lead decides who goes on.',
    ...{ protocol, command: 'reject-verification', roles: ['verifier'] },
    input: { task_id: taskId, reason: because },
    wanted: ({ task_id: ref, reason }) => ({ ref, reason }),
  }),
  named({
    name: 'reopen_task',
    title: 'Reopen a task',
    description:
      'Takes a verification back after a regression; its builder has it again unless another is named.',
    ...{ protocol, command: 'reopen' },
    input: { task_id: taskId, reason: because, assign_to: z.string().max(64).optional() },
    wanted: ({ task_id: ref, reason, assign_to: to }) => ({
      ...{ ref, reason },
      arguments: to === undefined ? {} : { to },
    }),
  }),
  verifyGoal,
  named({
    name: 'reject_goal',
    title: 'Reject a goal',
    description: 'Sends a goal back: the whole does not work. Then add tasks for what is wrong.',
    ...{ protocol: goal, command: 'reject-goal' },
    input: { goal_id: goalId, reason: because },
    wanted: ({ goal_id: ref, reason }) => ({ ref, reason, before: (ports) => goalNamed(ports, ref) }),
  }),
];
