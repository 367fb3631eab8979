import { latestEvidence } from '../../kernel/freshness.ts';
import type { Step } from '../../kernel/work-item.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { isAddition, justificationOf } from './additions.ts';
import { auditTrail } from './audit-trail.ts';
import type { BesideTask } from './beside-task.ts';
import { invocationsOf } from './invocations.ts';
import { saidOf } from './reports.ts';
import { agentsOf, riskOf, type TaskView } from './task.ts';
import { portsFile } from './tree-ports.ts';

const text = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** In the seed's files a task that a person stopped is cleaned up, with that outcome. */
const stateOf = ({ item }: Handle) => (item.state === 'CANCELLED' ? 'CLEANUP' : item.state);

const logOf = ({ item }: Handle) =>
  item.steps
    .filter(({ from, to }) => from !== to)
    .map(({ from, to, at, by, reason }) => ({
      from,
      to,
      timestamp: at,
      actor: by,
      ...(reason === '' ? {} : { reason }),
    }));

/** `task.json` in the seed's shape (PROTO-100, PROTO-106, PROTO-128, PROTO-129). It is written for others, and never read back. */
export function taskJson(handle: Handle, { lease, layout }: TaskView): string {
  const { item } = handle;
  const additions = item.steps
    .filter(({ command }) => isAddition(command))
    .map((step) => ({
      agent: step.arguments.agent ?? '',
      added_at_state: step.from,
      timestamp: step.at,
      justification: justificationOf(step),
    }));
  const checkpoints = checkpointsOf(handle);
  return text({
    session_id: lease.holder?.session ?? '',
    task_name: layout.task,
    state: stateOf(handle),
    created_at: item.openedAt,
    ...(item.state === 'CANCELLED' ? { outcome: 'cancelled' } : {}),
    required_agents: agentsOf(handle),
    agent_additions: additions,
    ...(checkpoints.length === 0 ? {} : { checkpoint: checkpoints.at(-1), checkpoints }),
    transition_log: logOf(handle),
  });
}

interface Checkpoint {
  readonly type: string;
  readonly commit_sha?: string;
  readonly plan_sha256?: string;
  readonly presented_at: string;
  readonly approved: boolean;
}

function checkpointsOf({ item }: Handle): readonly Checkpoint[] {
  const said = (kind: string, generation: number, on: string) =>
    item.evidence.some(
      (e) => e.kind === kind && e.on === on && e.generation === generation && e.outcome === 'approved',
    );
  const plan = item.evidence
    .filter(({ kind }) => kind === 'presentation')
    .map((e) => ({
      type: 'USER_APPROVAL_PLAN',
      plan_sha256: e.digest,
      presented_at: e.at,
      approved: said('plan-approval', e.generation, 'plan'),
    }));
  const shown = item.steps.findLast(({ command }) => command === 'present');
  if (shown === undefined) return plan;
  const commit = String(shown.facts.commit ?? '');
  const approved = item.evidence.some(
    (e) => e.kind === 'checkpoint' && e.digest === commit && e.at >= shown.at,
  );
  return [
    ...plan,
    { type: 'USER_APPROVAL_POST_REVIEW', commit_sha: commit, presented_at: shown.at, approved },
  ];
}

/** What a step was taken on: the reason that was given, else what was looked at. */
const evidenceOf = ({ reason, facts }: Step): string =>
  reason ||
  Object.entries(facts)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');

/** `state.json` in the seed's shape (PROTO-26 to PROTO-31). */
export function stateJson(handle: Handle, { lease, layout }: TaskView): string {
  const { item } = handle;
  const of = (kind: string) => item.evidence.filter((e) => e.kind === kind);
  const log = item.steps
    .filter(({ from, to }) => from !== to)
    .map((step) => ({ from: step.from, to: step.to, timestamp: step.at, evidence: evidenceOf(step) }));
  return text({
    current_state: stateOf(handle),
    session_id: lease.holder?.session ?? '',
    task_name: layout.task,
    risk_level: riskOf(handle),
    required_agents: agentsOf(handle),
    evidence: {
      REQUIREMENTS: of('requirements')
        .filter((e) => e.outcome === 'COMPLETE')
        .map((e) =>
          String(e.facts.report_path ?? '')
            .split('/')
            .at(-1),
        ),
      IMPLEMENTATION: of('implementation')
        .filter((e) => e.outcome === 'COMPLETE')
        .map((e) => String(e.facts.report ?? '')),
      VALIDATION: of('proof-pack')
        .filter((e) => e.outcome === 'PASSED')
        .map((e) => e.at),
      REVIEW: Object.fromEntries(of('review').map((e) => [e.by, e.outcome])),
    },
    transition_log: log,
  });
}

/** `status.json` of an agent (PROTO-195, CP-23). */
export function statusJson(handle: Handle, agent: string): string {
  const call = invocationsOf(handle).findLast((one) => one.agent === agent);
  const kind = call?.mode === 'implementation' || call?.mode === 'review' ? call.mode : 'requirements';
  const { status, at, reason, errorType } = saidOf(handle, agent, kind);
  const isVerdict = status === 'APPROVED' || status === 'REJECTED';
  return text({
    agent,
    status: isVerdict ? 'COMPLETE' : status,
    mode: call?.mode ?? '',
    round: handle.item.subjects.round?.generation ?? 0,
    updated_at: at,
    ...(status === 'ERROR' ? { error_message: reason || 'Unknown error', error_type: errorType } : {}),
    ...(isVerdict ? { decision: status } : {}),
  });
}

/** What each tree has for itself, for whoever works in it; a tree that has nothing has no file. */
function treeFiles(
  handle: Handle,
  { layout, ports }: TaskView,
): readonly (readonly [string, string | undefined])[] {
  return ['', ...agentsOf(handle)].map((agent) => {
    const given = ports.find((one) => one.agent === agent);
    return [layout.treeEnv(agent), given === undefined ? undefined : portsFile(given)];
  });
}

/** The files of a task by their paths, for whoever reads them; undefined is a file that there is not (CP-01, CP-14). */
export function filesOfTask(
  ports: Pick<Ports, 'workspace'>,
  handle: Handle,
  view: TaskView,
  beside: BesideTask,
): ReadonlyMap<string, string | undefined> {
  const { layout } = view;
  const { item } = handle;
  const approval = latestEvidence(item, 'plan-approval');
  return new Map([
    [layout.taskJson, taskJson(handle, view)],
    [layout.stateJson, stateJson(handle, view)],
    [layout.auditTrail, auditTrail(ports, handle, view, beside)],
    ...agentsOf(handle).map((agent) => [layout.status(agent), statusJson(handle, agent)] as const),
    ...treeFiles(handle, view),
    [layout.planFlag, approval === undefined ? undefined : `${approval.digest} ${approval.at}\n`],
  ]);
}
