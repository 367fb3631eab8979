import { join } from 'node:path';
import { readConfig } from '../config.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { layoutOf, type TaskLayout } from './layout.ts';
import { stagedSettings } from './settings.ts';
import { taskNameOf } from './task-name.ts';

/**
 * Puts back what was on its way to the main worktree and to the task's own when a process ended: nobody lands or merges it any more.
 * Throws GIT_FAILED where it cannot be put back.
 */
export function putBack({ workspace }: Pick<Ports, 'workspace'>, { main, code }: TaskLayout): void {
  workspace.settle(main);
  // In what is left of a tree, git would go on to the repository around it.
  const isTree = workspace.readFile(join(code, '.git')) !== undefined;
  if (isTree && workspace.worktrees().some(({ path }) => path === workspace.resolved(code)))
    workspace.settle(code);
}

/** The same after a step that is taken already; answers what is left to tell. */
export async function putBackAfter(ports: Ports, handle: Handle): Promise<readonly string[]> {
  try {
    const settings = stagedSettings(await readConfig(ports));
    putBack(ports, layoutOf(ports.workspace.main, settings, taskNameOf(handle)));
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
