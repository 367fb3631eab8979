import type { Step } from '../kernel/work-item.ts';
import { defaultBranchOf } from './base.ts';
import { claimFacts } from './claim-facts.ts';
import { readConfig } from './config.ts';
import { displayId, numberOf } from './display.ts';
import { EngineError } from './engine-error.ts';
import { isEscalated } from './escalation.ts';
import { coverage } from './gather/goal.ts';
import { goalOf } from './goal-of.ts';
import { type Handle, loadItem, peekById } from './handle.ts';
import type { Ports } from './ports.ts';
import { isWeak } from './weak.ts';

/** States of a task, each counted (GOAL-50, CG-08). */
const COUNTED = [
  'pending',
  'assigned',
  'in_progress',
  'review',
  'completed',
  'verified',
  'abandoned',
] as const;

export interface TaskOfGoal {
  readonly task_id: string;
  readonly title: string;
  readonly status: string;
  readonly assignee: string;
  /** The tree that the verdict is about, '' without one. */
  readonly tree: string;
  /** Files that hold something else by now; the verdict is not about those. */
  readonly changed_since: readonly string[];
  /** Verified by the rule for a small team (GOAL-82). */
  readonly weak: boolean;
  /** Rejected by verifiers so often, ever; a reviewer's word is none of these (GOAL-34). */
  readonly rejections: number;
  /** Rejected twice and waiting for the lead's triage. */
  readonly escalated: boolean;
}

export interface GoalStatus {
  readonly goal_id: string;
  readonly title: string;
  readonly status: string;
  readonly tasks: readonly TaskOfGoal[];
  readonly counts: { readonly [state: string]: number };
  /** Verified tasks whose work is not on the default branch yet. */
  readonly unmerged: readonly string[];
  /** Tasks whose verdict is not about what is there now: the whole is judged anew at integration. */
  readonly reverify: readonly string[];
  /** Why the goal was sent back, '' where it was not. */
  readonly rejected: string;
  /** It is verified, and some of its tasks are so by the rule for a small team alone. */
  readonly weak: boolean;
}

/** A goal and its tasks. `look` asks git what became of verified work on the default branch. Throws NOT_FOUND, BAD_INPUT. */
export async function goalStatus(ports: Ports, ref: string, look = true): Promise<GoalStatus> {
  const goal = await goalNamed(ports, ref);
  const handles = await tasksOf(ports, goal);
  const verified = handles.filter(isDone);
  const changed = new Map<string, readonly string[]>();
  const unmerged: string[] = [];
  if (look && verified.length > 0) {
    const head = ports.git.defaultBranchRef(defaultBranchOf(goal, await readConfig(ports)));
    const judged = goal.item.state === 'verified' ? goal.item.subjects.commit?.digest : undefined;
    // The whole was judged as it was then: what tasks changed of each other before that is no news.
    const sinceJudged = (paths: readonly string[]) =>
      judged === undefined || paths.length === 0 ? paths : ports.git.differing(judged, head, paths);
    for (const one of coverage(ports, verified, head)) {
      if (one.missing) unmerged.push(one.task);
      else changed.set(one.task, sinceJudged(one.changed));
    }
  }
  const tasks = handles.map((task) => taskOf(task, changed.get(task.display) ?? []));
  // Tasks of other protocols are counted under the states that they have.
  const states = [...new Set([...COUNTED, ...tasks.map(({ status }) => status)])];
  const counts = states.map((state) => [state, tasks.filter((t) => t.status === state).length] as const);
  return {
    goal_id: goal.display,
    title: goal.item.title,
    status: goal.item.state,
    tasks,
    counts: Object.fromEntries(counts),
    unmerged,
    reverify: tasks.filter((t) => t.changed_since.length > 0).map((t) => t.task_id),
    rejected: goal.item.state === 'active' ? lastRejection(goal) : '',
    weak: goal.item.state === 'verified' && tasks.some((task) => task.weak),
  };
}

/** Verified; or closed, where its protocol ends with that. */
const isDone = ({ protocol, item }: Handle): boolean =>
  item.state === 'verified' || protocol.states[item.state]?.category === 'CLOSED';

const lastRejection = ({ item }: Handle): string =>
  item.steps.findLast(({ command }) => command === 'reject-goal')?.reason ?? '';

