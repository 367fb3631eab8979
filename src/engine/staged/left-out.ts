import { shellWord } from '../../kernel/single-quoted.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import type { CommitMade } from '../workspace.ts';
import { builtIn } from './built-by.ts';
import { becameOf, pathsOf } from './held-change.ts';
import { mainBranch, shortOf } from './main-branch.ts';
import { linesOf, ownIn } from './straight.ts';
import { type Landing, type TakenOff, takenOff } from './taken-off.ts';
import type { TaskView } from './task.ts';

type Around = Pick<Ports, 'git' | 'workspace'>;

/** Why a landing would not bring what was approved, and that alone; `fix` is for whoever builds. */
export interface Unfit {
  readonly because: string;
  readonly fix: string;
}

/** Files that a landing would come without, or with although nobody of the task made them. Undefined where there are none. */
export async function unfit(
  ports: Pick<Ports, 'git' | 'store' | 'workspace' | 'runner'>,
  handle: Handle,
  view: TaskView,
  landing: Landing,
): Promise<Unfit | undefined> {
  const left = leftOut(ports, handle, view, landing);
  if (left.length > 0) return { because: leftOutText(left), fix: await putBackOn(ports, handle, view) };
  const back = await takenOff(ports, handle, view, landing);
  return back === undefined ? undefined : broughtBackTold(view, back);
}

/** The same once it was approved: what was taken off the main branch since then, after it had been merged in, is nobody's of the task. */
export async function unfitToLand(
  ports: Pick<Ports, 'git' | 'store' | 'workspace' | 'runner'>,
  handle: Handle,
  view: TaskView,
  landing: Landing,
): Promise<Unfit | undefined> {
  const found = await unfit(ports, handle, view, landing);
  if (found !== undefined) return found;
  const { touched } = await builtIn(ports, handle, view, landing.onto);
  if (touched.length === 0) return undefined;
  return {
    because: `not by an agent of ${view.layout.task}, and not on the default branch: ${few(touched)}`,
    fix: 'take it back, or a person brings it to the default branch',
  };
}

/**
 * Files that a landing would come without: commits of the task that are in the history there already, and were taken back,
 * count as known to git. `onto` may be in the commit already: then they are gone from it as well. They land once that
 * history is in the task and they are put back there.
 */
function leftOut(
  ports: Around,
  handle: Handle,
  view: TaskView,
  { onto, commit }: Landing,
): readonly string[] {
  if (onto === '' || commit === '' || onto === handle.item.facts.head) return [];
  const { git, workspace } = ports;
  const ownTo = (head: string) =>
    new Map(
      linesOf(handle, view)
        .flatMap((line) => ownIn(ports, handle, line, [head]))
        .map((made) => [made.sha, made] as const),
    );
  // What an agent took in after the approval, or what was never approved, lands in no way.
  const known = [...ownTo(onto).values()].filter(({ sha }) => git.isAncestor(sha, commit));
  if (known.length === 0) return [];
  const paths = [...new Set(known.flatMap(pathsOf))];
  const { tree } = workspace.merged(onto, commit);
  const changed = tree === '' ? [] : workspace.changed(workspace.treeOf(commit), tree);
  const own = [...ownTo(commit).values()];
  const isKnown = ({ sha }: CommitMade) => known.some((made) => made.sha === sha);
  /** Somebody of the task did something else with the file after that. */
  const isReplaced = (made: CommitMade, path: string) =>
    own.some(
      (later) =>
        later.sha !== made.sha &&
        pathsOf(later).includes(path) &&
        git.isAncestor(made.sha, later.sha) &&
        (!isKnown(later) || becameOf(ports, later, commit).held.includes(path)),
    );
  const gone = known.flatMap((made) =>
    becameOf(ports, made, commit).lacked.filter((path) => !isReplaced(made, path)),
  );
  return [...new Set([...changed.filter((path) => paths.includes(path)), ...gone])];
}

const few = (paths: readonly string[]) => paths.slice(0, 3).join(', ');

/** What would not come along, for people. */
const leftOutText = (paths: readonly string[]): string =>
  `${few(paths)} would not land as it was built: it is in the history of the default branch already, and was taken back or changed there`;

/** What brings them to land. */
async function putBackOn(ports: Around, handle: Handle, { layout }: TaskView): Promise<string> {
  const main = shellWord(shortOf((await mainBranch(ports, handle)).here));
  return `an agent merges it in its worktree (git merge --no-ff ${main}), puts back there what is missing, commits, and says so: countersign task status ${layout.task} COMPLETE; where it was only changed further: countersign task merge ${layout.task} main`;
}

function broughtBackTold({ layout }: TaskView, { paths, from, when }: TakenOff): Unfit {
  const head = from.slice(0, 12);
  return {
    because: `${few(paths)} would come back with it: the default branch had it ${when}, at ${head}, and it was taken off there since`,
    fix: `an agent takes it back in its worktree (git revert), commits, and only then writes its own there; it says so: countersign task status ${layout.task} COMPLETE; or a person brings ${head} to the default branch again`,
  };
}
