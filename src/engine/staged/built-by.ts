import type { Handle } from '../handle.ts';
import { phasedParts } from '../phases/phased-parts.ts';
import type { Ports } from '../ports.ts';
import type { CommitMade } from '../workspace.ts';
import { workOn } from './branch-work.ts';
import { agentsOf, type TaskView } from './task.ts';

/** The commits of a task, and which of them came from the branch of no agent. */
export interface Built {
  readonly made: readonly CommitMade[];
  readonly others: readonly CommitMade[];
  /** Files for agents alone that one of the others touched, each with its commit, for people. */
  readonly touched: readonly string[];
}

/** A tag in a message is anybody’s to write: what counts is the branch that a commit came from; what reviewers of a task in phases below it approved was built by agents (PROTO-251 to PROTO-256, PROTO-299). */
export async function builtIn(
  ports: Pick<Ports, 'store' | 'workspace' | 'runner'>,
  handle: Handle,
  view: TaskView,
): Promise<Built> {
  const made = workOn(ports, handle, view.layout.branch);
  const ofAgents = new Set(
    agentsOf(handle).flatMap((agent) =>
      workOn(ports, handle, view.layout.agentBranch(agent)).map(({ sha }) => sha),
    ),
  );
  for (const { commit } of await phasedParts(ports, handle))
    if (commit !== '')
      for (const { sha } of ports.workspace.commits(String(handle.item.facts.head ?? ''), commit))
        ofAgents.add(sha);
  const others = made.filter(({ sha }) => !ofAgents.has(sha));
  const touched: string[] = [];
  for (const { sha, created, modified } of others)
    for (const path of [...created, ...modified])
      if (await isImplementation({ ports }, view, path)) touched.push(`${path} in ${sha.slice(0, 12)}`);
  return { made, others, touched };
}

/** Whether a path is for agents alone. */
export async function isImplementation(
  { ports }: { readonly ports: Pick<Ports, 'runner'> },
  { settings }: TaskView,
  path: string,
): Promise<boolean> {
  const among = async (patterns: readonly string[]) => {
    for (const pattern of patterns) if (await ports.runner.matches(path, pattern)) return true;
    return false;
  };
  return (await among(settings.implementation)) && !(await among(settings.coordination));
}
