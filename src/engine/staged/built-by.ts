import type { Handle } from '../handle.ts';
import { phasedParts } from '../phases/phased-parts.ts';
import type { Ports } from '../ports.ts';
import type { CommitMade } from '../workspace.ts';
import { workOn } from './branch-work.ts';
import { becameOf, pathsOf } from './held-change.ts';
import { mainsSince } from './main-branch.ts';
import { agentsOf, type TaskView } from './task.ts';
import { validatedCommits } from './validated.ts';

/** The commits of a task, and which of them came from the branch of no agent. */
export interface Built {
  /** Heads of the main branch that are not where the task began. */
  readonly mains: readonly string[];
  readonly made: readonly CommitMade[];
  readonly others: readonly CommitMade[];
  /** Files for agents alone that one of the others touched, each with its commit, for people. */
  readonly touched: readonly string[];
}

/**
 * A tag in a message is anybody’s to write: what counts is the branch that a commit came from; what reviewers of a task in
 * phases below it approved was built by agents. What came from the main branch is not the task's. Of a merge that no agent
 * validated, what is as neither parent has it was written by whoever made it (PROTO-251 to PROTO-256, PROTO-299).
 * `onto`: of what lands there, '' for where the main branch is now; what that holds already does not come with the task.
 */
export async function builtIn(ports: Around, handle: Handle, view: TaskView, onto?: string): Promise<Built> {
  const { workspace } = ports;
  const base = String(handle.item.facts.head ?? '');
  const mains = await mainsSince(ports, handle);
  const isOnMain = (sha: string) => mains.some((head) => ports.git.isAncestor(sha, head));
  const made = workOn(ports, handle, view.layout.branch).filter(({ sha }) => !isOnMain(sha));
  const parts = (await phasedParts(ports, handle)).flatMap(({ commit }) => (commit === '' ? [] : [commit]));
  const sound = [...new Set([...validatedCommits(handle), ...parts])].filter(
    (sha) => workspace.commitOf(sha) !== '',
  );
  const onBranches = new Set(
    agentsOf(handle).flatMap((agent) =>
      workOn(ports, handle, view.layout.agentBranch(agent)).map(({ sha }) => sha),
    ),
  );
  // Its agent may have gone on elsewhere from what it had called complete.
  const elsewhere = sound.filter((sha) => sha !== base && !onBranches.has(sha));
  const called = new Set(elsewhere.flatMap((sha) => workspace.commits(base, sha).map((one) => one.sha)));
  const others = made.filter(({ sha }) => !onBranches.has(sha) && !called.has(sha));
  const mergedByAgents = new Set(sound.flatMap((sha) => workspace.merges(base, sha).map((one) => one.sha)));
  const head = workspace.commitOf(`refs/heads/${view.layout.branch}`);
  const merges = head === '' ? [] : workspace.merges(base, head);
  const written = [
    ...others.flatMap((one) => pathsOf(one).map((path) => [path, one.sha] as const)),
    ...merges
      .filter(({ sha }) => !mergedByAgents.has(sha) && !isOnMain(sha))
      .flatMap((merge) => workspace.writtenInMerge(merge).map((path) => [path, merge.sha] as const)),
  ];
  const isThere = heldBy(ports, others, onto === undefined ? [] : onto === '' ? mains : [onto]);
  const touched: string[] = [];
  for (const [path, sha] of written)
    if ((await isImplementation({ ports }, view, path)) && !isThere(path, sha))
      touched.push(`${path} in ${sha.slice(0, 12)}`);
  return { mains, made, others, touched };
}

/** Whether one of these heads holds what a commit did to a path: it was only written anew there, by a rebase or in other words. */
function heldBy(ports: Around, made: readonly CommitMade[], heads: readonly string[]) {
  const known = new Map<string, ReadonlySet<string>>();
  return (path: string, sha: string): boolean => {
    const one = made.find((commit) => commit.sha === sha);
    if (one === undefined) return false;
    const held = known.get(sha) ?? new Set(heads.flatMap((head) => becameOf(ports, one, head).held));
    known.set(sha, held);
    return held.has(path);
  };
}

type Around = Pick<Ports, 'git' | 'store' | 'workspace' | 'runner'>;

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
