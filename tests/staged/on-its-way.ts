import type { Crew } from './crew.ts';

/** Leaves a working tree as a process does that ends after it brought the files of a commit, and before it moved the branch. */
export function leaveOnItsWay(crew: Crew, tree: string, branch: string): void {
  const made = crew.git(tree, 'rev-parse', branch).trim();
  crew.git(tree, 'update-ref', `refs/worktree/countersign/${made}`, made);
  crew.git(tree, 'read-tree', '-m', '-u', 'HEAD', made);
}
