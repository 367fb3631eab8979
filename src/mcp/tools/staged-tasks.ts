import { z } from 'zod';
import type { Caller } from '../../engine/caller.ts';
import type { Ports } from '../../engine/ports.ts';
import { cleanTask } from '../../engine/staged/cleanup.ts';
import { checkTask, type TaskChecked } from '../../engine/staged/feasibility.ts';
import { landTask } from '../../engine/staged/land.ts';
import { listTasks } from '../../engine/staged/list-tasks.ts';
import { type Merged, mergeAgent } from '../../engine/staged/merge.ts';
import { showTask } from '../../engine/staged/show-task.ts';
import { startTask } from '../../engine/staged/start-task.ts';
import { stopTask } from '../../engine/staged/stop-task.ts';
import { LEGITIMATE, type StopReason } from '../../engine/staged/stops.ts';
import { lintTask } from '../../engine/staged/task-wording.ts';
import { findingText } from '../../engine/staged/wording.ts';
import { makeWorktreesOf } from '../../engine/staged/worktrees.ts';
import type { Reply } from '../reply.ts';
import { leadingOn, type TaskCallTold } from '../task-way.ts';
import { READS, STEPS, type Tool, tool } from '../tool.ts';
import { leading, session, stagedTask, told, withTask } from './staged-fields.ts';
import { lease } from './staged-lease.ts';

const texts = z.array(z.string().min(1).max(1_000)).max(20);
const COORDINATOR = ['coordinator'];
const REASONS = Object.keys(LEGITIMATE) as [StopReason, ...StopReason[]];
const ACTS = ['worktrees', 'lint', 'merge', 'land', 'tidy'] as const;

interface Acting {
  readonly ports: Ports;
  readonly caller: Caller;
  readonly task: string;
  readonly session: string;
  readonly agent: string;
  readonly signal: AbortSignal;
}

/** What is done with a task beside its table: its worktrees, its papers, its branches. */
const DOES: { readonly [act in (typeof ACTS)[number]]: (acting: Acting) => Promise<Reply> } = {
  async worktrees({ ports, caller, task }) {
    const made = await makeWorktreesOf(ports, caller, task);
    return told({ made }, made.length === 0 ? 'none was lacking' : `made: ${made.join(', ')}`);
  },
  async lint({ ports, task }) {
    const linted = await lintTask(ports, task, undefined);
    return told(linted, ...linted.findings.map(findingText), `${linted.findings.length} findings`);
  },
  merge: async ({ ports, caller, task, session: id, agent }) =>
    merged(await mergeAgent(ports, caller, { task, agent, session: id }), `${agent} is merged into ${task}`),
  land: async ({ ports, caller, task, session: id, signal }) =>
    merged(
      await landTask(ports, caller, { task, session: id, signal, onProgress: () => undefined }),
      `${task} landed`,
    ),
  async tidy({ ports, caller, task, session: id }) {
    const done = await cleanTask(ports, caller, { task, session: id });
    return told(done, `kept: ${done.archive.join(', ')}`, `removed: ${done.removed.join(', ')}`);
  },
};

function merged(found: Merged, well: string): Reply {
  const { conflicts, fix, head } = found;
  if (conflicts.length === 0) return told(found, `${well}: ${head.slice(0, 12)}`);
  const text = `nothing was merged: conflicts in ${conflicts.join(', ')}; to mend it: ${fix}`;
  return { ...told({ ...found, ok: false, code: 'CONFLICT', message: text }, text), isError: true };
}

/** What can be done is begun; for what cannot another task is looked for; a question to a person is theirs. */
function afterCheck({ task, feasible, selection }: TaskChecked, id: string): readonly TaskCallTold[] {
  if (selection === 'ASK_USER' || selection === 'ERROR') return [];
  const start = { by: 'you', tool: 'task_start', arguments: { task_id: task, session: id } };
  return [feasible ? start : { by: 'you', tool: 'task_list', arguments: { session: id } }];
}

