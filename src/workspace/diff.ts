import { type GitPlace, runGit } from './git.ts';
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

/** The same with what git says of the kind of file on both sides, `000000` where a side has none. */
export interface ChangedModes extends ChangedPath {
  readonly modes: readonly [before: string, after: string];
}

/** A repository may ask git to say nothing of its submodules: what changed in commits is told all the same. */
export const ALL_OF_THEM = '--ignore-submodules=none';

/** Every path whose content or mode differs between two commits or trees, in git's order. One git process. */
export const changedPaths = (repo: Repository, from: string, to: string): readonly ChangedPath[] =>
  changedModes(repo, from, to).map(({ path, status }) => ({ path, status }));

/** As `changedPaths`, with the modes. */
export function changedModes(repo: GitPlace, from: string, to: string): readonly ChangedModes[] {
  const how = ['-r', '-z', '--no-renames', '--raw', '--no-abbrev', ALL_OF_THEM];
  const args = ['diff-tree', ...how, '--end-of-options', from, to];
  const fields = runGit(repo, args).toString('utf8').split('\0');
  const changed: ChangedModes[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [before = '', after = '', , , letter = ''] = (fields[at] ?? '').slice(1).split(' ');
    // An unknown letter still is a change: it must not vanish from the list.
    const status = meaning[letter] ?? 'modified';
    changed.push({ path: fields[at + 1] ?? '', status, modes: [before, after] });
  }
  return changed;
}
