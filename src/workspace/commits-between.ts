import { runGit } from './git.ts';
import type { Repository } from './repository.ts';
import { WorkspaceError } from './workspace-error.ts';

/** Most commits that are looked at; a base that lies deeper is not found, and more is compared. */
const MOST = 500;

/**
 * The commits of `older..newer` that contain `older`, no commit before one that was built on it: at most 500, none
 * where `newer` does not contain `older` or one of the two is not here. What came in by a merge from elsewhere is left
 * out. One git process.
 */
export function commitsBetween(repo: Repository, older: string, newer: string): readonly string[] {
  const range = ['--end-of-options', `${older}..${newer}`];
  const args = ['rev-list', '--topo-order', '--ancestry-path', `--max-count=${MOST}`, ...range];
  try {
    return runGit(repo, args).toString('utf8').split('\n').filter(Boolean);
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'GIT_FAILED') return [];
    throw error;
  }
}
