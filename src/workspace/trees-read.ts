import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { refReader } from './refs-read.ts';
import type { Repository } from './repository.ts';
import { type ListedWorktree, resolved } from './worktrees.ts';

/** Settings that change what the main working tree is, wherever they stand in the file. */
const ODD_SETTING = /\bbare\b(?!\s*=\s*false\b)|worktree|\binclude/i;

/**
 * The working trees of a repository as `listWorktrees` tells them, read from the files that git keeps of them; undefined
 * where one of those is not of the plainest form, and only git can tell.
 */
export function readTrees(repo: Repository): readonly ListedWorktree[] | undefined {
  const { commonDir } = repo;
  if (basename(commonDir) !== '.git') return undefined;
  try {
    if (ODD_SETTING.test(readFileSync(join(commonDir, 'config'), 'utf8'))) return undefined;
    const main = readTree(repo, commonDir, dirname(commonDir));
    const others = linkedTrees(commonDir).map((folder) => readTree(repo, folder, pathIn(folder)));
    const found = [main, ...others.sort(byPath)];
    return found.every((tree) => tree !== undefined) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Folders in which git keeps what it knows of linked trees. */
function linkedTrees(commonDir: string): readonly string[] {
  const folder = join(commonDir, 'worktrees');
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

function pathIn(folder: string): string {
  const path = readFileSync(join(folder, 'gitdir'), 'utf8').trimEnd();
  return isAbsolute(path) && basename(path) === '.git' ? dirname(path) : '';
}

function readTree(repo: Repository, gitDir: string, path: string): ListedWorktree | undefined {
  const refs = refReader({ ...repo, gitDir })([]);
  const head = refs?.oid('HEAD') ?? '';
  const ref = refs?.target('HEAD') ?? '';
  // A tree that is being made has no commit yet, and a branch that points at another has the name of that.
  if (path === '' || head === '' || refs?.target(ref) !== '') return undefined;
  if (ref !== '' && !ref.startsWith('refs/heads/')) return undefined;
  const branch = ref.slice('refs/heads/'.length);
  return { path: resolved(path), branch, head, isLocked: existsSync(join(gitDir, 'locked')) };
}

const byPath = (one: ListedWorktree | undefined, other: ListedWorktree | undefined): number =>
  Buffer.compare(Buffer.from(one?.path ?? ''), Buffer.from(other?.path ?? ''));
