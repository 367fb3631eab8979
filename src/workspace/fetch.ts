import { runGitAsync } from './git.ts';
import type { Repository } from './repository.ts';

/** Brings the branches of a remote here; nothing of this repository's own is moved. Throws GIT_FAILED. */
export async function fetchBranches(repo: Repository, remote: string): Promise<void> {
  const spec = `+refs/heads/*:refs/remotes/${remote}/*`;
  await runGitAsync(repo, ['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', remote, spec]);
}
