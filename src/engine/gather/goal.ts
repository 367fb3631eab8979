import type { Finding } from '../../kernel/command.ts';
import type { Json } from '../../kernel/event.ts';
import type { Protocol } from '../../kernel/protocol.ts';
import { defaultBranchOf } from '../base.ts';
import { claimFacts } from '../claim-facts.ts';
import { criteriaFor } from '../criteria.ts';
import { EngineError } from '../engine-error.ts';
import { goalOf } from '../goal-of.ts';
import { type Handle, loadItem } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { type Gatherer, lacking, seen } from './looked.ts';

/** Protocol of the items that a goal holds. */
const TASK = 'goal-task';

/** A task belongs to at most one goal, and a goal to none (GOAL-42, GOAL-77). */
export const linkable: Gatherer = async ({ ports, handle, request }) => {
  const { task = '' } = request.arguments;
  const found = await taskFinding(ports, handle, task, request.command === 'unlink');
  return { probes: { linkable: found } };
};

async function taskFinding(ports: Ports, goal: Handle, ref: string, leaves: boolean): Promise<Finding> {
  const task = await loadItem(ports, ref).catch((error: unknown) => {
    if (error instanceof EngineError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  });
  if (task === undefined) return lacking(`there is no task ${ref}`, 'see the tasks: countersign list');
  const unfit = kindFinding(task.display, task.protocol);
  if (unfit !== undefined) return unfit;
  const of = goalOf(task);
  if (leaves) {
    return of === goal.id
      ? seen(`${task.display} belongs to ${goal.display}`)
      : lacking(`${task.display} does not belong to ${goal.display}`, 'name a task of this goal');
  }
  return of === ''
    ? seen(`${task.display} belongs to no goal yet`)
    : lacking(`${task.display} belongs to a goal already`, 'unlink it there first');
}

/** Why an item of a protocol cannot be a task of a goal, undefined where it can: its table has to tell the goal (GOAL-77). */
export function kindFinding(
  display: string,
  { name, policies }: Pick<Protocol, 'name' | 'policies'>,
): Finding | undefined {
  if (policies.some(({ tell }) => tell === 'goal')) return undefined;
  return name === 'goal'
    ? lacking(`${display} is a goal, and goals do not nest`, 'split it: link its tasks instead')
    : lacking(`${display} follows ${name}, not ${TASK}`, `open it with --protocol ${TASK}`);
}

/** A task as it is found again in a later commit. */
export interface Covered {
  readonly task: string;
  /** The tree that its verdict is about. */
  readonly tree: string;
  readonly commit: string;
  /** Files of its work that hold something else there. */
  readonly changed: readonly string[];
  /** Nothing of its work is there. */
  readonly missing: boolean;
}

/** What became of verified work in a commit: two verdicts about one file cannot both be of it. One question for all. */
export function coverage(
  ports: Pick<Ports, 'git'>,
  verified: readonly Handle[],
  commit: string,
): readonly Covered[] {
  const works = verified.map((task) => {
    const { commit: of, tree, files } = claimFacts(task);
    const paths = Array.isArray(files) ? files.map(String) : [];
    return { task: task.display, tree: String(tree ?? ''), commit: String(of ?? ''), paths };
  });
  const found = ports.git.covered(commit, works);
  return works.map(({ paths, ...work }, n) => {
    const { changed = [], held = false } = found[n] ?? {};
    return { ...work, changed, missing: paths.length > 0 && changed.length === paths.length && !held };
  });
}

async function verifiedOf(ports: Ports, { item }: Handle): Promise<readonly Handle[]> {
  const tasks: Handle[] = [];
  for (const [task, { state, category }] of Object.entries(item.members.tasks ?? {}))
    if (state === 'verified' || category === 'CLOSED') tasks.push(await loadItem(ports, task));
  return tasks;
}

/**
 * The commit that holds the whole: on the default branch, with the work of every verified task in it. What was changed
 * there since its verdict is named, and is judged anew with the rest (GOAL-39, GOAL-40).
 */
export const integrated: Gatherer = async ({ ports, handle, request, config }) => {
  const branch = ports.git.defaultBranchRef(defaultBranchOf(handle, await config()));
  const named = request.commit || branch;
  const work = ports.git.resolveClaim({ commit: named, base: named, defaultBranch: '' });
  const found = coverage(ports, await verifiedOf(ports, handle), work.commit);
  const criteria = await criteriaFor(ports, String(handle.item.facts.criteria ?? 'default'), work.commit);
  const changed = found.filter((task) => task.changed.length > 0);
  const facts: { [name: string]: Json } = {
    commit: work.commit,
    tree: work.tree,
    base: work.commit,
    changed: 0,
    no_change: true,
    criteria: criteria === undefined ? null : { ...criteria },
    evidence: [],
    notes: request.arguments.notes ?? '',
    changed_since: changed.map(({ task, tree, changed: files }) => ({
      task,
      tree,
      files: files.slice(0, 20),
    })),
  };
  const at = work.commit.slice(0, 12);
  const gone = found.filter((task) => task.missing).map(({ task }) => task);
  const probe = !ports.git.isAncestor(work.commit, branch)
    ? lacking(`${at} is not in the history of the default branch`, 'merge the work first')
    : gone.length > 0
      ? lacking(`the work of ${gone.join(', ')} is not in ${at}`, 'merge it, or reopen or unlink the task')
      : seen(`${at} holds the work of ${found.length} verified tasks`);
  return { probes: { integrated: probe }, subjects: { commit: work.commit }, facts };
};
