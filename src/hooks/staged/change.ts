import { readFileSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import type { Opened } from '../../engine/composition.ts';
import { isImplementation } from '../../engine/staged/built-by.ts';
import { isPlanApproved } from '../../engine/staged/guidance.ts';
import { mainRef } from '../../engine/staged/main-head.ts';
import { agentsOf } from '../../engine/staged/task.ts';
import { realOf } from '../guarded.ts';
import type { Moment } from '../payload.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Change } from './shell-changes.ts';
import { mainHeld, type Standing } from './standing.ts';

/** Who asks, and among which tasks. */
export interface Asking {
  readonly opened: Opened;
  readonly all: readonly Standing[];
  readonly moment: Moment;
  readonly around: Surroundings;
}

/**
 * Why a file may not be changed by this session now, '' where it may. It is an early warning: what lands is judged by
 * authorship and branch at the merge (PROTO-06, PROTO-65 to PROTO-70, PROTO-77, PROTO-250 to PROTO-256).
 */
export async function fileProblem(asking: Asking, path: string): Promise<string> {
  const { all, opened, moment, around } = asking;
  const real = realOf(path, around);
  const task = all.find(({ view }) => isInside(view.layout.folder, real));
  if (task !== undefined) return taskProblem(asking, task, real);
  return isInMain(asking, real) ? mainHeld(opened.ports, moment.session) : '';
}

/** The same for a command of git. */
export async function gitProblem(asking: Asking, change: GitChange): Promise<string> {
  return (await isOnMain(asking, change)) ? mainHeld(asking.opened.ports, asking.moment.session) : '';
}

export type GitChange = Extract<Change, { readonly kind: 'git' }>;

/** A command of git in the main working tree, or one that moves the main branch from elsewhere (PROTO-79). */
export async function isOnMain(asking: Asking, { folder, isHere, branches }: GitChange): Promise<boolean> {
  if (isHere && isInMain(asking, realOf(folder, asking.around))) return true;
  if (branches.length === 0) return false;
  const ref = await mainRef(asking.opened.ports);
  return branches.some((name) => ref === `refs/heads/${name}`);
}

export const isInside = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
};

/** In the main working tree itself, and in none that lies below it. */
export function isInMain({ opened, all }: Asking, real: string): boolean {
  const { main } = opened.ports.workspace;
  if (!isInside(main, real)) return false;
  const others = [...(all[0]?.view.worktrees ?? []), ...all.map(({ view }) => view.layout.folder)];
  return !others.some((tree) => tree !== main && isInside(main, tree) && isInside(tree, real));
}

/** A file of a task: of its own worktree, of one of its agents', or one of its papers. */
async function taskProblem(asking: Asking, standing: Standing, real: string): Promise<string> {
  const { task, handle, view } = standing;
  const { moment, around, opened } = asking;
  const [, agent = '', path = ''] =
    /^(?:agents\/([^/]+)\/)?code\/(.+)$/.exec(relative(view.layout.folder, real)) ?? [];
  const agents = agentsOf(handle);
  const isAgent = moment.agent !== '' || agents.includes(around.actor);
  const { holder } = view.lease;
  if (!isAgent && holder !== undefined && view.holding !== 'own')
    return `The task ${task} is held by session ${holder.session} (${holder.actor}): leave its files alone, and take other work.`;
  const { state } = handle.item;
  if (path === '' || !(state === 'SYNTHESIS' || state === 'IMPLEMENTATION')) return '';
  if (!(await isImplementation(opened, view, path))) return '';
  if (state === 'SYNTHESIS')
    return isPlanApproved(handle)
      ? `The plan of ${task} is approved, and nobody builds yet: countersign task implement ${task}.`
      : `Nothing of ${task} is implemented before a person approves its plan: countersign task present-plan ${task}, show it, and end your turn.`;
  if (agent !== '' && isOfAgent(agent, agents, asking)) return '';
  return agent === '' && isConflicted(real) ? '' : delegated(task, path, agent, agents);
}

/** The agent itself, in a session of its own or as a sub-agent; a sub-agent that is called like another one is that one. */
function isOfAgent(agent: string, agents: readonly string[], { moment, around }: Asking): boolean {
  if (moment.agent === '') return around.actor === agent;
  return !agents.some((other) => other !== agent && other === moment.agentType);
}

const delegated = (task: string, path: string, agent: string, agents: readonly string[]) =>
  `In IMPLEMENTATION ${path} of ${task} is written by ${agent === '' ? 'an agent in its own worktree' : `${agent} alone`}: whoever coordinates writes no code, and mends none. Invoke it instead: countersign task invoke ${task} --agent ${agent || agents[0] || 'AGENT'}, then launch that agent.`;

/** A merge left it to whoever coordinates (PROTO-250). */
function isConflicted(path: string): boolean {
  try {
    return /^<{7} /m.test(readFileSync(path, 'utf8'));
  } catch {
    return false;
  }
}
