import { shellWord } from '../../kernel/single-quoted.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { mainBranch, shortOf } from './main-branch.ts';
import { linesOf, ownIn, pathsOf } from './straight.ts';
import type { TaskView } from './task.ts';

type Around = Pick<Ports, 'git' | 'workspace'>;

/**
 * Files that git would leave out of a landing: commits of the task that are in the history there already, and were taken
 * back, count as known to it. They land once that history is in the task and they are put back there.
 */
export function leftOut(
  ports: Around,
  handle: Handle,
  view: TaskView,
  { onto, commit }: { readonly onto: string; readonly commit: string },
): readonly string[] {
  if (onto === '' || commit === '' || onto === handle.item.facts.head) return [];
  const own = linesOf(handle, view).flatMap((line) => ownIn(ports, handle, line, [onto]));
  const paths = [...new Set(own.flatMap(pathsOf))];
  const { tree } = paths.length === 0 ? { tree: '' } : ports.workspace.merged(onto, commit);
  return tree === '' ? [] : ports.git.differing(tree, commit, paths);
}

/** The same for people. */
export const leftOutText = (paths: readonly string[]): string =>
  `${paths.slice(0, 3).join(', ')} would not land: it is in the history of the default branch already, and was taken back there`;

/** What brings them to land. */
export async function putBackOn(ports: Around, handle: Handle, { layout }: TaskView): Promise<string> {
  const main = shellWord(shortOf((await mainBranch(ports, handle)).here));
  return `an agent merges it in its worktree (git merge --no-ff ${main}), puts the files back there, commits, and says so: countersign task status ${layout.task} COMPLETE`;
}
