import { spawnSync } from 'node:child_process';
import { runGit } from './git.ts';
import type { Repository } from './repository.ts';
import { WorkspaceError } from './workspace-error.ts';

/** A signed document as a commit with one file. The same paper is the same commit, whoever makes it. */
export interface PaperCommit {
  readonly ref: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly message: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  /** A commit that comes along wherever the paper goes, '' for none. */
  readonly about: string;
}

/** Puts a paper under its ref; one that stands there stays. Throws GIT_FAILED. */
export function putPaper(repo: Repository, paper: PaperCommit): void {
  const text = (args: readonly string[], input: string | Uint8Array = '', env = {}) =>
    runGit(repo, args, { input, env }).toString('utf8').trim();
  const blob = text(['hash-object', '-w', '--stdin'], paper.bytes);
  const tree = text(['mktree'], `100644 blob ${blob}\t${paper.name}\n`);
  const parents = paper.about !== '' && isHere(repo, paper.about) ? ['-p', paper.about] : [];
  const who = ['GIT_AUTHOR', 'GIT_COMMITTER'].flatMap((as) => [
    [`${as}_NAME`, 'countersign'],
    [`${as}_EMAIL`, 'countersign@localhost'],
    [`${as}_DATE`, paper.at],
  ]);
  const commit = text(['commit-tree', tree, ...parents, '-m', paper.message], '', Object.fromEntries(who));
  text(['update-ref', paper.ref, commit]);
}

function isHere(repo: Repository, commit: string): boolean {
  const answer = runGit(repo, ['cat-file', '--batch-check'], { input: `${commit}\n` }).toString('utf8');
  return answer.startsWith(`${commit} commit `);
}

/**
 * Pushes refs under their own names, with the settings, helpers and agents of whoever calls. Answers what git said.
 * Throws GIT_FAILED with the words of the other side.
 */
export function pushRefs(
  repo: Repository,
  remote: string,
  refs: readonly string[],
  env: NodeJS.ProcessEnv,
): string {
  // As a list on standard input it could not be; so many fit into a command line.
  for (let at = 0; at < refs.length; at += 500) {
    const some = refs.slice(at, at + 500).map((ref) => `${ref}:${ref}`);
    const { status, stderr, error } = spawnSync('git', ['push', '--', remote, ...some], {
      cwd: repo.top,
      env,
      encoding: 'utf8',
    });
    if (error !== undefined)
      throw new WorkspaceError('GIT_MISSING', 'git could not be started: install git.');
    if (status !== 0)
      throw new WorkspaceError('GIT_FAILED', `git push ${remote} ended with ${status}: ${stderr.trim()}`, {
        stderr,
      });
  }
  return `${refs.length} pushed to ${remote}`;
}
