import { realpathSync } from 'node:fs';
import { z } from 'zod';
import type { Caller } from '../../engine/caller.ts';
import type { Opened } from '../../engine/composition.ts';
import { loadItem } from '../../engine/handle.ts';
import type { Ports } from '../../engine/ports.ts';
import { isTaskName } from '../../engine/staged/layout.ts';
import { projectTask } from '../../engine/staged/project-task.ts';
import { taskNameOf } from '../../engine/staged/task-name.ts';
import type { Desk } from '../desk.ts';
import { type Reply, reply } from '../reply.ts';
import { leadingOn, taskCalls } from '../task-way.ts';

const ITEM = /^(?:T|TASK)-\d{1,15}$/i;

/** The name of a task, or its id once it was begun. */
export const stagedTask = z
  .string()
  .max(64)
  .refine((value) => ITEM.test(value) || isTaskName(value), 'is no name of a task')
  .describe('Name, or id like T-1');
export const session = z.string().max(128).describe('Id of your session');
export const cwd = z.string().max(4_096).describe('Folder where you stand').optional();

/** The name behind what a call names. */
export async function nameOf(ports: Pick<Ports, 'store'>, ref: string): Promise<string> {
  return ITEM.test(ref) ? taskNameOf(await loadItem(ports, ref)) : ref;
}

/** The same ports, for a caller who stands elsewhere than the server. Where that is no folder, it stands where it stands. */
export function standingAt(ports: Ports, folder: string | undefined): Ports {
  if (folder === undefined) return ports;
  let here: string;
  try {
    here = realpathSync.native(folder);
  } catch {
    return ports;
  }
  return { ...ports, workspace: Object.create(ports.workspace, { here: { value: here } }) };
}

/** Writes the files of a task anew after something was done with it, and tells of edits that others made to them. */
export async function projected({ opened }: { readonly opened: Opened }, task: string, done: Reply) {
  const remarks = task === '' ? [] : await projectTask(opened, task);
  return remarks.length === 0 ? done : { ...done, text: [done.text, ...remarks].join('\n') };
}

/** An answer that is told by its data, in a few lines. */
export const told = (data: object, ...lines: readonly string[]): Reply =>
  reply({ ...data }, lines.join('\n'));

type Working = (ports: Ports, caller: Caller, task: string) => Promise<Reply>;

/** Does something with a task by its name, then writes its files anew. */
export const withTask = (desk: Desk, ref: string, work: Working): Promise<Reply> =>
  desk.work(async (ports, caller) => {
    const task = await nameOf(ports, ref);
    return projected(desk, task, await work(ports, caller, task));
  });

/** The same, with the exact calls that lead the task on from there. */
export const leading = (desk: Desk, ref: string, session: string, work: Working): Promise<Reply> =>
  withTask(desk, ref, async (ports, caller, task) => {
    const done = await work(ports, caller, task);
    return done.isError ? done : leadingOn(done, await taskCalls(ports, caller, task, session));
  });
