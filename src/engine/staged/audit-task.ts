import type { Caller } from '../caller.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { isAddition } from './additions.ts';
import { auditBuilding } from './audit-building.ts';
import { auditMain } from './audit-main.ts';
import { runGate } from './gate.ts';
import { interruptTask, resumeTask } from './interruption.ts';
import { invocationsOf } from './invocations.ts';
import { auditLateAgents, type LateRecord, type TaskFinding } from './late-agents.ts';
import type { Looked } from './looks.ts';
import { planDigest } from './probes-papers.ts';
import { taskJson } from './projections.ts';
import type { Resume } from './reports.ts';
import { agentsOf, assessmentOf, hasEnded, type TaskView, viewTask } from './task.ts';
import { taskItem } from './task-item.ts';

export interface TaskAudit {
  readonly task: string;
  readonly state: string;
  readonly findings: readonly TaskFinding[];
  /** How the task stood when the audit ended. */
  readonly points: readonly Looked[];
  /** How to go on with the requirements after it (PROTO-180). */
  readonly resume: Resume | undefined;
}

/**
 * Looks at a task for what the rules of agents, of `task.md` and of its lock forbid. The lock file is read as it lies
 * there and not changed; whoever edited it is found by it. While it runs, no agent is called (PROTO-78, PROTO-79,
 * PROTO-142 to PROTO-146, PROTO-152, PROTO-178 to PROTO-181, PROTO-229, PROTO-299).
 */
export async function auditTask(
  ports: Ports,
  caller: Caller,
  { task, session }: { readonly task: string; readonly session: string },
): Promise<TaskAudit> {
  const handle = await taskItem(ports, task);
  const view = await viewTask(ports, task, session);
  const { state } = handle.item;
  if (!hasEnded(handle)) await interruptTask(ports, caller, { task, session, kind: 'audit', reason: '' });
  const lock = lockOf(ports, handle, view);
  const findings =
    lock === undefined
      ? [{ rule: 'lock-unreadable', level: 'finding' as const, what: `${view.layout.taskJson} is no lock` }]
      : auditLateAgents(recordOf(handle, view, lock));
  if (state === 'REQUIREMENTS')
    await runGate(ports, caller, { task, session, command: 'synthesize', trigger: 'audit' });
  const { points, shown } = await resumeTask(ports, caller, { task, session });
  return {
    ...{ task, state, points, resume: shown.resume },
    findings: [
      ...findings,
      ...begunBy(handle),
      ...changedPlan(ports, handle, view),
      ...(await auditMain(ports, handle, view)),
      ...(await auditBuilding(ports, handle, view)),
    ],
  };
}

type Lock = Pick<LateRecord, 'required' | 'additions'>;

/** The lock as the file says; as the log says where there is no file. Undefined for what cannot be read. */
function lockOf({ workspace }: Ports, handle: Handle, view: TaskView): Lock | undefined {
  const text = workspace.readFile(view.layout.taskJson)?.toString('utf8') ?? taskJson(handle, view);
  try {
    const { required_agents: required, agent_additions: additions } = JSON.parse(text);
    if (!Array.isArray(required) || !Array.isArray(additions)) return undefined;
    const said = (value: unknown) => (typeof value === 'string' ? value : '');
    return {
      required: required.map(said),
      additions: additions.map((one) => ({
        agent: said(one?.agent),
        added_at_state: said(one?.added_at_state),
        timestamp: said(one?.timestamp),
        justification: said(one?.justification),
      })),
    };
  } catch {
    return undefined;
  }
}

function recordOf(handle: Handle, { layout, settings, worktrees }: TaskView, lock: Lock): LateRecord {
  const { item } = handle;
  const assessed = assessmentOf(handle);
  const chosen = (assessed?.arguments.agents ?? '').split(',').map((name) => name.trim());
  const named = [...new Set([...agentsOf(handle), ...lock.additions.map(({ agent }) => agent)])];
  const words = (kind: string, outcome: string) =>
    item.evidence
      .filter((e) => e.kind === kind && e.outcome === outcome)
      .map(({ by, at }) => ({ agent: by, at }));
  const approvedBy = words('review', 'APPROVED');
  return {
    ...lock,
    chosen: chosen.filter((name) => name !== ''),
    chosenAt: assessed?.at ?? '',
    invoked: [...new Set(invocationsOf(handle).map(({ agent }) => agent))].filter((agent) =>
      isCurrent(handle, agent),
    ),
    worktrees: hasEnded(handle) ? named : named.filter((agent) => worktrees.has(layout.agentCode(agent))),
    domains: Object.fromEntries(Object.entries(settings.agents).map(([name, { domain }]) => [name, domain])),
    rejections: words('review', 'REJECTED').map(({ agent, at }) => ({
      agent,
      at,
      until: approvedBy.find((word) => word.agent === agent && word.at > at)?.at ?? '',
    })),
    completed: [...words('requirements', 'COMPLETE'), ...words('implementation', 'COMPLETE')],
    log: item.steps.filter(({ from, to }) => from !== to).map(({ from, to, at }) => ({ from, to, at })),
    approvals: words('plan-approval', 'approved').map(({ at }) => at),
  };
}

/** Called since the agents were chosen last. */
const isCurrent = (handle: Handle, agent: string): boolean =>
  invocationsOf(handle).some((call) => call.agent === agent && call.at >= (assessmentOf(handle)?.at ?? ''));

const BUILT: readonly string[] = [
  'IMPLEMENTATION',
  'VALIDATION',
  'REVIEW',
  'AWAITING_USER_APPROVAL',
  'COMPLETE',
];

/** Agents build by what a person approved; an agent that came late has its own part written in. */
function changedPlan(ports: Ports, handle: Handle, view: TaskView): readonly TaskFinding[] {
  const { item } = handle;
  const began = item.steps.findLastIndex(({ command }) => command === 'implement');
  if (item.steps.slice(began + 1).some(({ command }) => isAddition(command))) return [];
  const text = ports.workspace.readFile(view.layout.taskMd)?.toString('utf8') ?? '';
  if (!BUILT.includes(item.state) || item.subjects.plan?.digest === planDigest(text)) return [];
  const what = 'task.md is not what a person approved: it was changed since the building began';
  return [{ rule: 'plan-changed', level: 'warning', what }];
}

/** The document of a task is begun by the coordinator, before anybody is called (PROTO-152, PROTO-153). */
function begunBy({ item }: Handle): readonly TaskFinding[] {
  const call = item.steps.find(({ command }) => command === 'invoke');
  const begun = item.steps.some(
    ({ command, at }) => command === 'document' && (call === undefined || at <= call.at),
  );
  const isNeeded = item.steps.some(({ to }) => to === 'REQUIREMENTS');
  if (begun || !isNeeded) return [];
  return [
    {
      rule: 'document-not-by-coordinator',
      level: 'finding',
      what: 'task.md was not begun by the coordinator',
    },
  ];
}
