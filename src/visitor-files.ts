import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import type { CallerFiles } from './engine/composition.ts';
import { placesOf } from './open-store.ts';
import type { Repository } from './workspace/repository.ts';

/** The file of this machine that a client means by a path and may have, undefined where there is none. */
type Reach = (path: string) => string | undefined;

const packsOf = (repo: Repository): string => join(placesOf(repo).state, 'proofpacks');

/** Files of the tree around a folder, and packs of the engine. Nothing else of this machine. */
export function reachFrom(repo: Repository, cwd: string): Reach {
  const { top, state } = placesOf(repo);
  const open = [top, packsOf(repo)];
  const closed = [state, repo.gitDir, repo.commonDir];
  return (path) => {
    const full = isAbsolute(path) ? path : resolve(cwd, path);
    const real = realPath(full);
    if (real === undefined || !open.some((folder) => isInside(folder, real))) return undefined;
    const isPack = isInside(packsOf(repo), real);
    return isPack || !closed.some((folder) => isInside(folder, real)) ? real : undefined;
  };
}

/** The tree is none of theirs who stand elsewhere: what has the same name in it is another file. */
export const packsAlone =
  (repo: Repository, reach: Reach): Reach =>
  (path) => {
    const real = reach(path);
    return real !== undefined && isInside(packsOf(repo), real) ? real : undefined;
  };

/** What the client brought, and beside that what it reaches. */
export function filesOf(
  brought: ReadonlyMap<string, Buffer>,
  reach: Reach,
  give: (path: string, content: Uint8Array) => void,
): CallerFiles {
  return {
    folder: 'the folder of the client',
    local: false,
    has: (path) => brought.has(path) || reach(path) !== undefined,
    read(path) {
      const bytes = brought.get(path);
      if (bytes !== undefined) return bytes;
      const real = reach(path);
      if (real === undefined) throw Object.assign(new Error(`${path} was not brought`), { code: 'ENOENT' });
      return readFileSync(real);
    },
    write: (path, content) => give(path, Buffer.from(content)),
  };
}

/** A file by what its reader calls it, undefined where there is none. */
export const workingOf = (files: Pick<CallerFiles, 'has' | 'read'>, path: string): Buffer | undefined =>
  files.has(path) ? files.read(path) : undefined;

function realPath(path: string): string | undefined {
  try {
    const real = realpathSync.native(path);
    return lstatSync(real).isFile() ? real : undefined;
  } catch {
    return undefined;
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}
