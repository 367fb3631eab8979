import { runGit } from './git.ts';
import type { Repository } from './repository.ts';
import { WorkspaceError } from './workspace-error.ts';

/** The branch that work is measured against: its full ref name and the short name for people; '' when HEAD is detached. */
export interface DefaultBranch {
  readonly ref: string;
  readonly name: string;
}

/**
 * The configured branch, else what origin/HEAD points at, else main, else master, else the branch checked out.
 * One git process. A configured branch that exists neither here nor at origin gives the next choice; a whole ref, or a
 * commit id, was pinned once and has no next choice. Throws NO_BASE when it is gone.
 */
export function defaultBranch(repo: Repository, configured = ''): DefaultBranch {
  if (COMMIT.test(configured)) return { ref: configured, name: configured.slice(0, 12) };
  const wanted = defaultRefs(configured);
  const found = refs(repo, wanted);
  const chosen = wanted.find((ref) => found.has(ref));
  if (chosen === undefined && configured.startsWith('refs/')) throw gone(repo, configured);
  if (chosen === undefined) return { ref: 'HEAD', name: currentName(repo) };
  // origin/HEAD is a pointer: the name people know is that of its target.
  const name = (found.get(chosen) || chosen).replace(/^refs\/(heads|remotes\/origin)\//, '');
  return { ref: chosen, name };
}

/**
 * What is pinned as the default branch: the full ref, not a pointer to it. Where HEAD stands in it is the branch that is
 * checked out now, also one without a commit, or the commit of a detached HEAD: never what HEAD may be later.
 */
export function defaultBranchRef(repo: Repository, configured = ''): string {
  if (COMMIT.test(configured)) return configured;
  const wanted = defaultRefs(configured);
  const found = refs(repo, wanted);
  const chosen = wanted.find((ref) => found.has(ref));
  if (chosen !== undefined) return found.get(chosen) || chosen;
  return (
    asked(repo, ['symbolic-ref', '--quiet', 'HEAD']) ||
    asked(repo, ['rev-parse', '--verify', '--quiet', 'HEAD'])
  );
}

function asked(repo: Repository, args: readonly string[]): string {
  try {
    return runGit(repo, args).toString('utf8').trim();
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'GIT_FAILED') return '';
    throw error;
  }
}

const COMMIT = /^([0-9a-f]{40}|[0-9a-f]{64})$/;

function gone(repo: Repository, ref: string): WorkspaceError {
  if (asked(repo, ['rev-parse', '--verify', '--quiet', 'HEAD']) === '')
    return new WorkspaceError('UNKNOWN_COMMIT', 'The repository has no commit yet.');
  const short = ref.replace(/^refs\/(heads|remotes)\//, '');
  return new WorkspaceError(
    'NO_BASE',
    `The item was opened against the branch ${short}, which is not here any more. Bring it back (git branch ${short} COMMIT): what work is compared with is not chosen anew.`,
  );
}

/** The refs that can be the default branch, the best one first. What is no plain name of a branch is none. */
export function defaultRefs(configured: string): readonly string[] {
  const plain = /^[^\s\p{Cc}~^:?*[\\]+$/u.test(configured) && !/\.\.|@\{/.test(configured);
  if (plain && configured.startsWith('refs/')) return [configured];
  const wanted = plain ? [`refs/heads/${configured}`, `refs/remotes/origin/${configured}`] : [];
  return [...wanted, 'refs/remotes/origin/HEAD', 'refs/heads/main', 'refs/heads/master'];
}

/** Which of these refs exist, with the ref that a symbolic one points at ('' for a plain one). */
function refs(repo: Repository, names: readonly string[]): Map<string, string> {
  const args = ['for-each-ref', '--format=%(refname) %(symref)', ...names];
  const lines = runGit(repo, args).toString('utf8').split('\n');
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const [ref = '', target = ''] = line.split(' ');
      return names.includes(ref) ? [[ref, target]] : [];
    }),
  );
}

const currentName = (repo: Repository) => runGit(repo, ['branch', '--show-current']).toString('utf8').trim();
