import { shellWord } from '../../kernel/single-quoted.ts';
import { EngineError } from '../engine-error.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import type { CommitMade } from '../workspace.ts';
import { becameOf } from './held-change.ts';
import { furthestMain, mainsSince, shortOf } from './main-branch.ts';
import { agentsOf, type TaskView } from './task.ts';
import { validatedCommits } from './validated.ts';

type Around = Pick<Ports, 'git' | 'workspace'>;

/** A branch of the task, and commits that its agent called complete: a branch that was moved away is known by them. */
export interface Line {
  readonly branch: string;
  readonly words: readonly string[];
}

export const linesOf = (handle: Handle, { layout }: TaskView): readonly Line[] => [
  { branch: layout.branch, words: [] },
  ...agentsOf(handle).map((agent) => ({
    branch: layout.agentBranch(agent),
    words: validatedCommits(handle, agent),
  })),
];

/** Commits that were made on a branch itself, as far as they are in the history of one of these heads. What a merge brought there is somebody else's. */
export function ownIn(
  { git, workspace }: Around,
  handle: Handle,
  { branch, words }: Line,
  heads: readonly string[],
): readonly CommitMade[] {
  const base = String(handle.item.facts.head ?? '');
  return [`refs/heads/${branch}`, ...words]
    .filter((name) => workspace.commitOf(name) !== '')
    .flatMap((name) => {
      const own = new Set(workspace.ownLine(base, name));
      if (own.size === 0) return [];
      return workspace
        .commits(base, name)
        .filter(({ sha }) => own.has(sha) && heads.some((head) => git.isAncestor(sha, head)));
    });
}

/** Branches of the task with commits of their own that stand on the main branch although nobody approved them; what was taken back counts for nothing. `heads`: of the main branch, where they are known. */
export async function straightToMain(
  ports: Around,
  handle: Handle,
  view: TaskView,
  heads?: readonly string[],
): Promise<readonly string[]> {
  const mains = heads ?? (await mainsSince(ports, handle));
  return straightOf(ports, handle, linesOf(handle, view), mains);
}

function straightOf(
  ports: Around,
  handle: Handle,
  lines: readonly Line[],
  heads: readonly string[],
): readonly string[] {
  const isThere = (made: CommitMade) =>
    heads.some((head) => ports.git.isAncestor(made.sha, head) && becameOf(ports, made, head).held.length > 0);
  if (heads.length === 0) return [];
  return lines.filter((line) => ownIn(ports, handle, line, heads).some(isThere)).map(({ branch }) => branch);
}

/** How a branch that was put on top of the main branch, and so looks like one that was merged straight to it, is mended. */
export async function putBackBy(ports: Around, handle: Handle): Promise<string> {
  const main = shellWord(shortOf(await furthestMain(ports, handle)));
  const base = String(handle.item.facts.head ?? '').slice(0, 12);
  return `a branch that was only brought up to date, by a rebase or without a merge commit, is put back in its worktree: git rebase --rebase-merges --onto ${base} ${main}, then git merge --no-ff ${main}`;
}

/** An agent that calls a commit complete says so for good: it is told before, where it stands on the main branch already. Throws BAD_INPUT. */
export async function assertNotOnMain(
  ports: Around,
  handle: Handle,
  { layout }: TaskView,
  agent: string,
): Promise<void> {
  const branch = layout.agentBranch(agent);
  const mains = await mainsSince(ports, handle);
  if (straightOf(ports, handle, [{ branch, words: [] }], mains).length === 0) return;
  throw new EngineError(
    'BAD_INPUT',
    `commits of ${branch} are on the main branch already`,
    `${await putBackBy(ports, handle)}; one that was merged straight to the main branch is taken off it`,
  );
}
