import { runGit } from './git.ts';
import type { Repository } from './repository.ts';
import { WorkspaceError } from './workspace-error.ts';

/** A piece of work as it was judged: its commit, and the files that it is about. */
export interface Work {
  readonly commit: string;
  readonly paths: readonly string[];
}

/** What became of a piece of work in a later commit. */
export interface Found {
  /** Its files that hold something else there, in the order asked. */
  readonly changed: readonly string[];
  /** Its commit is in the history of the later one. */
  readonly held: boolean;
}

const FULL = /^([0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * What became of each work in `at`. A commit that is not here holds nothing, and is held nowhere. Two git processes at
 * most, whatever the number of works and paths.
 */
export function covered(repo: Repository, at: string, works: readonly Work[]): readonly Found[] {
  const oid = oidsOf(
    repo,
    works.flatMap((work) => namesOf(at, work)),
  );
  const changed = works.map(({ commit, paths }) =>
    commit === at ? [] : paths.filter((path) => !same(oid, `${commit}:${path}`, `${at}:${path}`)),
  );
  const here = works.map(({ commit }) => (oid.get(`${commit}^{commit}`) ?? '') !== '');
  // Where a file still holds what was judged, the work is there however it came.
  const asked = works.filter((_, n) => here[n] && changed[n]?.length !== 0).map(({ commit }) => commit);
  const outside = outsideOf(repo, at, asked);
  return works.map(({ commit }, n) => ({
    changed: changed[n] ?? [],
    held: here[n] === true && !outside.has(commit),
  }));
}

function namesOf(at: string, { commit, paths }: Work): readonly string[] {
  if (!FULL.test(commit)) return [];
  return [`${commit}^{commit}`, ...paths.flatMap((path) => [`${commit}:${path}`, `${at}:${path}`])];
}

/** What each name stands for, '' for nothing, in one git process. A line break would ask about something else than the name. */
export function oidsOf(repo: Repository, names: readonly string[]): ReadonlyMap<string, string> {
  const asked = [...new Set(names)].filter((name) => !name.includes('\n'));
  if (asked.length === 0) return new Map();
  const input = asked.map((name) => `${name}\n`).join('');
  const lines = runGit(repo, ['cat-file', '--batch-check=%(objectname)'], { input }).toString('utf8');
  const oids = lines.split('\n');
  return new Map(asked.map((name, n) => [name, FULL.test(oids[n] ?? '') ? (oids[n] ?? '') : '']));
}

/** Both sides hold the same, or neither has it; a name that could not be asked about is never the same. */
export function same(oid: ReadonlyMap<string, string>, one: string, other: string): boolean {
  return oid.has(one) && oid.get(one) === oid.get(other);
}

/** Those of the commits that are not in the history of `at`; all of them where `at` is not here. */
function outsideOf(repo: Repository, at: string, commits: readonly string[]): ReadonlySet<string> {
  if (commits.length === 0) return new Set();
  const input = [...new Set(commits), `^${at}`].map((line) => `${line}\n`).join('');
  try {
    return new Set(runGit(repo, ['rev-list', '--stdin'], { input }).toString('utf8').split('\n'));
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'GIT_FAILED') return new Set(commits);
    throw error;
  }
}