/** Tasks in stages by their names: which there are, taking them up, what is done around them, who holds what. */
export const STAGED_TASK_TOOLS: readonly Tool[] = [
  tool({
    name: 'task_list',
    title: 'List tasks',
    description: 'Every task of the list with what your session may do with it, and which is next.',
    input: z.strictObject({ session }),
    annotations: READS,
    roles: COORDINATOR,
    run: (desk, { session: id }) =>
      desk.look(async (ports) => {
        const found = await listTasks(ports, id);
        const answer = told(
          { tasks: found.tasks, next_task: found.next },
          ...found.tasks.map(({ task, selection, because: why }) => `${task}: ${selection}, ${why}`),
          `next task: ${found.next || 'none'}`,
        );
        const check = { by: 'you', tool: 'task_check', arguments: { task_id: found.next, session: id } };
        return leadingOn(answer, found.next === '' ? [] : [check]);
      }),
  }),
  tool({
    name: 'task_check',
    title: 'Check a task',
    description: 'Can it be done without asking, and is it free? No task is taken up without it.',
    input: z.strictObject({
      task_id: stagedTask,
      session,
      blockers: texts.describe('What it needs and is not there').optional(),
      choices: texts.describe('Decisions that only the user can take').optional(),
    }),
    annotations: STEPS,
    roles: COORDINATOR,
    run: (desk, { task_id: ref, session: id, blockers = [], choices = [] }) =>
      withTask(desk, ref, async (ports, caller, task) => {
        const found = await checkTask(ports, caller, { task, session: id, blockers, choices });
        const lines = found.points.map((p) => `${p.passed ? 'pass' : 'FAIL'} ${p.name}: ${p.because}`);
        const answer = told(found, ...lines, `${found.selection}: ${found.because}`, ...found.question);
        return leadingOn(answer, afterCheck(found, id));
      }),
  }),
  tool({
    name: 'task_start',
    title: 'Take a task up',
    description: 'Takes a checked task up, or goes on with one that your session holds.',
    input: z.strictObject({
      task_id: stagedTask,
      session,
      kind: z.string().max(64).optional(),
      criteria: z.string().max(64).optional(),
    }),
    annotations: STEPS,
    roles: COORDINATOR,
    run: (desk, { task_id: ref, session: id, kind = 'code', criteria = 'default' }) =>
      leading(desk, ref, id, async (ports, caller, task) => {
        const asked = { task, session: id, kind, criteria, choice: undefined };
        const { kind: how, handle, view } = await startTask(ports, caller, asked);
        const { display, item } = handle;
        const data = { task, id: display, state: item.state, worktree: view.layout.code, how };
        return told(data, `${task} (${display}): ${item.state}`, `stand in ${view.layout.code}`);
      }),
  }),
  tool({
    name: 'task_show',
    title: 'Show a task',
    description: 'State, holder, agents and reports of a task, and how it goes on.',
    input: z.strictObject({ task_id: stagedTask, session: session.optional() }),
    annotations: READS,
    roles: [...COORDINATOR, 'stakeholder'],
    run: (desk, { task_id: ref, session: id = '' }) =>
      leading(desk, ref, id, async (ports, _caller, task) => {
        const found = await showTask(ports, task, id);
        const { item, code: worktree, ...more } = found;
        return told(
          { id: item, worktree, ...more },
          `${task} (${found.item}): ${found.state}, ${found.session === '' ? 'held by nobody' : `held by ${found.session}`}`,
          ...found.agents.map(({ agent, because: why }) => `${agent}: ${why}`),
          ...(found.resume === undefined ? [] : [found.resume.decision]),
        );
      }),
  }),
  tool({
    name: 'task_do',
    title: 'Worktrees, papers and branches of a task',
    description: 'worktrees of its agents, lint of its plan, merge of an agent, land, tidy after its end.',
    input: z.strictObject({
      task_id: stagedTask,
      session,
      act: z.enum(ACTS),
      agent: z.string().max(64).describe('With merge; main: the main branch').optional(),
    }),
    annotations: STEPS,
    roles: COORDINATOR,
    run: (desk, { task_id: ref, session: id, act, agent = '' }, context) =>
      leading(desk, ref, id, (ports, caller, task) =>
        DOES[act]({ ports, caller, task, session: id, agent, signal: context.mcpReq.signal }),
      ),
  }),
  tool({
    name: 'task_stop',
    title: 'Stop in the middle',
    description: 'Stops a task before its end, for a reason that counts. Else go on.',
    input: z.strictObject({
      task_id: stagedTask,
      session,
      category: z.enum(REASONS),
      evidence: texts.optional(),
    }),
    annotations: STEPS,
    roles: COORDINATOR,
    run: (desk, { task_id: ref, session: id, category, evidence = [] }) =>
      withTask(desk, ref, async (ports, caller, task) => {
        const stopped = await stopTask(ports, caller, { task, session: id, category, evidence });
        return told(stopped, `${task} stands in ${stopped.state}: tell the user what is missing`);
      }),
  }),
  lease,
];
