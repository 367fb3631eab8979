import { latestEvidence } from '../../kernel/freshness.ts';
import type { Caller } from '../caller.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { isAsPresented } from './checkpoint.ts';
import { mayCoordinate } from './coordinates.ts';
import { gateOfTask } from './gate.ts';
import { isPlanApproved } from './guidance.ts';
import { isStuck } from './land.ts';
import { MAIN_LEASE, readLease } from './leases.ts';
import { agentsOf, viewTask } from './task.ts';
import { type At, lead, person, type TaskCall } from './task-call.ts';
import { taskItem } from './task-item.ts';
import { byAgents, openCalls, PLACE } from './way-of-agents.ts';

/** A task with the calls that lead on from how it stands now: the caller's own first. */
export interface TaskWay {
  readonly task: string;
  readonly item: string;
  /** The session that asks, '' where it is not named. */
  readonly session: string;
  /** Who coordinates it; '' for nobody. */
  readonly holder: string;
  readonly code: string;
  readonly calls: readonly TaskCall[];
}

/**
 * What leads on from a task as it stands, and who does it: an agent that knows nothing else comes to the end by these
 * alone, with a person at the two checkpoints (PROTO-23, PROTO-24). Throws NOT_FOUND for a task that was never begun.
 */
export async function wayOn(ports: Ports, caller: Caller, task: string, session = ''): Promise<TaskWay> {
  const handle = await taskItem(ports, task);
  const view = await viewTask(ports, task, session);
  const { holder } = view.lease;
  const isForeign = holder !== undefined && session !== '' && holder.session !== session;
  const at = { ports, caller, handle, view, session: session || (holder?.session ?? '') };
  const found = isForeign ? [lead('list')] : await callsOf(at);
  // Whoever may coordinate and works in the session that holds the task goes on with it, whoever took it up.
  const isOwn = holder !== undefined && session === holder.session && mayCoordinate(caller);
  const leads = isForeign || isOwn || holder?.actor === caller.actor.id;
  const mine = ({ by, command }: TaskCall) =>
    command !== 'request-change' && (by === 'coordinator' ? leads : by === caller.actor.id);
  return {
    task,
    item: handle.display,
    session,
    holder: isForeign || isOwn ? caller.actor.id : (holder?.actor ?? ''),
    code: view.layout.code,
    calls: [...found.filter(mine), ...found.filter((one) => !mine(one))],
  };
}

/** The calls from how a task stands, for whoever may go on with it. */
async function callsOf(at: At): Promise<readonly TaskCall[]> {
  const { handle, view } = at;
  if (isOver(handle)) return callsAt(at);
  if (view.lease.holder === undefined) return [lead('start')];
  const isGone = !view.hasWorktree && handle.item.state !== 'INIT';
  return isGone ? [person('force', { reason: 'WHY' })] : callsAt(at);
}

const isOver = ({ item }: Handle) => item.state === 'CLEANUP' || item.state === 'CANCELLED';

async function callsAt(at: At): Promise<readonly TaskCall[]> {
  const { state } = at.handle.item;
  switch (state) {
    case 'INIT':
      return [lead('classify')];
    case 'CLASSIFIED':
      return [classified(at)];
    case 'VALIDATION':
      return [lead('verify')];
    case 'SYNTHESIS':
      return synthesis(at);
    case 'AWAITING_USER_APPROVAL':
      return latestEvidence(at.handle.item, 'checkpoint') === undefined
        ? [
            person('approve'),
            lead('request-change', { reason: 'WHAT THEY ASK FOR' }, 'where the person asks for a change'),
          ]
        : [lead('complete')];
    case 'SCOPE_NEGOTIATION':
      return ['keep-scope', 'change-scope', 'defer', 'cancel'].map((one) => person(one, { reason: 'WHY' }));
    case 'COMPLETE':
      return [await landing(at)];
    case 'CLEANUP':
    case 'CANCELLED':
      return [ended(at)];
    default:
      return byAgents(at);
  }
}

/** Risk and agents, their worktrees, the document, and then the agents are asked. */
function classified({ handle, view, ports }: At): TaskCall {
  const { layout, worktrees, settings } = view;
  if (latestEvidence(handle.item, 'classification') === undefined)
    return lead(
      'assess',
      { risk: 'RISK', agents: 'A,B', reason: 'WHY' },
      `decide by the paths that are touched; known are ${Object.keys(settings.agents).join(', ')}`,
    );
  if (agentsOf(handle).some((agent) => !worktrees.has(layout.agentCode(agent)))) return lead('worktrees');
  return ports.workspace.readFile(layout.taskMd) === undefined ? lead('document') : lead('gather');
}

async function synthesis(at: At): Promise<readonly TaskCall[]> {
  const { handle, view } = at;
  const { taskMd } = view.layout;
  const calls = openCalls(at);
  if (calls.length > 0) return calls;
  const { points } = await gateOfTask(at.ports, at.caller, {
    task: view.layout.task,
    session: at.session,
    command: 'present-plan',
  });
  const lacking = points.filter(({ passed, name }) => !passed && PAPERS.has(name));
  const isShown =
    latestEvidence(handle.item, 'presentation') !== undefined && isAsPresented(at.ports, handle, view);
  if (lacking.length > 0 || !isShown)
    return [
      lead(
        'present-plan',
        {},
        lacking.length === 0 ? '' : `write it: ${lacking.map(({ because }) => because).join('; ')}`,
        taskMd,
      ),
    ];
  const knows = latestEvidence(handle.item, 'delegation') !== undefined;
  return [
    ...(knows ? [] : [lead('acknowledge-delegation')]),
    ...(isPlanApproved(handle) ? (knows ? [lead('implement')] : []) : [person('approve')]),
  ];
}

/** What does not go together with the main branch is built on, and shown to a person anew. */
async function landing(at: At): Promise<TaskCall> {
  // Whoever died after the branch moved still holds main: to land once more changes nothing, and gives it back.
  if (await isOpen(at, 'clean')) return lead((await holdsMain(at)) ? 'land' : 'clean');
  // A task that began under an older table has no way back.
  const rows = at.handle.protocol.rows.filter(({ command }) => command === 'request-change');
  if (!rows.some(({ from }) => from.includes('COMPLETE')) || !(await isStuck(at.ports, at.handle, at.view)))
    return lead('land');
  return lead('request-change', { reason: 'WHY' }, 'it does not land on the main branch as that is by now');
}

async function holdsMain({ ports, session }: At): Promise<boolean> {
  const { holder } = await readLease(ports, MAIN_LEASE);
  return holder !== undefined && holder.session === session && holder.operation === 'git-operation';
}

const PAPERS: ReadonlySet<string> = new Set(['synthesis', 'plan']);
/** Papers and trees that are left are tidied up; where none are, another task is next. */
const ended = ({ view, ports }: At): TaskCall =>
  view.lease.holder === undefined && ports.workspace.names(view.layout.folder).length === 0
    ? lead('list')
    : lead('tidy');

async function isOpen({ ports, caller, view, session }: At, command: string): Promise<boolean> {
  const { points } = await gateOfTask(ports, caller, { task: view.layout.task, session, command });
  return points.every(({ passed, name }) => passed || PLACE.has(name));
}
