import { basename, join, resolve } from 'node:path';
import { EngineError } from '../engine-error.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { pinnedOf } from './settings.ts';

/** Branch on which the work of a task in phases is brought together. */
export const branchOfTask = (phase: Handle): string =>
  pinnedOf(phase).branch.replaceAll('{task}', taskNameOf(phase));

/** What the task of a phase is called. */
export const taskNameOf = ({ item }: Pick<Handle, 'item'>): string =>
  String(item.links.findLast(({ kind }) => kind === 'task')?.facts?.task ?? '');

/** Branch of one run. */
export const branchOfRun = (phase: Handle, run: string): string => `${branchOfTask(phase)}.${run}`;

/** Where a run works. Git knows its trees with links resolved, and so are they compared. */
export const treeOf = ({ workspace }: Pick<Ports, 'workspace'>, handle: Handle, run: string): string => {
  const trees = pinnedOf(handle).trees.replaceAll('{repo}', basename(workspace.main));
  return join(workspace.resolved(resolve(workspace.main, trees)), run);
};

/** What a phase is worked on from, and compared with at its first review: where the phase before left the branch. */
export const headOfTask = ({ workspace }: Pick<Ports, 'workspace'>, phase: Handle): string =>
  workspace.commitOf(`refs/heads/${branchOfTask(phase)}`);

/** Makes the branch of a task where it is not there yet. Answers its head. Throws BAD_INPUT where git refuses it. */
export function ensureBranch(ports: Ports, phase: Handle): string {
  const head = headOfTask(ports, phase);
  if (head !== '') return head;
  const base = String(phase.item.facts.base ?? '');
  const branch = branchOfTask(phase);
  if (ports.workspace.moveBranch(branch, '', base)) return base;
  const [other] = ports.workspace.branchesInTheWay(branch);
  const why =
    other === undefined
      ? `look at it with git branch --list '${branch}*'`
      : `the branch ${other} is in its way: rename it with git branch -m ${other} ANOTHER-NAME`;
  throw new EngineError('BAD_INPUT', `git makes no branch ${branch} at ${base.slice(0, 12)}: ${why}`);
}

/**
 * The working tree of a process that was not started yet: a builder's on a branch of its own, a reviewer's of the very commit
 * and not to be written. One that is there was left half made, or laid there by somebody. Throws BAD_INPUT where it holds
 * somebody's work: numbers begin anew in a store that is made anew.
 */
export function treeFor(ports: Ports, handle: Handle, phase: Handle, run: string): string {
  const path = treeOf(ports, phase, run);
  const { workspace } = ports;
  const isThere = workspace.worktrees().some((tree) => tree.path === path);
  if (handle.protocol.name === 'reviewer') {
    if (isThere) workspace.dropWorktree(path);
    workspace.addReadingTree(path, handle.item.subjects.work?.digest ?? '');
    return path;
  }
  const branch = branchOfRun(phase, run);
  const from = ensureBranch(ports, phase);
  assertNobodys(ports, path, branch, from);
  if (isThere) workspace.dropWorktree(path);
  workspace.addWorktree({ path, branch, from, reason: `${run} works here` });
  return path;
}

/** Another agent of the same name may have been here, in an earlier store: its work is neither lost nor taken for another's. */
function assertNobodys({ workspace, git }: Ports, path: string, branch: string, from: string): void {
  const work = workspace.isFolder(path) ? workspace.workIn(path) : [];
  if (work.length > 0)
    throw new EngineError('BAD_INPUT', `${path} holds ${work.join(', and ')}: put that in safety first`);
  const head = workspace.commitOf(`refs/heads/${branch}`);
  if (head !== '' && !git.isAncestor(head, from))
    throw new EngineError(
      'BAD_INPUT',
      `there is a branch ${branch} already, with commits of its own: rename it with git branch -m ${branch} ANOTHER-NAME`,
    );
}

/** Removes the tree of a process that has ended, and a branch that holds nothing which is not brought in. */
export function dropTree(ports: Ports, handle: Handle, phase: Handle, run: string): void {
  const { workspace, git } = ports;
  const path = treeOf(ports, phase, run);
  const tree = workspace.worktrees().find((one) => one.path === path);
  if (handle.protocol.name === 'reviewer') {
    if (tree !== undefined) workspace.dropWorktree(path);
    return;
  }
  // Unfinished work of somebody who failed is kept for whoever goes on.
  const isSafe = tree === undefined || !workspace.isFolder(path) || isSurelyClean(ports, path);
  const branch = branchOfRun(phase, run);
  const head = workspace.commitOf(`refs/heads/${branch}`);
  const into = headOfTask(ports, phase);
  const isIn = head === '' || (into !== '' && (git.isAncestor(head, into) || addsNothing(ports, into, head)));
  if (!isSafe || !isIn) return;
  if (tree !== undefined && !isRemoved(ports, path)) return;
  const isFree = workspace.worktrees().every((one) => one.branch !== branch);
  if (head !== '' && isFree) workspace.deleteBranch(branch);
}

/** To git, a tree that somebody else is just taking away has changes: it is theirs to finish. */
function isRemoved({ workspace }: Ports, path: string): boolean {
  try {
    workspace.removeWorktree(path);
    return true;
  } catch (error) {
    if (/contains modified or untracked files| holds /.test((error as Error).message)) return false;
    throw error;
  }
}

const addsNothing = ({ workspace }: Ports, into: string, head: string): boolean =>
  workspace.merged(into, head).tree === workspace.treeOf(into);

/** What git cannot look at is kept; or somebody else is just removing it, and does the rest as well. */
function isSurelyClean({ workspace }: Ports, path: string): boolean {
  try {
    return workspace.isClean(path);
  } catch {
    return false;
  }
}
