import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { locateRepository } from './repository.ts';

/** What all working trees share and a commit or a merge writes: objects, branches and their history; not hooks, not settings. */
const SHARED = ['objects', 'refs', 'logs', 'reftable', 'lfs', 'rr-cache'];

/**
 * Folders outside of a linked working tree that git writes into when something is committed or merged in it, as far as they are
 * there; none where the tree has all of git's files itself. Throws NOT_A_REPOSITORY.
 */
export function commitFolders(tree: string): readonly string[] {
  const { gitDir, commonDir } = locateRepository(tree, {});
  if (gitDir === commonDir) return [];
  return [gitDir, ...SHARED.map((name) => join(commonDir, name)).filter((path) => existsSync(path))];
}
