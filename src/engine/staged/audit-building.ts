import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import type { CommitMade } from '../workspace.ts';
import { workOn } from './branch-work.ts';
import { builtIn, isImplementation } from './built-by.ts';
import type { TaskFinding } from './late-agents.ts';
import { agentsOf, type TaskView } from './task.ts';
import { validatedCommits } from './validated.ts';

/**
 * Who built what the branch of the task holds: commits on files for agents that came from no agent's worktree, and commits
 * of agents that were merged before their agent validated them, by whatever command (PROTO-299).
 */
export async function auditBuilding(
  ports: Ports,
  handle: Handle,
  view: TaskView,
): Promise<readonly TaskFinding[]> {
  const { made, touched } = await builtIn(ports, handle, view);
  return [
    ...touched.map((what) => found('commit-outside-worktree', `not from the worktree of an agent: ${what}`)),
    ...(await mergedEarly(ports, handle, view, made)).map((what) => found('merge-without-validation', what)),
  ];
}

/** Work of agents in the branch of the task that its agents had not called complete when it got there, for people (PROTO-299). */
export async function mergedEarly(
  ports: Ports,
  handle: Handle,
  view: TaskView,
  made: readonly CommitMade[],
): Promise<readonly string[]> {
  const inTask = new Set(made.map(({ sha }) => sha));
  const sound = validatedIn(ports, handle);
  const early: string[] = [];
  for (const agent of agentsOf(handle)) {
    const open: string[] = [];
    for (const commit of workOn(ports, handle, view.layout.agentBranch(agent)))
      if (inTask.has(commit.sha) && !sound.has(commit.sha) && (await isForAgents(ports, view, commit)))
        open.push(commit.sha.slice(0, 12));
    if (open.length > 0) early.push(earlyText(view, agent, open));
  }
  return early;
}

/** The list, and documents, are also the coordinator's, and come to an agent that brings its branch up to date. */
async function isForAgents(
  ports: Ports,
  view: TaskView,
  { created, modified }: CommitMade,
): Promise<boolean> {
  for (const path of [...created, ...modified])
    if (await isImplementation({ ports }, view, path)) return true;
  return false;
}

const earlyText = ({ layout }: TaskView, agent: string, commits: readonly string[]) =>
  `${layout.branch} holds ${commits.join(', ')} of ${layout.agentBranch(agent)}: ${agent} had not called it complete when it was merged`;

const found = (rule: string, what: string): TaskFinding => ({ rule, level: 'finding', what });

/** Every commit under one that its agent called complete in time. */
function validatedIn({ workspace }: Ports, handle: Handle): ReadonlySet<string> {
  const base = String(handle.item.facts.head ?? '');
  const words = [...new Set(validatedCommits(handle))].filter((sha) => workspace.commitOf(sha) !== '');
  return new Set(words.flatMap((sha) => workspace.commits(base, sha).map((commit) => commit.sha)));
}
