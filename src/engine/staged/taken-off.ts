import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import type { CommitMade } from '../workspace.ts';
import { becameOf, pathsOf } from './held-change.ts';
import { holdsMerged, isSaidToLand } from './landed-commit.ts';
import { handingsOf, MAIN_LEASE } from './leases.ts';
import { mainBranch } from './main-branch.ts';
import { linesOf, ownIn } from './straight.ts';
import type { TaskView } from './task.ts';
import { validatedCommits } from './validated.ts';

type Around = Pick<Ports, 'git' | 'store' | 'workspace'>;

/** A commit of a task, and the commit of the main branch that it would land on. */
export interface Landing {
  readonly onto: string;
  readonly commit: string;
}

/** Files of what would come back to the main branch with a task, and where that branch had them. */
export interface TakenOff {
  readonly paths: readonly string[];
  readonly from: string;
  /** When that was, for people. */
  readonly when: string;
}

/** What was on the main branch, was taken off it since, and would come back with the task; undefined where there is nothing. */
export async function takenOff(
  ports: Around,
  handle: Handle,
  view: TaskView,
  landing: Landing,
): Promise<TakenOff | undefined> {
  if (landing.onto === '' || landing.commit === '') return undefined;
  return begunOn(ports, handle, view, landing) ?? (await takenIn(ports, handle, view, landing));
}

/** Of what was there when the task began. */
function begunOn(
  { git, workspace }: Around,
  { item }: Handle,
  { layout }: TaskView,
  { onto, commit }: Landing,
): TakenOff | undefined {
  const base = String(item.facts.head ?? '');
  if (base === '' || git.isAncestor(base, onto)) return undefined;
  const from = git.resolveClaim({ commit: base, base: '', defaultBranch: onto }).base;
  const dropped = { from, to: base, paths: workspace.changed(from, base) };
  const { lacked } = workspace.becameOf(dropped, onto);
  const paths = lacked.length === 0 ? [] : workspace.leftOf({ ...dropped, paths: lacked }, commit, onto);
  return paths.length === 0 ? undefined : { paths, from: base, when: `when ${layout.task} began` };
}

/** Of what was seen there since the task began, and is in it by a merge of the main branch. */
async function takenIn(
  ports: Around,
  handle: Handle,
  view: TaskView,
  { onto, commit }: Landing,
): Promise<TakenOff | undefined> {
  const { git, workspace } = ports;
  const seen = (await mainsSeen(ports, handle)).filter(
    (head) => workspace.commitOf(head) !== '' && !git.isAncestor(head, onto),
  );
  if (seen.length === 0) return undefined;
  const { all } = await mainBranch(ports, handle);
  const now = [...new Set([onto, ...all.map((name) => workspace.commitOf(name))])].filter(
    (sha) => sha !== '',
  );
  const isOnMain = (sha: string) => now.some((head) => git.isAncestor(sha, head));
  const backWith = (made: CommitMade) => {
    const lacked = now.map((head) => becameOf(ports, made, head).lacked);
    const paths = pathsOf(made).filter((path) => lacked.every((one) => one.includes(path)));
    const change = { from: workspace.commitOf(`${made.sha}^`), to: made.sha, paths };
    return paths.length === 0 ? [] : workspace.leftOf(change, commit, onto);
  };
  // What the task itself landed was approved, and is its own.
  const approved = handle.item.evidence.flatMap(({ kind, digest }) =>
    kind === 'checkpoint' ? [digest] : [],
  );
  const isOwnLanding = (made: CommitMade) =>
    approved.some((one) => isSaidToLand(made, one) && holdsMerged(ports, made, one));
  for (const from of seen.filter((head) => !isOnMain(head))) {
    const own = ofAgents(ports, handle, view, from);
    const paths = workspace
      .commits(String(handle.item.facts.head ?? ''), from)
      .filter(({ sha }) => !own.has(sha) && !isOnMain(sha) && git.isAncestor(sha, commit))
      .filter((made) => !isOwnLanding(made))
      .flatMap(backWith);
    if (paths.length > 0) return { paths: [...new Set(paths)], from, when: 'while the task went on' };
  }
  return undefined;
}

/** Commits of agents among those of the main branch: some were merged straight to it. */
function ofAgents(ports: Around, handle: Handle, view: TaskView, head: string): ReadonlySet<string> {
  const { git, workspace } = ports;
  const base = String(handle.item.facts.head ?? '');
  const straight = validatedCommits(handle).filter(
    (sha) => workspace.commitOf(sha) !== '' && git.isAncestor(sha, head),
  );
  const all = [
    ...linesOf(handle, view).flatMap((line) => ownIn(ports, handle, line, [head])),
    ...straight.flatMap((sha) => workspace.commits(base, sha)),
  ];
  return new Set(all.map(({ sha }) => sha));
}

/** Where the main branch stood when agents said that they are complete, and when somebody took or gave it back, since the task began. */
export async function mainsSeen(
  ports: Pick<Ports, 'store'>,
  { item }: Pick<Handle, 'item'>,
): Promise<readonly string[]> {
  const words = item.evidence.flatMap(({ kind, outcome, facts: { mains } }) =>
    kind === 'implementation' && outcome === 'COMPLETE' && Array.isArray(mains) ? mains.map(String) : [],
  );
  const hands = (await handingsOf(ports, MAIN_LEASE)).filter(({ at }) => at >= item.openedAt);
  const all = [...words, ...hands.map(({ head }) => head)];
  return [...new Set(all)].filter((head) => head !== '' && head !== item.facts.head);
}
