import { z } from 'zod';
import { agentSays } from '../../engine/staged/agent-word.ts';
import { gateOfTask } from '../../engine/staged/gate.ts';
import { taskStep } from '../../engine/staged/task-step.ts';
import { staged as protocol } from '../../protocols/staged.ts';
import { STAGED_STEPS } from '../../protocols/tools.ts';
import type { Desk } from '../desk.ts';
import { because } from '../fields.ts';
import { linksOf } from '../links.ts';
import { outcomeReply, type Reply } from '../reply.ts';
import { takeVerification } from '../taking.ts';
import { leadingOn, taskCalls } from '../task-way.ts';
import { READS, rolesOfCommand, STEPS, type Tool, tool } from '../tool.ts';
import { waitSeconds } from '../verification.ts';
import { cwd, leading, nameOf, session, stagedTask, standingAt, told, withTask } from './staged-fields.ts';

const COMMANDS = STAGED_STEPS.map(({ command }) => command) as [string, ...string[]];
const name = z.string().max(64);

/** The steps of a task in stages: those of its table by one tool, its checks, its gates, and what agents say (PROTO-01 to PROTO-22). */
export const STAGED_STEP_TOOLS: readonly Tool[] = [
  tool({
    name: 'task_step',
    title: 'Take a step of a task',
    description: 'Takes a step of a task that your session holds. next and task_gate name what it needs.',
    input: z.strictObject({
      task_id: stagedTask,
      session,
      command: z.enum(COMMANDS),
      cwd,
      risk: z.enum(['HIGH', 'MEDIUM', 'LOW']).optional(),
      agents: z.string().max(500).describe('Like architect,tester').optional(),
      agent: name.optional(),
      expertise: because.describe('Of an agent that comes late, as the next three').optional(),
      requirement: because.optional(),
      overlooked: because.optional(),
      shows: because.optional(),
      reason: because.optional(),
    }),
    annotations: STEPS,
    roles: ['coordinator'],
    run: (desk, { task_id: ref, session: id, command, cwd: at, reason = '', ...more }) =>
      leading(desk, ref, id, async (ports, caller, task) => {
        const given = Object.entries(more).filter(([, value]) => value !== undefined);
        const asked = { task, session: id, command, reason, arguments: Object.fromEntries(given) };
        const outcome = await taskStep(standingAt(ports, at), caller, asked as never);
        const done = [`${task} ${command}: ${outcome.handle.item.state}`, ...outcome.warnings];
        return outcomeReply(
          outcome,
          desk.offered,
          command,
          done.join('\n'),
          { warnings: outcome.warnings },
          linksOf(outcome.handle),
        );
      }),
  }),
  tool({
    name: 'verify_task',
    title: 'Verify a task',
    description: 'Has the engine run the checks of a task in VALIDATION. Still running: call again.',
    input: z.strictObject({ task_id: stagedTask.describe('Its id, like T-1'), wait_seconds: waitSeconds }),
    annotations: STEPS,
    roles: rolesOfCommand(protocol, 'verify'),
    run: async (desk, { task_id: ref, wait_seconds: wait }, context) => {
      const done = await takeVerification(desk, { ref, wait, tool: 'verify_task', item: 'task_id' }, context);
      return onward(desk, ref, done);
    },
  }),
  tool({
    name: 'task_gate',
    title: 'Look at a gate',
    description: 'Judges every point of the gate that leads on, each with its fix. Nothing is done.',
    input: z.strictObject({
      task_id: stagedTask,
      session,
      command: z.enum(COMMANDS).describe('The step that leads on unless given').optional(),
      cwd,
    }),
    annotations: READS,
    roles: ['coordinator'],
    run: (desk, { task_id: ref, session: id, command, cwd: at }) =>
      withTask(desk, ref, async (ports, caller, task) => {
        const asked = { task, session: id, ...(command === undefined ? {} : { command }) };
        const view = await gateOfTask(standingAt(ports, at), caller, asked);
        const lines = view.points.map(
          ({ n, passed, name: of, because: why, fix }) =>
            `[${n}/${view.points.length}] ${passed ? 'PASSED' : 'FAILED'} ${of}: ${why}${passed ? '' : ` (${fix})`}`,
        );
        return told(view, ...lines, view.open ? 'open' : 'closed');
      }),
  }),
  tool({
    name: 'task_status',
    title: 'Say how you stand',
    description: 'As an agent of the task: WORKING, COMPLETE or ERROR; in a review APPROVED or REJECTED.',
    input: z.strictObject({
      task_id: stagedTask,
      status: z.enum(['WORKING', 'COMPLETE', 'ERROR', 'APPROVED', 'REJECTED']),
      reason: because.describe('With ERROR and REJECTED').optional(),
      error_type: z.enum(['tool-limitation', 'blocker', 'implementation-error']).optional(),
    }),
    annotations: STEPS,
    roles: ['stakeholder'],
    run: (desk, { task_id: ref, status, reason = '', error_type: errorType = '' }) =>
      leading(desk, ref, '', async (ports, caller, task) => {
        const outcome = await agentSays(ports, caller, { task, status, reason, errorType });
        const done = [`${task}: ${caller.actor.id} is ${status}`, ...outcome.warnings].join('\n');
        return outcomeReply(outcome, desk.offered, 'status', done);
      }),
  }),
];

/** A verification that came to its end, with what follows it; one that still runs is asked for again. */
async function onward(desk: Desk, ref: string, done: Reply): Promise<Reply> {
  const { item } = done.data as { readonly item?: { readonly status: string } };
  if (item === undefined || item.status === 'VALIDATION') return done;
  return desk.look(async (ports, caller) => {
    const calls = await taskCalls(ports, caller, await nameOf(ports, ref));
    return { ...leadingOn({ ...done, isError: false }, calls), isError: done.isError };
  });
}
