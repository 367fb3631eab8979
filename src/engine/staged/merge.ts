import { shellWord } from '../../kernel/single-quoted.ts';
import type { Caller } from '../caller.ts';
import { EngineError } from '../engine-error.ts';
import type { Handle } from '../handle.ts';
import { type PhasedPart, phasedParts } from '../phases/phased-parts.ts';
import type { Ports } from '../ports.ts';
import { heldTask } from './held-task.ts';
import type { TaskLayout } from './layout.ts';
import { goneMain, mainBranch, shortOf } from './main-branch.ts';
import { agentNamed } from './settings.ts';
import { agentsOf } from './task.ts';
import { taskItem } from './task-item.ts';
import { validatedCommits } from './validated.ts';

export interface Merged {
  readonly head: string;
  readonly conflicts: readonly string[];
  /** What helps where there are conflicts, '' where there are none. */
  readonly fix: string;
}

/** What stands for the main branch where an agent is named: a task is brought up to date with it. */
export const MAIN = 'main';

/** What helps where a branch cannot be merged: files are the agents' to write, also where two of them meet. */
const resolvedBy = (task: string, branch: string): string =>
  `an agent runs git merge --no-ff ${shellWord(branch)} in its worktree, resolves them, commits, and says so: countersign task status ${task} COMPLETE`;

/** Brings an agent's branch into the branch of the task, in the task's worktree, once the agent has validated it (PROTO-21, PROTO-250, PROTO-299). */
export async function mergeAgent(
  ports: Ports,
  caller: Caller,
  given: { readonly task: string; readonly agent: string; readonly session: string },
): Promise<Merged> {
  const { layout, settings } = await heldTask(ports, caller, { ...given, what: 'merge' });
  const handle = await taskItem(ports, given.task);
  const asked = { ...given, agent: agentNamed(settings.agents, given.agent, [MAIN, ...agentsOf(handle)]) };
  if (handle.item.state !== 'IMPLEMENTATION')
    throw new EngineError(
      'BAD_INPUT',
      `${asked.task} is ${handle.item.state}: nothing is merged now`,
      `countersign task show ${asked.task}`,
    );
  assertOnBranch(ports, layout);
  assertUnchanged(ports, layout);
  const into = (commit: string, from: string, tag: string): Merged => {
    const message =
      tag === '' ? `merge ${from}` : `merge ${from}\n\n${settings.commitTag.replaceAll('{agent}', tag)}`;
    const merged = ports.workspace.merge(layout.code, commit, message);
    const other = asked.agent === MAIN ? from : layout.branch;
    return { ...merged, fix: merged.conflicts.length === 0 ? '' : resolvedBy(asked.task, other) };
  };
  if (asked.agent === MAIN) {
    const { here } = await mainBranch(ports, handle);
    if (ports.workspace.commitOf(here) === '') throw goneMain(shortOf(here));
    return into(ports.workspace.commitOf(here), shortOf(here), '');
  }
  const part = (await phasedParts(ports, handle)).find(({ task }) => task === asked.agent);
  if (part !== undefined) return into(approvedPart(part), part.branch, part.task);
  const branch = layout.agentBranch(asked.agent);
  if (ports.workspace.commitOf(`refs/heads/${branch}`) === '')
    throw new EngineError(
      'NOT_FOUND',
      `there is no branch ${branch}`,
      `countersign task worktrees ${asked.task}`,
    );
  return into(validatedHead(ports, handle, asked, layout), branch, asked.agent);
}

/** A merge goes into what is checked out in the task's worktree: that has to be the branch of the task. Throws BAD_INPUT. */
function assertOnBranch({ workspace }: Pick<Ports, 'workspace'>, { branch, code }: TaskLayout): void {
  const on = workspace.worktrees().find(({ path }) => path === code)?.branch ?? '';
  if (on === branch) return;
  throw new EngineError(
    'BAD_INPUT',
    `${code} is on ${on || 'no branch'}, and what is merged belongs into ${branch}`,
    `check that branch out there: git -C ${shellWord(code)} checkout ${branch}`,
  );
}

/** A merge that comes to nothing puts the worktree back to its commit: what is written there and nowhere else would go with it. Throws BAD_INPUT. */
function assertUnchanged({ workspace }: Pick<Ports, 'workspace'>, { branch, code }: TaskLayout): void {
  workspace.settle(code);
  const changed = workspace.edited(code);
  if (changed.length === 0) return;
  // Where a merge ended before its submodules followed, this one has them follow.
  const before = workspace.commitOf(`refs/heads/${branch}^`);
  const behind = before === '' ? [] : workspace.behind(code, before);
  const edited = changed.filter((path) => !behind.includes(path));
  if (edited.length === 0) return;
  throw new EngineError(
    'BAD_INPUT',
    `${code} has changes that are not committed: ${edited.slice(0, 3).join(', ')}`,
    'commit or drop them, then merge again',
  );
}

/** Of a task in phases below it, the very commit is merged that its reviewers approved. Throws BAD_INPUT before. */
function approvedPart({ task, commit }: PhasedPart): string {
  if (commit !== '') return commit;
  throw new EngineError(
    'BAD_INPUT',
    `not all phases of ${task} are approved`,
    `see where it stands: countersign phase status ${task}`,
  );
}

/**
 * The commit that is merged, by its id: the very one that its agent validated, whatever else has the name of the branch or
 * moves it meanwhile. What is in the task already is nothing to merge. Throws BAD_INPUT.
 */
function validatedHead(
  { workspace, git }: Ports,
  handle: Handle,
  { task, agent }: { readonly task: string; readonly agent: string },
  layout: TaskLayout,
): string {
  const branch = layout.agentBranch(agent);
  const head = workspace.commitOf(`refs/heads/${branch}`);
  if (validatedCommits(handle, agent).includes(head)) return head;
  if (git.isAncestor(head, workspace.commitOf(`refs/heads/${layout.branch}`))) return head;
  throw new EngineError(
    'BAD_INPUT',
    `${agent} has not said that ${head.slice(0, 12)} of ${branch} is complete: what is merged was validated by its agent before`,
    `${agent} validates it in its worktree, and says so: countersign task status ${task} COMPLETE`,
  );
}
