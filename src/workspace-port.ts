import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { WorkspacePort } from './engine/workspace.ts';
import { addWorktree, removeWorktree, wouldBeLost } from './workspace/add-worktree.ts';
import {
  addReadingTree,
  branchesInTheWay,
  commitMerge,
  dropWorktree,
  moveBranch,
  workIn,
} from './workspace/agent-trees.ts';
import { becameOf } from './workspace/became-of.ts';
import { difference } from './workspace/difference.ts';
import { failureOf } from './workspace/failure-of.ts';
import { forward, settle } from './workspace/forward.ts';
import { runGit } from './workspace/git.ts';
import { pastHalfMade, unlessGone } from './workspace/half-made.ts';
import { history, noPast, type Past } from './workspace/history.ts';
import { commitTree, mergedTree, treeOf } from './workspace/landing.ts';
import { leftOf } from './workspace/left-of.ts';
import { writtenInMerge } from './workspace/merges.ts';
import { merge } from './workspace/merging.ts';
import type { Repository } from './workspace/repository.ts';
import { submodulesBehind } from './workspace/submodules.ts';
import { readTrees } from './workspace/trees-read.ts';
import {
  changedPaths,
  commitOf,
  editedPaths,
  isClean,
  isUnchanged,
  listWorktrees,
  resolved,
} from './workspace/worktrees.ts';

/** Working trees and the files beside them, answered by git and the file system. `cwd`: where the caller stands. */
export function workspace(of: Repository, cwd: string, past: Past = noPast()): WorkspacePort {
  const main = basename(of.commonDir) === '.git' ? dirname(of.commonDir) : of.commonDir;
  // Asked from the main working tree: the one that the caller stands in may be the one that is removed, with its git folder.
  const repo = { ...of, top: main, gitDir: of.commonDir };
  const told = history(repo, past);
  return {
    main,
    get here() {
      return realpathSync.native(cwd);
    },
    worktrees: () => readTrees(repo) ?? listWorktrees(repo),
    addWorktree: (tree) => addWorktree(repo, tree),
    addReadingTree: (path, commit) => addReadingTree(repo, path, commit),
    commitMerge: (tree, parents, message) => commitMerge(repo, tree, parents, message),
    dropWorktree: (path) => dropWorktree(repo, path),
    workIn: (path) => workIn(repo, path),
    branchesInTheWay: (branch) => branchesInTheWay(repo, branch),
    moveBranch: (branch, from, to) => moveBranch(repo, branch, from, to),
    removeWorktree: (path) => removed(repo, path),
    wouldBeLost: (path) => wouldBeLost(repo, path),
    deleteBranch: (branch) => deleted(repo, branch),
    commitOf: told.commitOf,
    isClean,
    isUnchanged,
    edited: editedPaths,
    commits: told.commits,
    merges: told.merges,
    ownLine: told.ownLine,
    writtenInMerge: (merge) => writtenInMerge(repo, merge),
    becameOf: (change, head) => becameOf(repo, change, head),
    leftOf: (change, head, main) => leftOf(repo, change, head, main),
    changed: (older, newer) => changedPaths(repo, older, newer),
    difference: (older, newer, part) => difference(repo, older, newer, part),
    merge,
    merged: (onto, commit) => mergedTree(repo, onto, commit),
    commitTree: (tree, parent, message) => commitTree(repo, tree, parent, message),
    treeOf: (commit) => treeOf(repo, commit),
    forward,
    settle,
    behind: submodulesBehind,
    push: (remote, branch) => pushed(repo, remote, `refs/heads/${branch}`),
    remotes: () => remotesOf(repo),
    readFile,
    writeFile: replaced,
    names(path) {
      return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(path).sort() : [];
    },
    filesBelow,
    isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false,
    resolved,
    removeFile: (path) => rmSync(path, { force: true, recursive: true }),
  };
}

/** By the full name of the branch: a tag may have the same name. */
const pushed = (repo: Repository, remote: string, ref: string): string =>
  failureOf(() => runGit(repo, ['push', '-q', remote, `${ref}:${ref}`]))?.message ?? '';

const remotesOf = (repo: Repository): readonly string[] =>
  runGit(repo, ['remote'])
    .toString('utf8')
    .split('\n')
    .filter((name) => name !== '');

const removed = (repo: Repository, path: string): void =>
  unlessGone(
    () => removeWorktree(repo, path),
    () => !listWorktrees(repo).some((tree) => tree.path === path),
  );

const deleted = (repo: Repository, branch: string): void =>
  unlessGone(
    () => void pastHalfMade(() => runGit(repo, ['branch', '-D', '-q', branch])),
    () => commitOf(repo, `refs/heads/${branch}`) === '',
  );

function filesBelow(path: string, skips: (path: string) => boolean): readonly string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [];
  const below = (at: string): readonly string[] =>
    readdirSync(join(path, at), { withFileTypes: true }).flatMap((entry) => {
      const name = join(at, entry.name);
      if (entry.isDirectory()) return skips(name) ? [] : below(name);
      return entry.isFile() ? [name] : [];
    });
  return [...below('')].sort();
}

function readFile(path: string): Buffer | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? readFileSync(path) : undefined;
}

function replaced(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.part`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}
