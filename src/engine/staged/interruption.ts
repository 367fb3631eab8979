import type { Caller } from '../caller.ts';
import { EngineError } from '../engine-error.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { chainProblem, movesBefore } from './chain.ts';
import { invocationsOf, modeIn } from './invocations.ts';
import { foreign } from './leases.ts';
import { type Interrupted, type Interruption, type Looked, noteOfTask, openInterruption } from './looks.ts';
import { recoveryFor } from './runs.ts';
import { agentNamed } from './settings.ts';
import { showTask, type TaskShown } from './show-task.ts';
import { agentsOf, hasEnded, type TaskView, viewTask } from './task.ts';
import { taskItem } from './task-item.ts';

interface Asked {
  readonly task: string;
  readonly session: string;
}

/** Whether everything of a task is as it should be: its log, its worktrees, and its state (PROTO-164). */
function consistency(
  handle: Handle,
  { layout, worktrees }: TaskView,
  open?: Pick<Interrupted, 'state' | 'at'>,
): readonly Looked[] {
  const { state, steps } = handle.item;
  const trees = [layout.code, ...agentsOf(handle).map((agent) => layout.agentCode(agent))];
  // With its end they go.
  const wanted = hasEnded(handle) ? [] : trees;
  const gone = wanted.filter((path) => !worktrees.has(path));
  const chain = chainProblem(handle, movesBefore(state));
  const { state: before = state, at = '' } = open ?? {};
  const isSame = before === state;
  // A task may go on by steps that take no agent: those are on record, and nothing is amiss by them.
  const wentOn = steps.some((step) => step.at >= at && step.from !== step.to);
  const look = (name: string, problem: string, well: string): Looked => ({
    ...{ name, passed: problem === '', because: problem || well },
  });
  return [
    look(
      'state',
      isSame || wentOn ? '' : `the state was ${before}, and is ${state}`,
      isSame ? `the state is ${state}` : `the state is ${state}: it went on from ${before} by its steps`,
    ),
    look('worktrees', gone.length === 0 ? '' : `missing: ${gone.join(', ')}`, `${wanted.length} are there`),
    look('log', chain, 'no stage was skipped'),
  ];
}

/**
 * Notes that something comes between the calls of agents. Nothing of the task changes by it, and no agent is called
 * until it has ended (PROTO-162 to PROTO-167, PROTO-178). One that is open already goes on. Throws NO_CREDENTIAL for a
 * session that does not hold the task.
 */
export async function interruptTask(
  ports: Ports,
  caller: Caller,
  asked: Asked & { readonly kind: Interruption; readonly reason: string },
): Promise<readonly Looked[]> {
  const { task, session, kind, reason } = asked;
  const handle = await taskItem(ports, task);
  const view = await viewTask(ports, task, session);
  // Whoever audits looks on from outside; anything else comes between the calls of whoever makes them.
  if (kind !== 'audit') assertHolds(view, caller);
  const points = consistency(handle, view);
  if ((await openInterruption(ports, handle)) !== undefined) return points;
  const running = invocationsOf(handle).filter((call) => call.isCurrent && call.status === 'running');
  const pending = [...new Set(running.map(({ agent }) => agent))];
  const { state } = handle.item;
  await noteOfTask(ports, caller, task, {
    ...{ type: 'task-interrupted', session, kind, reason, state, pending, points },
  });
  return points;
}

function assertHolds({ lease, holding }: TaskView, { actor }: Caller): void {
  if (lease.holder !== undefined && holding !== 'own' && actor.kind !== 'human')
    throw foreign(lease.stream, lease.holder);
}

export interface Resuming {
  readonly points: readonly Looked[];
  readonly shown: TaskShown;
}

/** Ends what came between: looks whether the task is as it was before, and says how to go on (PROTO-164 to PROTO-170). */
export async function resumeTask(ports: Ports, caller: Caller, asked: Asked): Promise<Resuming> {
  const { task, session } = asked;
  const handle = await taskItem(ports, task);
  const open = await openInterruption(ports, handle);
  const points = consistency(handle, await viewTask(ports, task, session), open);
  const { state } = handle.item;
  if (open !== undefined && points.every(({ passed }) => passed))
    await noteOfTask(ports, caller, task, { type: 'task-resumed', session, state, points });
  return { points, shown: await showTask(ports, task, session) };
}

export interface EscalatedAgent {
  readonly agent: string;
  readonly history: readonly string[];
  /** What the user is asked. */
  readonly ask: string;
}

/** Puts an agent before the user that cannot be called again, with how each of its calls ended. Throws BAD_INPUT as long as it can be (PROTO-210, PROTO-216). */
export async function escalateAgent(
  ports: Ports,
  caller: Caller,
  { task, session, agent: named }: Asked & { readonly agent: string },
): Promise<EscalatedAgent> {
  const handle = await taskItem(ports, task);
  const view = await viewTask(ports, task, session);
  assertHolds(view, caller);
  const agent = agentNamed(view.settings.agents, named, agentsOf(handle));
  const recovery = recoveryFor(ports, handle, view);
  const directive = recovery?.directives.find((one) => one.agent === agent);
  if (directive?.action !== 'escalate')
    throw new EngineError(
      'BAD_INPUT',
      directive === undefined
        ? `${agent} is no agent that is called now`
        : `${agent} is not to be put before the user: ${directive.because}`,
      `what to do instead: countersign task recover ${task}`,
    );
  const history = invocationsOf(handle)
    .filter((call) => call.agent === agent && call.isCurrent)
    .map(({ at, status, error }) => `${at} ${status}${error === '' ? '' : `: ${error}`}`);
  await noteOfTask(ports, caller, task, { type: 'task-escalated', session, agent, history });
  const isEarly = ['requirements', 'synthesis'].includes(modeIn(handle.item.state));
  const back = isEarly
    ? 'go back to CLASSIFIED with other agents or a clearer task'
    : 'settle with them what stands against it (negotiate), begin a new round (next-round, while it is built)';
  return { agent, history, ask: `ask the user: ${back}, or cancel it` };
}
