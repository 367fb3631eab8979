import type { GitPort } from './engine/ports.ts';
import { fetchBranches } from './workspace/fetch.ts';
import type { Repository } from './workspace/repository.ts';
import { WorkspaceError } from './workspace/workspace-error.ts';

/** Where a server looks for commits that it does not have, and whom it tells that this could not be done. */
export interface LookedIn {
  /** '' for none. */
  readonly remote: string;
  readonly failed: (because: string) => void;
}

export const NOWHERE: LookedIn = { remote: '', failed: () => {} };

/**
 * Brings what is named, where it is not here yet. Answers the remote that it could not look in, '' where there is none: what is
 * not there stops only what is about it.
 */
export async function bringCommits(
  { remote, failed }: LookedIn,
  repo: Repository,
  git: Pick<GitPort, 'namedCommit'>,
  names: readonly string[],
): Promise<string> {
  if (remote === '' || names.every((name) => git.namedCommit(name).commit !== '')) return '';
  try {
    await fetchBranches(repo, remote);
    return '';
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    failed(error.message);
    return remote;
  }
}
