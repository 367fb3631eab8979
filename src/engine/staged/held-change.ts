import type { Ports } from '../ports.ts';
import type { BecameOf, CommitMade } from '../workspace.ts';

export const pathsOf = ({ created, modified }: CommitMade): readonly string[] => [...created, ...modified];

/** What became of what one commit did, in another one that has it in its history. */
export function becameOf({ workspace }: Pick<Ports, 'workspace'>, made: CommitMade, head: string): BecameOf {
  // Before the first commit of all there was nothing.
  const from = workspace.commitOf(`${made.sha}^`);
  return workspace.becameOf({ from, to: made.sha, paths: pathsOf(made) }, head);
}
