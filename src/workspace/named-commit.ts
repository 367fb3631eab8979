import { runGit } from './git.ts';
import type { Repository } from './repository.ts';
import { WorkspaceError } from './workspace-error.ts';

const FULL = /^([0-9a-f]{40}|[0-9a-f]{64})$/;

/** What a name stands for: the full id of a commit, or why there is none. */
export type NamedCommit =
  | { readonly commit: string }
  | { readonly commit: ''; readonly why: 'missing' | 'ambiguous' };

/**
 * The commit of any name that git can resolve (`HEAD`, `main~1`, a tag, a short id). A name that a branch and a tag have for
 * different commits, or a short id of several, is ambiguous: git would only warn. At most two git processes.
 */
export function namedCommit(repo: Repository, name: string): NamedCommit {
  if (name.trim() === '' || /\p{Cc}/u.test(name)) return { commit: '', why: 'missing' };
  try {
    const args = ['rev-parse', '--verify', '--end-of-options', `${name}^{commit}`];
    const commit = runGit(repo, args).toString('utf8').trim();
    // With a caret in front it is what a range leaves out.
    if (!FULL.test(commit)) return { commit: '', why: 'missing' };
    return FULL.test(name) || !isAmbiguous(repo, name) ? { commit } : { commit: '', why: 'ambiguous' };
  } catch (error) {
    if (!(error instanceof WorkspaceError) || error.code !== 'GIT_FAILED') throw error;
    return { commit: '', why: /is ambiguous/.test(error.stderr) ? 'ambiguous' : 'missing' };
  }
}

/** Whether refs of that name lead to different commits. */
function isAmbiguous(repo: Repository, name: string): boolean {
  const ref = name.replace(/[~^@:].*$/, '');
  if (ref === '' || ref === 'HEAD') return false;
  const wanted = ['refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'].map((place) => `${place}${ref}`);
  const format = '--format=%(refname) %(objectname) %(*objectname)';
  const found = runGit(repo, ['for-each-ref', format, ...wanted])
    .toString('utf8')
    .split('\n')
    .map((line) => line.split(' '))
    // A folder of refs is listed with all that is in it.
    .filter(([refname = '']) => wanted.includes(refname));
  return new Set(found.map(([, own, tagged]) => tagged || own)).size > 1;
}