/** The tasks of a goal, to be looked at. */
export async function tasksOf(ports: Ports, { item }: Handle): Promise<readonly Handle[]> {
  const handles: Handle[] = [];
  for (const member of Object.keys(item.members.tasks ?? {})) handles.push(await taskNamed(ports, member));
  return handles;
}

async function taskNamed(ports: Ports, member: string): Promise<Handle> {
  const row = await ports.store.itemByNumber(numberOf(member) ?? 0);
  return peekById(ports, row?.id ?? member);
}

function taskOf(handle: Handle, changed: readonly string[]): TaskOfGoal {
  const { item } = handle;
  const verified = isDone(handle);
  return {
    task_id: handle.display,
    title: item.title,
    status: item.state,
    assignee: item.marks.assignee?.at(-1) ?? '',
    tree: verified ? String(claimFacts(handle).tree ?? '') : '',
    changed_since: verified ? changed : [],
    weak: isWeak(item),
    rejections: item.steps.filter(({ command }) => command === 'reject-verification').length,
    escalated: isEscalated(item),
  };
}

/** The goal of that name. Throws NOT_FOUND, BAD_INPUT where the item is none. */
export async function goalNamed(ports: Ports, ref: string): Promise<Handle> {
  const goal = await loadItem(ports, ref);
  if (goal.protocol.name === 'goal') return goal;
  const of = await goalNameOf(ports, goal);
  const hint = of === '' ? 'see what there is: countersign list' : `its goal: countersign goal status ${of}`;
  throw new EngineError('BAD_INPUT', `${goal.display} is no goal`, hint);
}

/** The goal that a task is to belong to. Throws like `goalNamed`, and says what to do where it is a task itself (GOAL-78). */
export async function goalToHold(ports: Ports, ref: string): Promise<Handle> {
  const goal = await loadItem(ports, ref);
  if (goal.protocol.name !== 'goal-task') return goalNamed(ports, ref);
  const of = (await goalNameOf(ports, goal)) || 'GOAL';
  throw new EngineError(
    'BAD_INPUT',
    `${goal.display} is a task, and tasks have no sub-tasks`,
    `add a task of the goal that waits for it: countersign add "TITLE" --goal ${of} --depends-on ${goal.display}`,
  );
}

/** What people call the goal of an item, '' for none. */
export async function goalNameOf(ports: Ports, item: Handle): Promise<string> {
  const of = goalOf(item);
  if (of === '') return '';
  const row = await ports.store.itemById(of);
  return row === undefined ? of : displayId(row.number, row.protocol);
}

/** A verification that was, and what became of it (GOAL-72). */
export interface PastVerification {
  readonly by: string;
  readonly at: string;
  readonly tree: string;
  /** What whoever asked for it saw, in their words. */
  readonly notes: string;
  readonly invalidated:
    | { readonly by: string; readonly at: string; readonly reason: string; readonly task?: string }
    | undefined;
}

/**
 * Every verification of a task or a goal, those too that a reopening took back; that of a goal ends with the reopening of one
 * of its `tasks`.
 */
export function verifications(
  { item }: Pick<Handle, 'item'>,
  tasks: readonly Handle[] = [],
): readonly PastVerification[] {
  return item.steps.flatMap((step, n) => {
    if (step.to !== 'verified' || step.from === 'verified') return [];
    const back = item.steps.slice(n + 1).find(({ from, to }) => from === 'verified' && to !== 'verified');
    const claim = item.steps.slice(0, n).findLast((s) => typeof s.facts.tree === 'string');
    const invalidated = back === undefined ? undefined : (reopeningOf(tasks, back.at) ?? takenBack(back));
    const notes = step.arguments.notes ?? '';
    return [{ by: step.by, at: step.at, tree: String(claim?.facts.tree ?? ''), notes, invalidated }];
  });
}

const takenBack = ({ by, at, reason }: Step) => ({ by, at, reason });

/** The reopening of a task that a goal had heard of by then. */
function reopeningOf(tasks: readonly Handle[], at: string): PastVerification['invalidated'] {
  const all = tasks.flatMap(({ display, item }) =>
    item.steps
      .filter(({ command, at: then }) => command === 'reopen' && then <= at)
      .map((step) => ({ ...takenBack(step), task: display })),
  );
  const last = all.toSorted((a, b) => a.at.localeCompare(b.at)).at(-1);
  return last === undefined ? undefined : { ...last, at };
}
