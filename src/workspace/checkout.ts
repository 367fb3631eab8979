import { symlinkSync, writeFileSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { batchReader } from './batch.ts';
import { parseListing, type TreeEntry } from './blob.ts';
import { runGitAsync, streamGit } from './git.ts';
import type { Repository } from './repository.ts';
import { assertSafeTree, linksOut } from './safe-tree.ts';
import { folderIds, objectId } from './tree-hash.ts';
import { WorkspaceError } from './workspace-error.ts';

/** A checkout whose every byte was compared with the object ids that the commit names. */
export interface Checkout {
  readonly tree: string;
  readonly files: number;
  /** Paths of submodules; their folders are left empty. */
  readonly submodules: readonly string[];
  /** Links that lead out of the repository, to a folder of somebody's machine: they are not made. */
  readonly leftOut: readonly string[];
  /** The tree id that the tracked paths have now, read from disk; it differs when a tracked file changed. */
  treeNow(): Promise<string>;
}

/**
 * Writes the tree of a commit into empty folders from raw objects: no filter, attribute, hook, replace ref or
 * index takes part, and no .git is made. Links that lead out are left out. What the commit holds is listed once, and
 * every file is read and compared each time.
 * Throws UNKNOWN_COMMIT, UNSAFE_TREE, TREE_MISMATCH, MISSING_OBJECT, BAD_NAME, FOLDER_NOT_EMPTY.
 */
export function checkoutsOf(repo: Repository, commit: string): (folder: string) => Promise<Checkout> {
  // Asked for at once, so that it is there when the first folder is.
  const listed = listingOf(repo, commit);
  listed.catch(() => {});
  return async (folder) => {
    if ((await readdir(folder)).length > 0) {
      throw new WorkspaceError('FOLDER_NOT_EMPTY', `${folder} is not empty.`);
    }
    const { tree, all } = await listed;
    await mkdirs(folder, all);
    const blobs = all.filter(({ type }) => type === 'blob');
    const leftOut = await writeBlobs(repo, folder, blobs);
    return {
      tree,
      files: blobs.length,
      submodules: all.filter(({ type }) => type === 'commit').map(({ path }) => path),
      leftOut,
      treeNow: () => treeOnDisk(folder, all, tree.length, new Set(leftOut)),
    };
  };
}

async function listingOf(repo: Repository, commit: string) {
  const tree = await treeOfCommit(repo, commit);
  const all = parseListing(await runGitAsync(repo, ['ls-tree', '-r', '-t', '-z', '--full-tree', tree]));
  assertSafeTree(all);
  assertListing(all, tree);
  return { tree, all };
}

/** The commit object is hashed here too, so that the chain from the claimed id down has no unchecked link. */
async function treeOfCommit(repo: Repository, commit: string): Promise<string> {
  if (!/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) {
    throw new WorkspaceError('UNKNOWN_COMMIT', `${JSON.stringify(commit)} is not a full commit id.`);
  }
  const content = await runGitAsync(repo, ['cat-file', 'commit', commit]).catch((cause) => {
    throw new WorkspaceError('UNKNOWN_COMMIT', `The repository has no commit ${commit}.`, { cause });
  });
  if (objectId('commit', content, commit.length) !== commit) {
    throw new WorkspaceError(
      'TREE_MISMATCH',
      `The commit ${commit} does not have the content that its id names.`,
    );
  }
  return /^tree ([0-9a-f]+)\n/.exec(content.toString('latin1'))?.[1] ?? '';
}

function assertListing(all: readonly TreeEntry[], tree: string): void {
  const ids = folderIds(all, tree.length);
  const listed = [{ path: '', oid: tree }, ...all.filter(({ type }) => type === 'tree')];
  const wrong = listed.find(({ path, oid }) => ids.get(path) !== oid);
  if (wrong === undefined) return;
  throw new WorkspaceError(
    'TREE_MISMATCH',
    `The folder ${JSON.stringify(wrong.path)} does not have the tree id ${wrong.oid}.`,
  );
}

async function mkdirs(folder: string, all: readonly TreeEntry[]): Promise<void> {
  const folders = new Set(all.flatMap(({ path, type }) => (type === 'blob' ? dirname(path) : path)));
  for (const path of folders) await mkdir(join(folder, path), { recursive: true });
}

/** Answers which links were left out. */
async function writeBlobs(
  repo: Repository,
  folder: string,
  blobs: readonly TreeEntry[],
): Promise<readonly string[]> {
  const links = new Map<string, string>();
  const reader = batchReader(blobs, (entry, content) => {
    if (entry.mode === '120000') links.set(entry.path, content.toString('utf8'));
    else writeNew(join(folder, entry.path), content, entry.mode === '100755' ? 0o755 : 0o644);
  });
  const ids = blobs.map(({ oid }) => `${oid}\n`).join('');
  if (blobs.length > 0) await streamGit(repo, ['cat-file', '--batch'], ids, reader.push);
  reader.end();
  const leftOut = linksOut(links);
  for (const [path, target] of links) if (!leftOut.includes(path)) symlinkSync(target, join(folder, path));
  return leftOut;
}

/** Writing at once keeps no more than one blob in memory, however large the tree is. */
function writeNew(path: string, content: Buffer, mode: number): void {
  try {
    // `wx` never follows a link and never overwrites: two paths that a file system takes for one are an error.
    writeFileSync(path, content, { flag: 'wx', mode });
  } catch (cause) {
    throw new WorkspaceError('UNSAFE_TREE', `A tracked file could not be written: ${path}`, { cause });
  }
}

/** What was left out is as it was as long as nothing lies there. */
async function treeOnDisk(
  folder: string,
  all: readonly TreeEntry[],
  idLength: number,
  leftOut: ReadonlySet<string>,
): Promise<string> {
  const now: TreeEntry[] = [];
  const gone = new Set<string>();
  for (const entry of all) {
    // A folder that became a link would show its old files through the link.
    const below = gone.has(dirname(entry.path));
    const found = below ? undefined : await onDisk(folder, entry, idLength, leftOut.has(entry.path));
    if (found !== undefined) now.push(found);
    else if (entry.type === 'tree') gone.add(entry.path);
  }
  return folderIds(now, idLength).get('') ?? '';
}

async function onDisk(
  folder: string,
  entry: TreeEntry,
  idLength: number,
  isLeftOut: boolean,
): Promise<TreeEntry | undefined> {
  const path = join(folder, entry.path);
  const stat = await lstat(path).catch(() => undefined);
  if (entry.type !== 'blob') return stat?.isDirectory() ? entry : undefined;
  if (stat === undefined && isLeftOut) return entry;
  if (stat === undefined || !(stat.isFile() || stat.isSymbolicLink())) return undefined;
  // A file that can no longer be read is not the file that was checked out.
  const content = await (stat.isFile() ? readFile(path) : readlink(path, { encoding: 'buffer' })).catch(
    () => undefined,
  );
  if (content === undefined) return undefined;
  const mode = stat.isSymbolicLink() ? '120000' : stat.mode & 0o100 ? '100755' : '100644';
  return { ...entry, mode, oid: objectId('blob', content, idLength) };
}
