import { defaultBranchOf } from './base.ts';
import { claimFacts } from './claim-facts.ts';
import { readConfig } from './config.ts';
import { numberOf } from './display.ts';
import { EngineError } from './engine-error.ts';
import { coverage } from './gather/goal.ts';
import { goalOf } from './goal-of.ts';
import { type Handle, loadItem, peekById } from './handle.ts';
import type { Ports } from './ports.ts';

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
}

/** A goal and its tasks. `look` asks git what became of verified work on the default branch. Throws NOT_FOUND, BAD_INPUT. */
export async function goalStatus(ports: Ports, ref: string, look = true): Promise<GoalStatus> {
  const goal = await goalNamed(ports, ref);
  const members = Object.keys(goal.item.members.tasks ?? {});
  const changed = new Map<string, readonly string[]>();
  const unmerged: string[] = [];
  if (
    look &&
    members.length > 0 &&
    Object.values(goal.item.members.tasks ?? {}).some((m) => m.state === 'verified')
  ) {
    const head = ports.git.defaultBranchRef(defaultBranchOf(goal, await readConfig(ports)));
    for (const one of await coverage(ports, goal, head)) {
      if (one.missing) unmerged.push(one.task);
      else changed.set(one.task, one.changed);
    }
  }
  const tasks: TaskOfGoal[] = [];
  for (const member of members) tasks.push(await taskOf(ports, member, changed.get(member) ?? []));
  const counts = COUNTED.map((state) => [state, tasks.filter((t) => t.status === state).length] as const);
  return {
    goal_id: goal.display,
    title: goal.item.title,
    status: goal.item.state,
    tasks,
    counts: Object.fromEntries(counts),
    unmerged,
    reverify: tasks.filter((t) => t.changed_since.length > 0).map((t) => t.task_id),
    rejected: goal.item.state === 'active' ? lastRejection(goal) : '',
  };
}

const lastRejection = ({ item }: Handle): string =>
  item.steps.findLast(({ command }) => command === 'reject-goal')?.reason ?? '';

async function taskOf(ports: Ports, member: string, changed: readonly string[]): Promise<TaskOfGoal> {
  const row = await ports.store.itemByNumber(numberOf(member) ?? 0);
  const handle = await peekById(ports, row?.id ?? member);
  const { item } = handle;
  const verified = item.state === 'verified';
  const facing = item.subjects.commit?.generation;
  return {
    task_id: handle.display,
    title: item.title,
    status: item.state,
    assignee: item.marks.assignee?.at(-1) ?? '',
    tree: verified ? String(claimFacts(handle).tree ?? '') : '',
    changed_since: verified ? changed : [],
    weak: item.evidence.some((e) => e.kind === 'relaxed' && e.generation === facing),
    escalated: item.evidence.findLast((e) => e.kind === 'escalation')?.outcome === 'open',
  };
}

/** The goal of that name. Throws NOT_FOUND, BAD_INPUT where the item is none. */
export async function goalNamed(ports: Ports, ref: string): Promise<Handle> {
  const goal = await loadItem(ports, ref);
  if (goal.protocol.name === 'goal') return goal;
  const of = goalOf(goal);
  const hint =
    of === ''
      ? 'see what there is: countersign list'
      : `its goal: countersign goal status ${(await loadItem(ports, of)).display}`;
  throw new EngineError('BAD_INPUT', `${goal.display} is no goal`, hint);
}

/** A verification that was, and what became of it (GOAL-72). */
export interface PastVerification {
  readonly by: string;
  readonly at: string;
  readonly tree: string;
  readonly invalidated: { readonly by: string; readonly at: string; readonly reason: string } | undefined;
}

/** Every verification of a task, those too that a reopening took back. */
export function verifications({ item }: Pick<Handle, 'item'>): readonly PastVerification[] {
  return item.steps.flatMap((step, n) => {
    if (step.to !== 'verified' || step.from === 'verified') return [];
    const back = item.steps.slice(n + 1).find(({ from, to }) => from === 'verified' && to !== 'verified');
    const claim = item.steps.slice(0, n).findLast((s) => typeof s.facts.tree === 'string');
    const invalidated = back === undefined ? undefined : { by: back.by, at: back.at, reason: back.reason };
    return [{ by: step.by, at: step.at, tree: String(claim?.facts.tree ?? ''), invalidated }];
  });
}

/** Something that an actor has to be told, as the log shows it (GOAL-36, GOAL-60). */
export interface Message {
  readonly to: string;
  readonly item: string;
  readonly text: string;
}

/** What an item has to say to whom: a rejection to its builder, two of them to the lead, an overdue state to the orchestrator. */
export function messagesOf(handle: Handle): readonly Message[] {
  const { display, item } = handle;
  const messages: Message[] = [];
  const last = item.steps.findLast(({ from, to }) => from !== to);
  const builder = item.marks.assignee?.at(-1) ?? item.marks.builder?.at(-1) ?? '';
  if (last !== undefined && ['reject', 'reject-verification'].includes(last.command))
    messages.push({
      to: builder,
      item: display,
      text: `${display} was rejected by ${last.by}: ${last.reason}`,
    });
  if (item.evidence.findLast((e) => e.kind === 'escalation')?.outcome === 'open') {
    const by = item.steps.filter(({ command }) => command === 'reject-verification').map((s) => s.by);
    const text = `${display} ${item.title}: rejected ${by.length} times, by ${[...new Set(by)].join(' and ')}; escalation required`;
    messages.push({ to: 'lead', item: display, text });
  }
  return messages;
}
