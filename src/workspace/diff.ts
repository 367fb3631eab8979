import { runGit } from './git.ts';
import type { Repository } from './repository.ts';

/** One path that differs between two commits. A rename shows as one deletion and one addition. */
export interface ChangedPath {
  readonly path: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'type-changed';
}

const meaning: Readonly<Record<string, ChangedPath['status']>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  T: 'type-changed',
};

/** Every path whose content or mode differs between two commits or trees, in git's order. One git process. */
export function changedPaths(repo: Repository, from: string, to: string): readonly ChangedPath[] {
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--name-status', '--end-of-options', from, to];
  const fields = runGit(repo, args).toString('utf8').split('\0');
  const changed: ChangedPath[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    // An unknown letter still is a change: it must not vanish from the list.
    changed.push({ path: fields[at + 1] ?? '', status: meaning[fields[at] ?? ''] ?? 'modified' });
  }
  return changed;
}
