import type { Ports } from '../ports.ts';
import { type Invocation, invocationsOf } from './invocations.ts';
import type { Recovery } from './recovery.ts';
import { type AgentStanding, type Resume, resumeDecision, settled, standings } from './reports.ts';
import { recoveryFor } from './runs.ts';
import { hasEnded, viewTask } from './task.ts';
import { taskItem } from './task-item.ts';
import type { TreePorts } from './tree-ports.ts';

/** A task as whoever goes on with it needs to see it (PROTO-168). */
export interface TaskShown {
  readonly task: string;
  readonly item: string;
  readonly state: string;
  readonly session: string;
  readonly heldBy: string;
  readonly beat: string;
  readonly folder: string;
  readonly code: string;
  readonly agents: readonly AgentStanding[];
  /** What each working tree has for itself. */
  readonly ports: readonly TreePorts[];
  /** Reports that are there, by their paths. */
  readonly reports: readonly string[];
  readonly invocations: readonly Invocation[];
  /** How to go on with the requirements; undefined in other states. */
  readonly resume: Resume | undefined;
  /** What to do about each agent that is called in this state; undefined where none is. */
  readonly recovery: Recovery | undefined;
  /** What keeps an interrupted task from going on: worktrees that are gone. */
  readonly broken: readonly string[];
}

export async function showTask(ports: Ports, task: string, session: string): Promise<TaskShown> {
  const handle = await taskItem(ports, task);
  const view = await viewTask(ports, task, session);
  const all = standings(ports, handle, view);
  const { holder } = view.lease;
  const wanted = [view.layout.code, ...all.map(({ agent }) => view.layout.agentCode(agent))];
  const isLive = !hasEnded(handle) && handle.item.state !== 'INIT';
  return {
    task,
    item: handle.display,
    state: handle.item.state,
    session: holder?.session ?? '',
    heldBy: holder?.actor ?? '',
    beat: holder?.beat ?? '',
    folder: view.layout.folder,
    code: view.layout.code,
    agents: all,
    ports: view.ports,
    reports: all.flatMap(({ agent }) => {
      const { size, path } = settled(ports, view, agent);
      return size > 0 ? [path] : [];
    }),
    invocations: invocationsOf(handle),
    resume: handle.item.state === 'REQUIREMENTS' ? resumeDecision(all) : undefined,
    recovery: recoveryFor(ports, handle, view),
    broken: isLive ? wanted.filter((path) => !view.worktrees.has(path)) : [],
  };
}
