import type { Handle } from '../handle.ts';
import type { CommitMade, Ports } from '../ports.ts';
import { agentsOf, type TaskView } from './task.ts';

/** The commits of a task, and which of them came from the branch of no agent. */
export interface Built {
  readonly made: readonly CommitMade[];
  readonly others: readonly CommitMade[];
  /** Files for agents alone that one of the others touched, each with its commit, for people. */
  readonly touched: readonly string[];
}

/** A tag in a message is anybody’s to write: what counts is the branch that a commit came from (PROTO-251 to PROTO-256, PROTO-299). */
export async function builtIn(
  ports: Pick<Ports, 'workspace' | 'runner'>,
  handle: Handle,
  view: TaskView,
): Promise<Built> {
  const { workspace } = ports;
  const base = String(handle.item.facts.head ?? '');
  const head = workspace.commitOf(`refs/heads/${view.layout.branch}`);
  const made = head === '' ? [] : workspace.commits(base, head);
  const ofAgents = new Set(
    agentsOf(handle).flatMap((agent) => commitsOfAgent(ports, handle, view, agent).map(({ sha }) => sha)),
  );
  const others = made.filter(({ sha }) => !ofAgents.has(sha));
  const touched: string[] = [];
  for (const { sha, created, modified } of others)
    for (const path of [...created, ...modified])
      if (await isImplementation({ ports }, view, path)) touched.push(`${path} in ${sha.slice(0, 12)}`);
  return { made, others, touched };
}

/** What an agent's branch holds beyond the base of the task; nothing where there is no such branch. */
export function commitsOfAgent(
  { workspace }: Pick<Ports, 'workspace'>,
  { item }: Pick<Handle, 'item'>,
  { layout }: TaskView,
  agent: string,
): readonly CommitMade[] {
  const branch = `refs/heads/${layout.agentBranch(agent)}`;
  return workspace.commitOf(branch) === '' ? [] : workspace.commits(String(item.facts.head ?? ''), branch);
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
