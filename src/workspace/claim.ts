import { type DefaultBranch, defaultBranch } from './base.ts';
import { type ChangedPath, changedPaths } from './diff.ts';
import { runGit } from './git.ts';
import type { Repository } from './repository.ts';
import { WorkspaceError } from './workspace-error.ts';

/** What a claim is about. `base` given: a recorded commit. `base` '': the merge base with the default branch. */
export interface ClaimQuestion {
  readonly commit: string;
  readonly base: string;
  /** From the configuration; '' detects it. Used only when `base` is ''. */
  readonly defaultBranch: string;
}

/** A claim resolved to object ids that can no longer move. */
export interface ResolvedClaim {
  readonly commit: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly base: string;
  /** Short name of the branch the base was computed from; '' when the base was given. */
  readonly defaultBranch: string;
  readonly changed: readonly ChangedPath[];
}

/**
 * Resolves names to commits and lists what changed since the base: two git processes with a known base, three without
 * (one less when the caller knows the default branch, one more when there is neither an origin nor a main or master
 * branch).
 * Throws UNKNOWN_COMMIT, NO_BASE (no common history), BAD_NAME, GIT_FAILED.
 */
export function resolveClaim(
  repo: Repository,
  question: ClaimQuestion,
  known?: DefaultBranch,
): ResolvedClaim {
  const commit = checkedName(question.commit);
  const against: DefaultBranch =
    question.base === '' ? (known ?? defaultBranch(repo, question.defaultBranch)) : { ref: '', name: '' };
  const resolved =
    against.ref === '' ? given(repo, commit, checkedName(question.base)) : merged(repo, commit, against);
  return claimOf(repo, resolved, against);
}

/** The same where the ids are known already: at most one git process, which lists what changed. */
export function claimOf(repo: Repository, ids: ClaimIds, branch: DefaultBranch): ResolvedClaim {
  return {
    ...ids,
    changed: ids.base === ids.commit ? [] : changedPaths(repo, ids.base, ids.commit),
    get defaultBranch() {
      return branch.name;
    },
  };
}

export type ClaimIds = Omit<ResolvedClaim, 'changed' | 'defaultBranch'>;

function given(repo: Repository, commit: string, base: string): ClaimIds {
  const asked = [`${base}^{commit}`, `${commit}^{commit}`, `${commit}^{tree}`, `${commit}^@`];
  const [baseId = '', id = '', tree = '', ...parents] = revParse(repo, asked);
  return { commit: id, tree, parents, base: baseId };
}

function merged(repo: Repository, commit: string, against: DefaultBranch): ClaimIds {
  // `A...B` prints both ends and, with a caret, the merge bases: the best one first.
  const asked = [
    `${commit}^{commit}`,
    `${commit}^{tree}`,
    `${against.ref}^{commit}...${commit}^{commit}`,
    `${commit}^@`,
  ];
  const ids = revParse(repo, asked);
  const bases = ids.filter((id) => id.startsWith('^')).map((id) => id.slice(1));
  const base = bases[0];
  if (base === undefined) {
    const shallow = runGit(repo, ['rev-parse', '--is-shallow-repository']).toString('utf8').trim() === 'true';
    const next = shallow ? 'Run: git fetch --unshallow' : `Put the work on top of ${against.name}`;
    throw new WorkspaceError('NO_BASE', `${commit} and ${against.name} share no history here. ${next}`);
  }
  const plain = ids.filter((id) => !id.startsWith('^'));
  const [id = '', tree = '', , , ...parents] = plain;
  return { commit: id, tree, parents, base };
}

function revParse(repo: Repository, args: readonly string[]): readonly string[] {
  try {
    const lines = runGit(repo, ['rev-parse', ...args])
      .toString('utf8')
      .split('\n')
      .filter(Boolean);
    // What is no revision but the name of a file would come back as it is.
    if (lines.every((line) => /^\^?[0-9a-f]{40,64}$/.test(line))) return lines;
    throw new WorkspaceError('UNKNOWN_COMMIT', `git knows no such commit: ${args[0]}`);
  } catch (cause) {
    if (!(cause instanceof WorkspaceError) || cause.code !== 'GIT_FAILED') throw cause;
    throw new WorkspaceError('UNKNOWN_COMMIT', `git knows no such commit: ${args[0]}`, {
      cause,
      stderr: cause.stderr,
    });
  }
}

/** A name may reach git only as one revision: no option, no range, no second line. */
function checkedName(name: string): string {
  if (/^[^-\s][^\s]*$/.test(name) && !name.includes('..') && !/[\p{Cc}^@]$/u.test(name)) return name;
  throw new WorkspaceError(
    'BAD_NAME',
    `${JSON.stringify(name)} is not the name of one commit. Give a branch or a commit id.`,
  );
}
