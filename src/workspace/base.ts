import { runGit } from './git.ts';
import type { Repository } from './repository.ts';

/** The branch that work is measured against: its full ref name and the short name for people; '' when HEAD is detached. */
export interface DefaultBranch {
  readonly ref: string;
  readonly name: string;
}

/**
 * The configured branch, else what origin/HEAD points at, else main, else master, else the branch checked out.
 * One git process. A configured branch that exists neither here nor at origin gives the next choice.
 */
export function defaultBranch(repo: Repository, configured = ''): DefaultBranch {
  const wanted = defaultRefs(configured);
  const found = refs(repo, wanted);
  const chosen = wanted.find((ref) => found.has(ref));
  if (chosen === undefined) return { ref: 'HEAD', name: currentName(repo) };
  // origin/HEAD is a pointer: the name people know is that of its target.
  const name = (found.get(chosen) || chosen).replace(/^refs\/(heads|remotes\/origin)\//, '');
  return { ref: chosen, name };
}

/** The full ref behind the default branch, '' when HEAD stands in: what a pointer points at, not the pointer. */
export function defaultBranchRef(repo: Repository, configured = ''): string {
  const wanted = defaultRefs(configured);
  const found = refs(repo, wanted);
  const chosen = wanted.find((ref) => found.has(ref));
  return chosen === undefined ? '' : found.get(chosen) || chosen;
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
