import { type Guard, judge } from '../../kernel/guards/index.ts';
import { contextOf, probesOf } from '../../kernel/guidance.ts';
import { expand, type Row } from '../../kernel/protocol.ts';
import { opens, type Verdict } from '../../kernel/verdict.ts';
import type { Caller } from '../caller.ts';
import { readConfig } from '../config.ts';
import { EngineError } from '../engine-error.ts';
import { gatherFor } from '../gather/index.ts';
import type { Look } from '../gather/looked.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { STEP } from '../step.ts';
import { readWorld } from '../world.ts';
import { stagedVerdict } from './closed-words.ts';
import { noteOfTask, type Trigger } from './looks.ts';
import { viewOf } from './probes-place.ts';
import { standings } from './reports.ts';
import type { TaskView } from './task.ts';
import { taskItem } from './task-item.ts';

/** One point of a gate, judged and not acted on. */
export interface GatePoint {
  /** 1-based, in the order of the seed. */
  readonly n: number;
  readonly name: string;
  readonly passed: boolean;
  readonly because: string;
  readonly fix: string;
  /** What kind of mending helps (PROTO-231), or what was skipped (PROTO-261); '' where there is no such list. */
  readonly class: string;
}

export interface GateView {
  readonly task: string;
  readonly state: string;
  readonly command: string;
  readonly to: string;
  readonly open: boolean;
  readonly points: readonly GatePoint[];
  /** What is worth knowing and closes nothing. */
  readonly warnings: readonly string[];
}

/** The step that leads on from each state. */
const FORWARD: { readonly [state: string]: string } = {
  INIT: 'classify',
  CLASSIFIED: 'gather',
  REQUIREMENTS: 'synthesize',
  SYNTHESIS: 'implement',
  IMPLEMENTATION: 'validate',
  VALIDATION: 'verify',
  REVIEW: 'present',
  AWAITING_USER_APPROVAL: 'complete',
  COMPLETE: 'clean',
};

const CLASSES: { readonly [command: string]: { readonly [point: string]: string } } = {
  synthesize: {
    state: 'infrastructure',
    'task-lease': 'infrastructure',
    'in-worktree': 'infrastructure',
    'task-file': 'task.md structure',
    'agent-worktrees': 'back to CLASSIFIED',
    requirements: 'partial completion recovery',
    reports: 'partial completion recovery',
    'log-chain': 'protocol error: escalate',
    'no requirements': 're-invoke the failed agents',
  },
  implement: {
    'task-file': 'CLASSIFIED skipped',
    'report-sections': 'CLASSIFIED skipped',
    reports: 'REQUIREMENTS skipped',
    plan: 'SYNTHESIS skipped',
    synthesis: 'SYNTHESIS skipped',
    'plan-approval': 'plan approval skipped',
    state: 'jumped to IMPLEMENTATION',
    delegation: 'delegation',
  },
};

/** Judges every point of the gate that leads on, all together, and takes no step. Throws NOT_FOUND, BAD_INPUT at an end. */
export async function gateOfTask(
  ports: Ports,
  caller: Caller,
  {
    task,
    session,
    command = '',
  }: { readonly task: string; readonly session: string; readonly command?: string },
): Promise<GateView> {
  const handle = await taskItem(ports, task);
  const { protocol, item } = handle;
  const warnings: string[] = [];
  const asked = command || FORWARD[item.state] || '';
  const row = rowOf(handle, asked);
  if (row === undefined)
    throw new EngineError(
      'BAD_INPUT',
      `${task} is ${item.state}: no gate leads on from it`,
      `countersign task show ${task}`,
    );
  const request = { ...STEP, ref: handle.id, command: asked, session };
  const here = expand(protocol, row.from).includes(item.state);
  const look: Look = {
    ...{ ports, caller, request, config: () => readConfig(ports), warnings },
    handle: here ? handle : { ...handle, item: { ...item, state: row.from[0] ?? item.state } },
  };
  const gathered = await gatherFor(look);
  const { world } = await readWorld(ports, protocol, item.list);
  const context = contextOf(protocol, item, caller.actor, world, gathered);
  const judged = row.requires.map((guard) =>
    pointOf(asked, guard, stagedVerdict(handle, judge(guard, context))),
  );
  const told = asked === 'synthesize' ? withAgents(ports, handle, judged, await viewOf(look)) : judged;
  const points = ordered(asked, [stateOf(handle, row, here, asked), ...told]);
  return {
    task,
    state: item.state,
    command: asked,
    to: row.to,
    open: points.every(({ passed }) => passed),
    points,
    warnings,
  };
}

