import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What the engine remembers of the files that it wrote for tasks in stages; there is none where there never was a task. */
const NAME = 'task-projections.json';

/**
 * Names of the tasks in stages whose folder is there. One look for a file where there are none, so that a project without
 * them pays for nothing; how a task stands is asked of the store.
 */
export function openTasks(state: string): readonly string[] {
  let memory: object;
  try {
    memory = JSON.parse(readFileSync(join(state, NAME), 'utf8')) as object;
  } catch {
    return [];
  }
  const folders = Object.keys(memory)
    .filter((path) => basename(path) === 'task.json')
    .map((path) => dirname(path));
  return folders.filter((folder) => existsSync(folder)).map((folder) => basename(folder));
}
