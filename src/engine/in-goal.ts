import {
  goalNameOf,
  goalStatus,
  type PastVerification,
  type TaskOfGoal,
  tasksOf,
  verifications,
} from './goals.ts';
import type { Handle } from './handle.ts';
import { sentBack } from './more-work.ts';
import type { Ports } from './ports.ts';
import { type Briefing, briefing } from './task-state.ts';
import { type Weakness, weaknessLines, weaknessOf } from './weak.ts';

/** What an item has to do with a goal; nothing for an item of another protocol. */
export interface InGoal extends Weakness {
  /** The goal that a task belongs to. */
  readonly goal?: string;
  /** Why a goal was sent back, and by whom. */
  readonly sent_back?: { readonly by: string; readonly at: string; readonly reason: string };
  /** The tasks of a goal. */
  readonly tasks?: readonly TaskOfGoal[];
  /** Whose grunt work is in what was submitted. */
  readonly helpers?: readonly string[];
  /** What whoever reviews, verifies or goes on with a task has to know (GOAL-57, GOAL-60). */
  readonly briefing?: Briefing;
  /** Every verification that was, those that were taken back marked as such (GOAL-72). */
  readonly verifications?: readonly PastVerification[];
}

/** The goal of a task with what was said of it, or the tasks of a goal. */
export async function inGoal(ports: Ports, handle: Handle): Promise<InGoal> {
  const { name } = handle.protocol;
  if (name === 'goal') {
    const back = sentBack(handle);
    const { tasks } = await goalStatus(ports, handle.id, false);
    return {
      ...(back === undefined ? {} : { sent_back: back }),
      tasks,
      ...(await weaknessOf(ports, handle)),
      verifications: verifications(handle, await tasksOf(ports, handle)),
    };
  }
  if (name !== 'goal-task') return {};
  const goal = await goalNameOf(ports, handle);
  return {
    ...(goal === '' ? {} : { goal }),
    helpers: handle.item.marks.helper ?? [],
    briefing: briefing(handle),
    verifications: verifications(handle),
  };
}

/** The same as lines for people. */
export function inGoalLines(told: InGoal) {
  const { goal, tasks, helpers = [], briefing: brief, verifications: past, sent_back: back } = told;
  const { summary = '', files = [] } = brief?.submitted ?? {};
  return [
    ...(goal === undefined ? [] : [`task of ${goal}`]),
    ...(back === undefined ? [] : [`sent back by ${back.by} at ${back.at}: ${back.reason}`]),
    ...(tasks ?? []).map(
      (t) =>
        `task ${t.task_id} ${t.title} [${t.status}${t.weak ? ', weakly verified' : ''}]${t.assignee && `, with ${t.assignee}`}`,
    ),
    ...(summary === '' ? [] : [`submitted: ${String(summary)}`]),
    ...(Array.isArray(files) && files.length > 0 ? [`files: ${files.map(String).join(', ')}`] : []),
    ...(helpers.length > 0 ? [`helped by ${helpers.join(', ')}`] : []),
    ...(brief?.failures ?? []).map((f) => `sent back from ${f.state} by ${f.by}: ${f.reason}`),
    ...(past ?? []).map(verificationLine),
    ...weaknessLines(told),
  ];
}

/** One verification of a task as a line. */
export function verificationLine({ by, at, tree, notes, invalidated }: PastVerification): string {
  const said = notes === '' ? '' : `: ${notes}`;
  const held = `verified by ${by} at ${at}, tree ${tree.slice(0, 12)}${said}`;
  if (invalidated === undefined) return held;
  return `${held}; invalid since ${invalidated.at}: ${invalidated.task === undefined ? '' : `${invalidated.task} `}reopened by ${invalidated.by}: ${invalidated.reason}`;
}
