import type { Ports } from '../ports.ts';

/** The branch that tasks land on, and every place where its commits can be seen. */
export interface MainBranch {
  /** Full name of the branch of this repository; what is known of the remote's where it has none. */
  readonly here: string;
  /** The same and, in a clone, the remote's. */
  readonly all: readonly string[];
}

/**
 * A clone measures its work against the remote's default branch, and a task lands on the branch of that name here: it is
 * pushed by whoever may (PROTO-239, section 7.4 of the readings).
 */
export function mainBranch(
  { git, workspace }: Pick<Ports, 'git' | 'workspace'>,
  configured: string,
): MainBranch {
  const known = git.defaultBranchRef(configured);
  const own = known.replace(/^refs\/remotes\/[^/]+\//, 'refs/heads/');
  const here = workspace.commitOf(own) === '' ? known : own;
  return { here, all: [...new Set([here, known])] };
}
