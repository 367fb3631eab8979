import { opens } from '../../kernel/verdict.ts';
import type { Caller } from '../caller.ts';
import { readConfig } from '../config.ts';
import { EngineError } from '../engine-error.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { STEP, type StepOutcome, type StepRequest, step } from '../step.ts';
import { gateOfTask } from './gate.ts';
import { layoutOf } from './layout.ts';
import { noteOfTask } from './looks.ts';
import { agentNamed, stagedSettings } from './settings.ts';
import { agentsOf, viewTask } from './task.ts';
import { taskItem } from './task-item.ts';

export interface TaskStep {
  readonly task: string;
  readonly session: string;
  readonly command: string;
  readonly reason: string;
  readonly arguments: { readonly [name: string]: string };
}

/** Takes a step of a task in stages, as the session that holds it. `confirms`: digest that a person was shown. */
export async function taskStep(
  ports: Ports,
  caller: Caller,
  asked: TaskStep,
  confirms?: (handle: Handle) => string,
): Promise<StepOutcome> {
  const { command, session, task } = asked;
  if (command === 'present') await pushForReview(ports, caller, asked);
  const outcome = await step(ports, caller, await requestOf(ports, asked), confirms);
  if (command === 'synthesize' || command === 'implement') {
    const passed = outcome.kind === 'done';
    const points = outcome.verdicts.map((v) => ({ name: v.guard, passed: opens(v), because: v.because }));
    const run = { command, session, passed, points, trigger: 'transition' as const };
    await noteOfTask(ports, caller, task, { type: 'gate-judged', ...run });
  }
  return outcome;
}

/** A step of a task as the engine takes it. Throws NOT_FOUND. */
export async function requestOf(ports: Ports, asked: TaskStep): Promise<StepRequest> {
  const handle = await taskItem(ports, asked.task);
  const { command, reason, session } = asked;
  const commit = command === 'validate' ? await headOfBranch(ports, asked.task) : '';
  const given = await byTheirNames(ports, handle, asked.arguments);
  return { ...STEP, ref: handle.id, command, reason, session, commit, arguments: given };
}

/** Agents may be called by any name that the project has for them: what is recorded is the one that they act under (CP-25). */
async function byTheirNames(
  ports: Ports,
  handle: Handle,
  given: TaskStep['arguments'],
): Promise<TaskStep['arguments']> {
  const { agent = '', agents = '' } = given;
  if (agent === '' && agents === '') return given;
  const known = stagedSettings(await readConfig(ports)).agents;
  const named = (list: string) => [...new Set(list.split(',').map((name) => agentNamed(known, name.trim())))];
  return {
    ...given,
    ...(agent === '' ? {} : { agent: agentNamed(known, agent.trim(), agentsOf(handle)) }),
    // A list of nothing stays as it is: the gate tells that nobody is named.
    ...(/[^\s,]/.test(agents) ? { agents: named(agents).join(',') } : {}),
  };
}

/** The branch is pushed where nothing else stands between it and the user (PROTO-108). Throws GIT_FAILED as BAD_INPUT. */
async function pushForReview(ports: Ports, caller: Caller, { task, session }: TaskStep): Promise<void> {
  const { points } = await gateOfTask(ports, caller, { task, session, command: 'present' });
  const open = points.filter(({ passed }) => !passed).map(({ name }) => name);
  if (open.length !== 1 || open[0] !== 'pushed') return;
  const { settings, layout } = await viewTask(ports, task, session);
  const problem = ports.workspace.push(settings.remote, layout.branch);
  if (problem !== '')
    throw new EngineError(
      'BAD_INPUT',
      `the branch cannot be pushed for review: ${problem}`,
      `push ${layout.branch} to ${settings.remote}, then present it again`,
    );
}

/** What is validated is where the branch of the task stands, by its id: a tag may have its name, the worktree may be on another. */
async function headOfBranch(ports: Ports, task: string): Promise<string> {
  const settings = stagedSettings(await readConfig(ports));
  const { branch } = layoutOf(ports.workspace.main, settings, task);
  return ports.workspace.commitOf(`refs/heads/${branch}`) || branch;
}
