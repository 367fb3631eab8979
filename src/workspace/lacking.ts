import { runGit } from './git.ts';
import type { Repository } from './repository.ts';
import { WorkspaceError } from './workspace-error.ts';

/** A tree or another object as git hands it over. */
export interface TreeObject {
  readonly oid: string;
  readonly type: string;
  readonly content: Buffer;
}

/** The folders that a path lies in, the top first, as ''. */
export function foldersOf(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.map((_, n) => parts.slice(0, n).join('/'));
}

/**
 * Whether a path that could not be read is there all the same: its folders name it, and the object is not in the
 * repository, as in a partial clone, or where one was lost. `treeAt` answers the folders of one commit.
 */
export function isLacking(path: string, treeAt: (folder: string) => TreeObject | undefined): boolean {
  const parts = path.split('/');
  for (const [n, folder] of foldersOf(path).entries()) {
    const tree = treeAt(folder);
    if (tree === undefined) return true;
    const mode = tree.type === 'tree' ? modeIn(tree, parts[n] ?? '') : '';
    if (mode === '' || mode === SUBMODULE) return false;
  }
  return true;
}

const SUBMODULE = '160000';

/** The mode of an entry of a tree, '' where there is none. */
function modeIn({ oid, content }: TreeObject, name: string): string {
  for (let at = 0; at < content.length; ) {
    const end = content.indexOf(0, at);
    const [mode = '', ...rest] = content.toString('utf8', at, end).split(' ');
    if (rest.join(' ') === name) return mode;
    at = end + 1 + oid.length / 2;
  }
  return '';
}

/** Makes sure that a commit does not have what could not be read of it; a commit that is gone has nothing. Throws MISSING_OBJECT. */
export function assertAbsent(repo: Repository, commit: string, path: string): void {
  byName(commit, path, () => {
    const named = answerOf(repo, ['ls-tree', '-z', '--full-tree', '--end-of-options', commit, path]);
    const isThere = () => answerOf(repo, ['cat-file', '-e', `${commit}^{commit}`]) !== undefined;
    if (named === undefined ? isThere() : named.includes(' blob ')) throw lackingObject(commit, path);
  });
}

/** What a partial clone left out has a number for git; here it is told by its name. Throws MISSING_OBJECT. */
export function byName<T>(commit: string, path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw isMissing(error) ? lackingObject(commit, path) : error;
  }
}

export const isMissing = (error: unknown): boolean =>
  error instanceof WorkspaceError && error.code === 'MISSING_OBJECT';

export function lackingObject(commit: string, path: string): WorkspaceError {
  const at = `${commit}:${path}`;
  const message = `${path} of ${commit.slice(0, 12)} is named there, and its content is not in this repository: a partial clone, or damage. Bring it in: git show ${at}`;
  return new WorkspaceError('MISSING_OBJECT', message);
}

/** What git says, undefined where it fails. */
function answerOf(repo: Repository, args: readonly string[]): string | undefined {
  try {
    return runGit(repo, args).toString('utf8');
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'GIT_FAILED') return undefined;
    throw error;
  }
}