/** The row of a step: the one that leads out of where the task stands, on its usual way, before any other. */
function rowOf({ protocol, item }: Handle, command: string): Row | undefined {
  const rows = protocol.rows.filter((row) => row.command === command);
  const usual = rows.filter(({ to }) => to !== 'SCOPE_NEGOTIATION');
  const isHere = ({ from }: Row) => expand(protocol, from).includes(item.state);
  return usual.find(isHere) ?? rows.find(isHere) ?? usual[0] ?? rows[0];
}

/** Judges a gate and puts on record that it was judged, and why (PROTO-229). */
export async function runGate(
  ports: Ports,
  caller: Caller,
  asked: Parameters<typeof gateOfTask>[2] & { readonly trigger: Trigger },
): Promise<GateView> {
  const { task, trigger, session } = asked;
  const view = await gateOfTask(ports, caller, asked);
  const points = view.points.map(({ name, passed, because }) => ({ name, passed, because }));
  const { command, open: passed } = view;
  await noteOfTask(ports, caller, task, { type: 'gate-judged', session, command, trigger, passed, points });
  return view;
}

/** Who is not complete, by the words of each; and what those in ERROR said (PROTO-223, PROTO-226). */
function withAgents(ports: Ports, handle: Handle, points: readonly Unnumbered[], view: TaskView) {
  const all = standings(ports, handle, view);
  const of = (chosen: typeof all) => chosen.map(({ agent, because }) => `${agent}: ${because}`).join('; ');
  const said = all.filter(({ status }) => status === 'COMPLETE').length;
  const waiting = all.filter(({ status }) => status !== 'COMPLETE');
  return points.map((point) => {
    if (point.passed) return point;
    if (point.name === 'requirements')
      return { ...point, because: `${said}/${all.length} complete: ${of(waiting)}` };
    if (point.name !== 'no requirements') return point;
    return { ...point, because: of(all.filter(({ status }) => status === 'ERROR')) };
  });
}

function stateOf({ item }: Handle, { from }: Row, here: boolean, asked: string): Unnumbered {
  return {
    name: 'state',
    passed: here,
    because: here
      ? `the state is ${item.state}`
      : `the state is ${item.state}, expected ${from.join(' or ')}`,
    fix: here ? '' : 'take the stages in their order',
    class: CLASSES[asked]?.state ?? '',
  };
}

type Unnumbered = Omit<GatePoint, 'n'>;

function pointOf(asked: string, guard: Guard, verdict: Verdict): Unnumbered {
  const name = nameOf(guard);
  const { because, fix } = verdict;
  return { name, passed: opens(verdict), because, fix, class: CLASSES[asked]?.[name] ?? '' };
}

function nameOf(guard: Guard): string {
  switch (guard.guard) {
    case 'probe':
      return guard.name;
    case 'evidence':
    case 'votes':
      return guard.kind;
    case 'not':
      return `no ${nameOf(guard.of)}`;
    case 'any':
      return guard.of.map(nameOf).join(' or ');
    default:
      return probesOf(guard)[0] ?? guard.guard;
  }
}

/** The state stands first among the nine points, and sixth among the seven guards. */
function ordered(asked: string, points: readonly Unnumbered[]): readonly GatePoint[] {
  const [state, ...rest] = points;
  if (state === undefined) return [];
  const at = asked === 'implement' ? rest.findIndex(({ name }) => name === 'delegation') : 0;
  return [...rest.slice(0, at), state, ...rest.slice(at)].map((point, n) => ({ n: n + 1, ...point }));
}
