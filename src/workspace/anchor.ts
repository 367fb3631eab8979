import { runGit } from './git.ts';
import type { Repository } from './repository.ts';
import { WorkspaceError } from './workspace-error.ts';

/** Checkpoints of the log as commits of their own, one after the other; pushing this ref makes an outside witness. */
export const ANCHOR_REF = 'refs/countersign/checkpoints';

const NOTE = 'checkpoint';

/** Adds a note to the ref. Answers the commit that holds it. Throws GIT_FAILED, also when another writer was first. */
export function anchorNote(repo: Repository, note: string, message: string): string {
  const text = (args: readonly string[], input = '') => runGit(repo, args, { input }).toString('utf8').trim();
  const previous = tip(repo);
  const blob = text(['hash-object', '-w', '--stdin'], note);
  const tree = text(['mktree'], `100644 blob ${blob}\t${NOTE}\n`);
  const identity = ['-c', 'user.name=countersign', '-c', 'user.email=countersign@localhost'];
  const parents = previous === '' ? [] : ['-p', previous];
  const commit = text([...identity, 'commit-tree', tree, ...parents, '-m', message]);
  text(['update-ref', ANCHOR_REF, commit, previous === '' ? '0'.repeat(commit.length) : previous]);
  return commit;
}

/** Whether anything was ever anchored here. */
export const isAnchored = (repo: Repository): boolean => tip(repo) !== '';

/**
 * The notes in the ref, newest first; empty when nothing was anchored. What else the ref leads to reads as '', a note that
 * nobody signed: whoever moved it there does not keep the rest from being looked at.
 */
export function anchoredNotes(repo: Repository): readonly string[] {
  const last = tip(repo);
  if (last === '') return [];
  const notes: string[] = [];
  for (const commit of answerOf(repo, ['rev-list', last]).split('\n').filter(Boolean)) {
    const note = answerOf(repo, ['cat-file', 'blob', `${commit}:${NOTE}`]);
    notes.push(note);
    // The history of a branch holds no note at all: one mark stands for it.
    if (note === '') return notes;
  }
  return notes.length > 0 ? notes : [''];
}

function answerOf(repo: Repository, args: readonly string[]): string {
  try {
    return runGit(repo, args).toString('utf8');
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'GIT_FAILED') return '';
    throw error;
  }
}

const tip = (repo: Repository): string =>
  answerOf(repo, ['rev-parse', '--verify', '--quiet', ANCHOR_REF]).trim();
