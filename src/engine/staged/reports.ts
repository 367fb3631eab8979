import { freshEvidence } from '../../kernel/freshness.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { agentsOf, type TaskView } from './task.ts';

/** Where an agent's requirements stand, as files tell it; '' where there is nothing against them. */
export interface Settled {
  readonly report: string;
  readonly path: string;
  /** Bytes; 0 where there is none. */
  readonly size: number;
}

export function settled(
  ports: Pick<Ports, 'workspace'>,
  { layout, settings }: TaskView,
  agent: string,
): Settled {
  const path = layout.report(agent);
  const bytes = ports.workspace.readFile(path);
  const size = bytes?.length ?? 0;
  if (bytes === undefined) {
    const older =
      ports.workspace.readFile(layout.olderReport(agent)) === undefined
        ? ''
        : `; it lies at ${layout.olderReport(agent)}`;
    return { path, size, report: `requirements report missing: ${path}${older}` };
  }
  if (bytes.toString('utf8').trim() === '')
    return { path, size, report: `requirements report is empty: ${path}` };
  if (size < settings.minReport)
    return {
      path,
      size,
      report: `requirements report has ${size} bytes, at least ${settings.minReport} are needed: ${path}`,
    };
  return { path, size, report: '' };
}

/** What an agent said of its requirements last, NOT_STARTED where it said nothing that still counts. */
export function saidOf(
  { item }: Pick<Handle, 'item'>,
  agent: string,
  kind = 'requirements',
): { readonly status: string; readonly at: string; readonly reason: string; readonly errorType: string } {
  const scope = freshEvidence(item, kind).findLast((e) => e.by === agent);
  return {
    status: scope?.outcome ?? 'NOT_STARTED',
    at: scope?.at ?? '',
    reason: String(scope?.facts.reason ?? ''),
    errorType: String(scope?.facts.error_type ?? ''),
  };
}

/** One agent as the check tells it, in one of five ways (PROTO-193). */
export interface AgentStanding {
  readonly agent: string;
  readonly status: string;
  readonly complete: boolean;
  readonly because: string;
}

/** Complete is who says so and has left a report, by the same rule everywhere (CP-22, PROTO-169, PROTO-191 to PROTO-195). */
export function standings(
  ports: Pick<Ports, 'workspace'>,
  handle: Handle,
  view: TaskView,
): readonly AgentStanding[] {
  return agentsOf(handle).map((agent) => {
    const { status, reason } = saidOf(handle, agent);
    const { report } = settled(ports, view, agent);
    const because =
      status === 'NOT_STARTED'
        ? 'status missing'
        : status !== 'COMPLETE'
          ? `status=${status}, expected COMPLETE${status === 'ERROR' ? `: ${reason || 'Unknown error'}` : ''}`
          : report;
    return { agent, status, complete: because === '', because: because || 'complete' };
  });
}

export type Resume =
  | { readonly decision: 'TRANSITION_TO_SYNTHESIS' | 'INVOKE_ALL_AGENTS'; readonly agents: readonly string[] }
  | { readonly decision: 'INVOKE_INCOMPLETE'; readonly agents: readonly string[] };

/** How to go on after an interruption (PROTO-170). */
export function resumeDecision(all: readonly AgentStanding[]): Resume {
  const open = all.filter(({ complete }) => !complete).map(({ agent }) => agent);
  if (open.length === 0 && all.length > 0) return { decision: 'TRANSITION_TO_SYNTHESIS', agents: [] };
  return open.length === all.length
    ? { decision: 'INVOKE_ALL_AGENTS', agents: open }
    : { decision: 'INVOKE_INCOMPLETE', agents: open };
}
