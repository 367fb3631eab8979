import type { Caller } from '../caller.ts';
import { EngineError } from '../engine-error.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { assertCoordinates } from './coordinates.ts';
import { readLease } from './leases.ts';
import { landsOn } from './main-branch.ts';
import { agentsOf, type TaskView, viewTask } from './task.ts';
import { taskItem } from './task-item.ts';
import { taskNameOf } from './task-name.ts';
import { givePorts } from './tree-ports.ts';

/** The same for whoever asks for it by the task's name. Throws NO_CREDENTIAL. */
export async function makeWorktreesOf(
  ports: Ports,
  caller: Caller,
  task: string,
): Promise<readonly string[]> {
  assertCoordinates(caller, `make the worktrees of ${task}`);
  return makeAgentWorktrees(ports, await taskItem(ports, task));
}

/**
 * Makes the worktrees that the agents of a task lack, each on a branch of its own from where the task stands
 * (PROTO-87, PROTO-127), and gives each its ports. Where git refuses one, those made by this call are taken back. Answers the agents that got one.
 */
export async function makeAgentWorktrees(ports: Ports, handle: Handle): Promise<readonly string[]> {
  const view = await viewTask(ports, taskNameOf(handle), '');
  const { layout } = view;
  const lacking = agentsOf(handle).filter((agent) => !view.worktrees.has(layout.agentCode(agent)));
  const made: Made[] = [];
  try {
    for (const agent of lacking)
      made.push(
        makeTree(ports, layout.task, {
          path: layout.agentCode(agent),
          branch: layout.agentBranch(agent),
          from: `refs/heads/${layout.branch}`,
        }),
      );
  } catch (error) {
    for (const tree of made) takeBack(ports, tree);
    throw error;
  }
  await givePorts(ports, view, ['', ...agentsOf(handle)]);
  return lacking;
}

/** The worktree of the task itself, on its branch (PROTO-86). Throws BAD_INPUT, and leaves nothing of it, where git refuses. */
export const makeTaskWorktree = (ports: Ports, { layout }: TaskView, from: string): void =>
  void makeTree(ports, layout.task, { path: layout.code, branch: layout.branch, from });

interface Tree {
  readonly path: string;
  readonly branch: string;
}

interface Made extends Tree {
  /** The branch was made with the tree. */
  readonly isNew: boolean;
}

function makeTree({ workspace }: Ports, task: string, tree: Tree & { readonly from: string }): Made {
  const isNew = workspace.commitOf(`refs/heads/${tree.branch}`) === '';
  try {
    workspace.addWorktree({ ...tree, reason: `Countersign: task ${task}` });
  } catch (cause) {
    throw new EngineError(
      'BAD_INPUT',
      `git made no working tree ${tree.path}, and nothing is left of it: ${saidBy(cause)}`,
      `mend that and ask again; what there is: git worktree list, git branch --list "*${task}*"`,
      { cause },
    );
  }
  return { path: tree.path, branch: tree.branch, isNew };
}

const saidBy = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause));

/** A branch that was there before stays: it may hold work. */
function takeBack({ workspace }: Ports, { path, branch, isNew }: Made): void {
  try {
    workspace.removeWorktree(path);
    if (isNew) workspace.deleteBranch(branch);
  } catch {
    // Why the others could not be made is what has to be told; this tree is found by the next call.
  }
}

/**
 * Looks at every working tree in the folder of a task before any of them goes; `otherwise` is what can be done instead. Throws BAD_INPUT where one holds what is
 * nowhere else, or is none of the task's own: then all stay.
 */
export function assertRecyclable(
  { workspace }: Ports,
  view: TaskView,
  own: readonly string[],
  otherwise = '',
): void {
  const { folder } = view.layout;
  const problems = [...view.worktrees]
    .filter((path) => path.startsWith(`${folder}/`))
    .flatMap((path) => {
      const lost = own.includes(path)
        ? workspace.wouldBeLost(path)
        : ['a working tree that this task did not make'];
      return lost.length === 0 ? [] : [`${path}: ${lost.join(', and ')}`];
    });
  if (problems.length === 0) return;
  throw new EngineError(
    'BAD_INPUT',
    `nothing was removed, since it would be lost: ${problems.join('; ')}`,
    `commit it and have it merged, keep it elsewhere, or drop it by hand; then ask again${otherwise}`,
  );
}

/** A task that was never begun has no branches: one of its name is somebody's own, and would be moved and later removed. Throws BAD_INPUT. */
export async function assertOwnNames(ports: Ports, { layout, settings, lease }: TaskView): Promise<void> {
  if (lease.item !== '') return;
  const { workspace } = ports;
  const names = [layout.branch, ...Object.keys(settings.agents).map((agent) => layout.agentBranch(agent))];
  const taken = names.filter((name) => workspace.commitOf(`refs/heads/${name}`) !== '');
  if (taken.length === 0) return;
  // Whoever began it meanwhile made them.
  if ((await readLease(ports, lease.stream)).item !== '') return;
  throw new EngineError(
    'BAD_INPUT',
    `there are branches of this name that the task did not make: ${taken.join(', ')}`,
    `keep them under other names (git branch -m ${taken[0]} OTHER), or give the task another name in the list`,
  );
}

/** A new task begins on no branch that holds work of an earlier one. Throws BAD_INPUT. */
export async function assertMerged(
  ports: Ports,
  { layout, settings }: TaskView,
  otherwise = '',
): Promise<void> {
  const { git, workspace } = ports;
  const branches = [layout.branch, ...Object.keys(settings.agents).map((agent) => layout.agentBranch(agent))];
  const head = (await landsOn(ports)) || workspace.commitOf('HEAD');
  const open = branches.filter((branch) => {
    const own = workspace.commitOf(`refs/heads/${branch}`);
    return own !== '' && !git.isAncestor(own, head);
  });
  if (open.length === 0) return;
  throw new EngineError(
    'BAD_INPUT',
    `there are branches of this name with commits that landed nowhere: ${open.join(', ')}`,
    `have them merged, or keep them under other names: git branch -m ${open[0]} OTHER${otherwise}`,
  );
}
