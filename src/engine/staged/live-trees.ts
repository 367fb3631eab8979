import type { Ports } from '../ports.ts';

/** Paths of the working trees that are there: git goes on listing one whose folder somebody deleted. */
export const liveTrees = ({ workspace }: Pick<Ports, 'workspace'>): ReadonlySet<string> =>
  new Set(workspace.worktrees().flatMap(({ path }) => (workspace.isFolder(path) ? [path] : [])));
