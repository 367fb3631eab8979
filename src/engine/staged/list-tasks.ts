import { join } from 'node:path';
import { readConfig } from '../config.ts';
import type { Ports } from '../ports.ts';
import { isTaskName } from './layout.ts';
import type { Selection } from './selection.ts';
import { stagedSettings } from './settings.ts';
import { viewTask } from './task.ts';
import { todoNames } from './todo-entry.ts';

export interface ListedTask {
  readonly task: string;
  readonly selection: Selection;
  readonly because: string;
  /** The session that holds it, '' for none. */
  readonly session: string;
}

export interface TaskList {
  readonly tasks: readonly ListedTask[];
  /** What a session goes on with: its own task first, then the first that is free; '' where there is none. */
  readonly next: string;
}

/** Every task of the project's list with what the asking session may do with it, by the same rule as a start (PROTO-56, PROTO-60). */
export async function listTasks(ports: Ports, session: string): Promise<TaskList> {
  const { todo } = stagedSettings(await readConfig(ports));
  const { workspace } = ports;
  const text = workspace.readFile(join(workspace.main, todo))?.toString('utf8') ?? '';
  const tasks: ListedTask[] = [];
  for (const task of todoNames(text).filter(isTaskName)) {
    const { lease, selected } = await viewTask(ports, task, session);
    tasks.push({ task, ...selected, session: lease.holder?.session ?? '' });
  }
  const first = (wanted: Selection) => tasks.find(({ selection }) => selection === wanted)?.task;
  return { tasks, next: first('RESUME') ?? first('PROCEED_WITH_INIT') ?? '' };
}
