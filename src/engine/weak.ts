import type { WorkItem } from '../kernel/work-item.ts';
import type { ItemRow } from '../store/store.ts';
import { numberOf } from './display.ts';
import { type Handle, peekById } from './handle.ts';
import type { Ports } from './ports.ts';

/** Whether the pass that stands was given by the rule for a small team: two of its three hats on one head (GOAL-82). */
export const isWeak = ({ evidence, subjects }: Pick<WorkItem, 'evidence' | 'subjects'>): boolean =>
  evidence.some((e) => e.kind === 'relaxed' && e.generation === subjects.commit?.generation);

/** The mark of a weak pass, as data; nothing where there is none. */
export interface Weakness {
  readonly weak?: true;
  /** The tasks on whose weak passes that of a goal rests. */
  readonly weak_tasks?: readonly string[];
}

/** The mark of an item; a verified goal has it from its tasks. */
export async function weaknessOf(ports: Pick<Ports, 'store'>, { protocol, item }: Handle): Promise<Weakness> {
  if (isWeak(item)) return { weak: true };
  if (protocol.name !== 'goal' || protocol.states[item.state]?.success !== true) return {};
  const weak: string[] = [];
  for (const task of Object.keys(item.members.tasks ?? {})) {
    const row = await ports.store.itemByNumber(numberOf(task) ?? 0);
    if (row !== undefined && isWeak((await peekById(ports, row.id)).item)) weak.push(task);
  }
  return weak.length === 0 ? {} : { weak: true, weak_tasks: weak };
}

/** What it rests on, as a line; none where an item is weak by itself, since its standing says so. */
export const weaknessLines = ({ weak_tasks: tasks = [] }: Weakness): readonly string[] =>
  tasks.length === 0 ? [] : [`rests on weakly verified tasks: ${tasks.join(', ')}`];

/** The ids of those rows whose passes are weak; nothing but what is confirmed is read for it. */
export async function weakAmong(
  ports: Pick<Ports, 'store'>,
  rows: readonly ItemRow[],
): Promise<ReadonlySet<string>> {
  const weak = new Set<string>();
  for (const { id, category } of rows)
    if (category === 'CONFIRMED' && (await weaknessOf(ports, await peekById(ports, id))).weak) weak.add(id);
  return weak;
}
