import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runGit } from './git.ts';
import type { Repository } from './repository.ts';
import { WorkspaceError } from './workspace-error.ts';

/** What was done to files from one commit ('' for none) to another. */
export interface Change {
  readonly from: string;
  readonly to: string;
  readonly paths: readonly string[];
}

/**
 * Paths of a change that a commit holds, and those where it is as if nothing had been done; what cannot be told, since somebody else
 * changed the same lines, is in neither.
 */
export interface BecameOf {
  readonly held: readonly string[];
  readonly lacked: readonly string[];
}

/** Mode and object of each path that is there. */
export type Entries = ReadonlyMap<string, string>;

/**
 * What became of a change in another commit, path by path, whatever else was done to the files: content, mode, or the
 * commit of a submodule. It is lacked where taking it back changes nothing.
 */
export function becameOf(repo: Repository, { from, to, paths }: Change, head: string): BecameOf {
  const [before, after, now] = [from, to, head].map((commit) => entriesOf(repo, commit, paths)) as [
    Entries,
    Entries,
    Entries,
  ];
  const held: string[] = [];
  const lacked: string[] = [];
  for (const path of paths) {
    const [was, made, is] = [before, after, now].map((entries) => entries.get(path) ?? '') as [
      string,
      string,
      string,
    ];
    // A name that is no UTF-8 is found on neither side.
    const isUnknown = was === '' && made === '';
    const found = isUnknown ? undefined : foundAmong(repo, was, made, is);
    if (found !== undefined) (found ? held : lacked).push(path);
  }
  return { held, lacked };
}

function foundAmong(repo: Repository, was: string, made: string, is: string): boolean | undefined {
  if (is === made || was === made) return true;
  return is === was ? false : heldAmong(repo, was, made, is);
}

/** Of three that all differ; undefined where it cannot be told. */
function heldAmong(repo: Repository, was: string, made: string, is: string): boolean | undefined {
  const [from, to, now] = [was, made, is].map(parted) as [Parted, Parted, Parted];
  if (![from, to, now].every(({ mode }) => FILES.has(mode))) return undefined;
  if (from.object === to.object) return now.mode === to.mode;
  const text = ({ object }: Parted) => runGit(repo, ['cat-file', 'blob', object]);
  const [mine, base, other] = [text(now), text(to), text(from)];
  const without = mergedText(repo, mine, base, other);
  return without === undefined ? undefined : !without.equals(mine);
}

/** Modes of files that can be written on. */
export const FILES: ReadonlySet<string> = new Set(['100644', '100755']);

/** A mode, and the object that it is of. */
interface Parted {
  readonly mode: string;
  readonly object: string;
}

/** The parts of an entry, '' both where there is none. */
export function parted(entry: string): Parted {
  const [mode = '', object = ''] = entry.split(' ');
  return { mode, object };
}

const MOST = 200;

/** What a commit ('' for none) has at these paths. */
export function entriesOf(repo: Repository, commit: string, paths: readonly string[]): Entries {
  const found = new Map<string, string>();
  if (commit === '') return found;
  for (let at = 0; at < paths.length; at += MOST) {
    const asked = ['ls-tree', '-z', '--full-tree', commit, '--', ...paths.slice(at, at + MOST)];
    for (const line of runGit(repo, asked).toString('utf8').split('\0')) {
      const [, mode = '', object = '', path = ''] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      if (path !== '') found.set(path, `${mode} ${object}`);
    }
  }
  return found;
}

/** Undefined where both changed the same lines, or one is no text. */
function mergedText(repo: Repository, mine: Buffer, base: Buffer, other: Buffer): Buffer | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-merge-'));
  try {
    const files = [mine, base, other].map((bytes, n) => {
      const path = join(folder, `${n}`);
      writeFileSync(path, bytes);
      return path;
    });
    return runGit(repo, ['merge-file', '-p', '-q', ...files]);
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'GIT_FAILED') return undefined;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
