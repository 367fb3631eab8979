import { existsSync, realpathSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { runGit } from './git.ts';
import type { Repository } from './repository.ts';
import { WorkspaceError } from './workspace-error.ts';

/** Asks git about one repository: words, and what its standard input says. Throws GIT_FAILED. */
export type AskGit = (args: readonly string[], input?: string) => Buffer;

/** Asks about a repository with a working tree. */
export const askIn =
  (repo: Repository): AskGit =>
  (args, input = '') =>
    runGit(repo, args, { input });

/** The git folder of a repository that others push to, whether it is bare or not. Throws NOT_A_REPOSITORY. */
export function gitFolderAt(folder: string): string {
  const found = [folder, join(folder, '.git')].find(looksLikeGit);
  if (found !== undefined) return realpathSync.native(found);
  throw new WorkspaceError(
    'NOT_A_REPOSITORY',
    `${folder} is no repository that can be pushed to. Make one with: git init --bare FOLDER`,
  );
}

const looksLikeGit = (folder: string) =>
  ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)));

/**
 * Asks about what is being pushed to the repository of `gitDir`. Its objects wait in a folder of their own; of the
 * variables that git sets for a hook only the name of that folder is taken, and it must lie among the objects of this
 * repository: where objects are read from is nothing that a pusher may say. Throws BAD_NAME.
 */
export function askAt(gitDir: string, quarantine: string): AskGit {
  const objects = join(gitDir, 'objects');
  const waiting = quarantine === '' ? undefined : insideOf(objects, quarantine);
  const env = {
    GIT_DIR: gitDir,
    ...(waiting === undefined
      ? {}
      : { GIT_OBJECT_DIRECTORY: waiting, GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(objects) }),
  };
  return (args, input = '') => runGit(gitDir, args, { input, env });
}

/** In a list of folders a colon would begin the next one; git reads a quoted entry as it stands. */
const quoted = (folder: string) => `"${folder.replace(/["\\]/g, '\\$&')}"`;

function insideOf(objects: string, quarantine: string): string {
  const folder = existsSync(quarantine) ? realpathSync.native(resolve(quarantine)) : '';
  const below = relative(realpathSync.native(objects), folder);
  if (folder !== '' && below !== '' && !below.startsWith('..') && !below.includes(sep)) return folder;
  throw new WorkspaceError(
    'BAD_NAME',
    `${JSON.stringify(quarantine)} is no folder of this repository's objects: this is not the hook of a push.`,
  );
}
