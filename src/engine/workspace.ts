/** A working tree that git knows of. */
export interface Worktree {
  /** With links resolved. */
  readonly path: string;
  /** Short name, '' where HEAD is on no branch. */
  readonly branch: string;
  readonly head: string;
}

/** A commit as a merge gate judges it. */
export interface CommitMade {
  readonly sha: string;
  readonly author: string;
  /** ISO 8601. */
  readonly at: string;
  readonly message: string;
  readonly created: readonly string[];
  readonly modified: readonly string[];
}

/** Paths of a change that a commit holds, and those where it is as if nothing had been done; what cannot be told is in neither. */
export interface BecameOf {
  readonly held: readonly string[];
  readonly lacked: readonly string[];
}

/** A commit of more than one parent. */
export interface MergeMade {
  readonly sha: string;
  readonly parents: readonly string[];
}

/** A page of how two commits differ, in the words of git. */
export interface DifferencePage {
  readonly text: string;
  /** The byte to go on with. */
  readonly next: number;
  readonly total: number;
}

/** Working trees, branches and the files beside them. Every method throws GIT_FAILED with what git said. */
export interface WorkspacePort {
  /** Top of the main working tree, with links resolved. */
  readonly main: string;
  /** Where the caller stands, with links resolved. */
  readonly here: string;
  worktrees(): readonly Worktree[];
  /**
   * Makes a working tree that git locks for `reason`, with the submodules in use. Its branch begins at `from` where it is
   * not there yet, or has nothing of its own. Where git refuses, nothing is left of it.
   */
  addWorktree(tree: {
    readonly path: string;
    readonly branch: string;
    readonly from: string;
    readonly reason: string;
  }): void;
  /** A working tree of a commit, on no branch; its files are not to be written. */
  addReadingTree(path: string, commit: string): void;
  /** Removes a working tree with all that is in it. */
  dropWorktree(path: string): void;
  /** Refuses where something would be lost. */
  removeWorktree(path: string): void;
  /** What is in a working tree and nowhere else, each as a part of a sentence; none where it may go. */
  wouldBeLost(path: string): readonly string[];
  /** The same, except for what lacks in a tree that git was stopped over making. */
  workIn(path: string): readonly string[];
  deleteBranch(branch: string): void;
  /** Branches beside which git makes none of that name. */
  branchesInTheWay(branch: string): readonly string[];
  /** Full id, '' where there is none. */
  commitOf(name: string): string;
  isClean(path: string): boolean;
  /** As above, and what git does not track counts for nothing. */
  isUnchanged(path: string): boolean;
  /** Paths that git tracks and that are changed or staged in a working tree. */
  edited(path: string): readonly string[];
  /** Commits of `newer` that `older` does not have, the oldest first; merges are left out. */
  commits(older: string, newer: string): readonly CommitMade[];
  /** Merges of `newer` that `older` does not have. */
  merges(older: string, newer: string): readonly MergeMade[];
  /** Ids of the commits that were made on `newer` itself since `older`, and not brought there by a merge. */
  ownLine(older: string, newer: string): readonly string[];
  /** Paths that whoever made a merge wrote in it: neither parent's, nor what git makes of both; conflicts are left out. */
  writtenInMerge(merge: MergeMade): readonly string[];
  /** What became in `head` of what was done to files from one commit to another, whatever else was done to them. */
  becameOf(
    change: { readonly from: string; readonly to: string; readonly paths: readonly string[] },
    head: string,
  ): BecameOf;
  /** Paths of `head` with something of such a change left that `main` lacks, also where others went on in the same lines. */
  leftOf(
    change: { readonly from: string; readonly to: string; readonly paths: readonly string[] },
    head: string,
    main: string,
  ): readonly string[];
  /** Paths that differ between two commits. */
  changed(older: string, newer: string): readonly string[];
  /**
   * How two commits differ, in one path or, where it is '', in all: up to `limit` bytes from `offset` on, of whole lines as far as
   * those are no longer than that.
   */
  difference(
    older: string,
    newer: string,
    part: { readonly path: string; readonly offset: number; readonly limit: number },
  ): Promise<DifferencePage>;
  /** Merges a branch into what is checked out at `path`; answers the new head, or the paths in conflict with nothing changed. */
  merge(
    path: string,
    branch: string,
    message: string,
  ): { readonly head: string; readonly conflicts: readonly string[] };
  /** The tree that a commit comes to on top of another, '' with the paths in conflict. Nothing is moved. */
  merged(onto: string, commit: string): { readonly tree: string; readonly conflicts: readonly string[] };
  /** A commit that no branch leads to yet; answers its id. */
  commitTree(tree: string, parent: string, message: string): string;
  /** The same for a commit of several parents. */
  commitMerge(tree: string, parents: readonly string[], message: string): string;
  treeOf(commit: string): string;
  /** Moves a branch that is checked out nowhere, from what it was ('' = it is made); false when it was something else. */
  moveBranch(branch: string, from: string, to: string): boolean;
  /** Moves what is checked out at `path` straight ahead to a commit; where it holds that, its submodules follow that did not. */
  forward(path: string, commit: string): void;
  /** Puts back what was on its way to `path`, by a merge or a move, when a process ended; nobody's own changes. */
  settle(path: string): void;
  /** Submodules in use at `path` that still stand where a commit has them that was there before. */
  behind(path: string, before: string): readonly string[];
  /** '' where it worked, else what git said. */
  push(remote: string, branch: string): string;
  remotes(): readonly string[];
  /** A file outside of git, undefined when it is gone. */
  readFile(path: string): Buffer | undefined;
  /** Replaced as a whole; readers see the old file or the new one. */
  writeFile(path: string, text: string | Uint8Array): void;
  /** Names in a folder; none where there is no folder. */
  names(path: string): readonly string[];
  /** Files in a folder and below it, by their paths from there; links are left out, and so are folders that `skips` names. */
  filesBelow(path: string, skips: (path: string) => boolean): readonly string[];
  isFolder(path: string): boolean;
  /** With links resolved, as far as it is there. */
  resolved(path: string): string;
  removeFile(path: string): void;
}
