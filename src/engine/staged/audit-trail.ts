import { expand } from '../../kernel/protocol.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import type { RefusalEvent } from '../refuse.ts';
import type { BesideTask } from './beside-task.ts';
import { workOn } from './branch-work.ts';
import { invocationsOf } from './invocations.ts';
import type { TaskView } from './task.ts';
import { type ToolUsed, usageOf } from './tool-notes.ts';

/** `audit-trail.json` (PROTO-263 to PROTO-275): the engine writes it from the log, nobody else. */
export function auditTrail(
  ports: Pick<Ports, 'workspace'>,
  handle: Handle,
  { lease, layout }: TaskView,
  { used, refused }: BesideTask,
): string {
  const { item } = handle;
  const commits = workOn(ports, handle, layout.branch);
  const agentOf = (message: string) => /\[agent:([\w.-]+)\]/.exec(message)?.[1] ?? '';
  const trail = {
    task_name: layout.task,
    session_id: lease.holder?.session ?? '',
    started_at: item.openedAt,
    state_transitions: transitionsIn(handle, refused),
    agent_invocations: invocationsOf(handle).map((call) => ({
      agent_name: call.agent,
      agent_mode: call.mode,
      working_dir: layout.agentCode(call.agent),
      invocation_timestamp: call.at,
      completion_timestamp: call.completedAt,
      report_location: call.report,
      status: call.status,
    })),
    tool_usage: usageIn(handle, used),
    commits: commits.map(({ sha, author, at, message, created, modified }) => ({
      sha,
      agent: agentOf(message) || author,
      branch: layout.branch,
      timestamp: at,
      message,
      files_created: created,
      files_modified: modified,
    })),
    build_verifications: item.evidence
      .filter(({ kind }) => kind === 'proof-pack')
      .map(({ at, outcome, facts }) => ({
        timestamp: at,
        command: 'countersign verify',
        result: outcome === 'PASSED' ? 'SUCCESS' : 'FAILURE',
        tests_run: Number(facts.tests_run ?? 0),
        tests_passed: Number(facts.tests_passed ?? 0),
        tests_failed: Number(facts.tests_failed ?? 0),
      })),
  };
  return `${JSON.stringify(trail, null, 2)}\n`;
}

/** The transitions that were made, and those that were refused, by their time (PROTO-265, CP-41). */
function transitionsIn({ protocol, item }: Handle, refused: readonly RefusalEvent[]) {
  const entry = (from: string, to: string, at: string, passed: boolean) => ({
    from_state: from,
    to_state: to,
    timestamp: at,
    verification_passed: passed,
  });
  const made = item.steps
    .filter(({ from, to }) => from !== to)
    .map(({ from, to, at }) => entry(from, to, at, true));
  const kept = refused.flatMap(({ attempted, state, at }) => {
    const to = aimOf(protocol, attempted, state);
    return to === undefined ? [] : [entry(state, to, at, false)];
  });
  return [...made, ...kept].toSorted((a, b) => a.timestamp.localeCompare(b.timestamp));
}

/** Where a step was to lead that was refused: from wherever it was tried, also by who left a stage out, and on its usual way. */
function aimOf(protocol: Handle['protocol'], attempted: string, state: string): string | undefined {
  const named = protocol.rows.filter(
    ({ command, to }) => command === attempted && to !== state && to !== '@same',
  );
  const here = named.filter(({ from }) => expand(protocol, from).includes(state));
  const usual = (some: typeof named) =>
    some.find(({ to, command }) => to !== 'SCOPE_NEGOTIATION' || command === 'negotiate') ?? some[0];
  return (usual(here) ?? usual(named))?.to;
}

/** The steps of the task, and the tools that its sessions used, by their time (PROTO-267, PROTO-272). */
function usageIn({ item }: Handle, used: readonly ToolUsed[]) {
  const steps = item.steps.map(({ command, at, by, facts }) => ({
    tool: command,
    timestamp: at,
    agent_name: by,
    ...(typeof facts.cwd === 'string' ? { working_dir: facts.cwd } : {}),
  }));
  return [...steps, ...used.map(usageOf)].toSorted((a, b) => a.timestamp.localeCompare(b.timestamp));
}
