import { runGit } from './git.ts';
import { byName } from './lacking.ts';
import type { Repository } from './repository.ts';
import { WorkspaceError } from './workspace-error.ts';

/** One tracked path at a commit. `type` is 'commit' for a submodule. */
export interface TreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly type: 'blob' | 'tree' | 'commit';
  readonly oid: string;
}

/** The bytes of a file at a commit, never from the working tree; undefined when the commit has no such file. Throws MISSING_OBJECT. */
export function readAt(repo: Repository, commit: string, path: string): Buffer | undefined {
  return byName(commit, path, () => readManyAt(repo, commit, [path]).get(path));
}

/** As readAt for several paths with one git process; paths that are no files there are missing from the answer. */
export function readManyAt(
  repo: Repository,
  commit: string,
  paths: readonly string[],
): ReadonlyMap<string, Buffer> {
  const odd = [commit, ...paths].find((name) => /[\n\0]/.test(name) || name === '');
  if (odd !== undefined)
    throw new WorkspaceError('BAD_NAME', `${JSON.stringify(odd)} cannot be read from git`);
  const input = paths.map((path) => `${commit}:${path}\n`).join('');
  const output = runGit(repo, ['cat-file', '--batch'], { input });
  const found = new Map<string, Buffer>();
  let at = 0;
  for (const path of paths) {
    const end = output.indexOf(10, at);
    const line = output.toString('utf8', at, end);
    const [, type, size] = line.split(' ');
    at = end + 1;
    // The line of an absent object echoes the question, which may hold spaces; a size is digits only.
    if (!line.endsWith(' missing') && size !== undefined && /^\d+$/.test(size)) {
      if (type === 'blob') found.set(path, output.subarray(at, at + Number(size)));
      at += Number(size) + 1;
    }
  }
  return found;
}

/** Every file, link and submodule below `prefix` ('' for all) at a commit, in git's order. */
export function listAt(repo: Repository, commit: string, prefix: string): readonly TreeEntry[] {
  const folder = prefix.replace(/\/+$/, '');
  const args = ['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', commit];
  return parseListing(runGit(repo, folder === '' ? args : [...args, `${folder}/`]));
}

/** Reads the output of `git ls-tree -z`. Throws BAD_NAME for a name that is not UTF-8. */
export function parseListing(output: Uint8Array): readonly TreeEntry[] {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(output);
  } catch (cause) {
    throw new WorkspaceError('BAD_NAME', 'A tracked file has a name that is not UTF-8.', { cause });
  }
  return text
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const tab = line.indexOf('\t');
      const [mode = '', type = '', oid = ''] = line.slice(0, tab).split(' ');
      return {
        path: line.slice(tab + 1),
        mode,
        type: type === 'tree' || type === 'commit' ? type : 'blob',
        oid,
      };
    });
}
