import { shellWord } from '../../kernel/single-quoted.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import type { CommitMade } from '../workspace.ts';
import { mainBranch, shortOf } from './main-branch.ts';
import { linesOf, ownIn, pathsOf } from './straight.ts';
import type { TaskView } from './task.ts';

type Around = Pick<Ports, 'git' | 'workspace'>;

/**
 * Files that a landing would come without: commits of the task that are in the history there already, and were taken back,
 * count as known to git. `onto` may be in the commit already: then they are gone from it as well. They land once that
 * history is in the task and they are put back there.
 */
export function leftOut(
  ports: Around,
  handle: Handle,
  view: TaskView,
  { onto, commit }: { readonly onto: string; readonly commit: string },
): readonly string[] {
  if (onto === '' || commit === '' || onto === handle.item.facts.head) return [];
  const { git, workspace } = ports;
  const ownTo = (head: string) => linesOf(handle, view).flatMap((line) => ownIn(ports, handle, line, [head]));
  // What an agent took in after the approval, or what was never approved, lands in no way.
  const known = ownTo(onto).filter(({ sha }) => git.isAncestor(sha, commit));
  if (known.length === 0) return [];
  const paths = [...new Set(known.flatMap(pathsOf))];
  const { tree } = workspace.merged(onto, commit);
  const changed = tree === '' ? [] : git.differing(tree, commit, paths);
  const fresh = ownTo(commit).filter(({ sha }) => !known.some((made) => made.sha === sha));
  const gone = paths.filter((path) => !fresh.some(touches(path)) && isTakenBack(ports, known, commit, path));
  return [...new Set([...changed, ...gone])];
}

const touches = (path: string) => (made: CommitMade) => pathsOf(made).includes(path);

/** Whether a file is in the commit as it was before these, the oldest first, and not as they left it. */
function isTakenBack({ git }: Around, made: readonly CommitMade[], commit: string, path: string): boolean {
  const all = made.filter(touches(path));
  const [first, last] = [all[0]?.sha ?? '', all.at(-1)?.sha ?? ''];
  const isAsIn = (other: string) => git.differing(other, commit, [path]).length === 0;
  return isAsIn(`${first}^`) && !isAsIn(last);
}

/** The same for people. */
export const leftOutText = (paths: readonly string[]): string =>
  `${paths.slice(0, 3).join(', ')} would not land as it was built: it is in the history of the default branch already, and was taken back or changed there`;

/** What brings them to land. */
export async function putBackOn(ports: Around, handle: Handle, { layout }: TaskView): Promise<string> {
  const main = shellWord(shortOf((await mainBranch(ports, handle)).here));
  return `an agent merges it in its worktree (git merge --no-ff ${main}), puts back there what is missing, commits, and says so: countersign task status ${layout.task} COMPLETE; where it was only changed further: countersign task merge ${layout.task} main`;
}
