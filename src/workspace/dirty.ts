import { runGitAsync } from './git.ts';
import type { Repository } from './repository.ts';

/** True when the working tree has changes or new files that no commit holds. For a warning only, never for a verdict. */
export async function isDirty(repo: Repository): Promise<boolean> {
  const status = await runGitAsync(repo, ['status', '--porcelain', '-z', '--untracked-files=normal']);
  return status.length > 0;
}
