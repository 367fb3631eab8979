import { batchReader } from './batch.ts';
import { type Entries, FILES, parted } from './became-of.ts';
import type { TreeEntry } from './blob.ts';
import { runGit } from './git.ts';
import type { Repository } from './repository.ts';

/** Lines of files, without the blanks around them. */
export type Lines = ReadonlySet<string>;

/** Those that are not among others. */
export const less = (some: Lines, others: Lines): Lines =>
  new Set([...some].filter((line) => !others.has(line)));

/** Those that are among others, too. */
export const both = (some: Lines, others: Lines): Lines =>
  new Set([...some].filter((line) => others.has(line)));

/** Shorter ones, such as brackets, are anybody's. */
const LEAST = 4;

/** Whether a line says enough to be somebody's. */
export const says = (line: string) => line.length >= LEAST;

/** The lines of a file that say something. */
export function linesOf(repo: Repository, entry = ''): Lines {
  const { mode, object } = parted(entry);
  if (!FILES.has(mode)) return new Set();
  return new Set(linesIn(runGit(repo, ['cat-file', 'blob', object])).filter(says));
}

const linesIn = (content: Buffer) =>
  content
    .toString('utf8')
    .split('\n')
    .map((line) => line.trim());

/** Hands over all lines of each file among the entries; git is asked for many at once. */
export function eachFile(
  repo: Repository,
  entries: Entries,
  use: (path: string, lines: readonly string[]) => void,
): void {
  const asked = [...entries].flatMap(([path, entry]): TreeEntry[] => {
    const { mode, object } = parted(entry);
    return FILES.has(mode) ? [{ path, mode, type: 'blob', oid: object }] : [];
  });
  for (const some of portions(asked, sizesOf(repo, asked))) {
    const reader = batchReader(some, ({ path }, content) => use(path, linesIn(content)));
    reader.push(runGit(repo, ['cat-file', '--batch'], { input: namesOf(some) }));
    reader.end();
  }
}

const namesOf = (asked: readonly TreeEntry[]) => asked.map(({ oid }) => `${oid}\n`).join('');

function sizesOf(repo: Repository, asked: readonly TreeEntry[]): readonly number[] {
  if (asked.length === 0) return [];
  const told = runGit(repo, ['cat-file', '--batch-check=%(objectsize)'], { input: namesOf(asked) });
  return told.toString('utf8').split('\n').map(Number);
}

/** Bytes that are read at once, unless one file has more. */
const AT_ONCE = 1 << 25;

function portions(asked: readonly TreeEntry[], sizes: readonly number[]): readonly TreeEntry[][] {
  const found: TreeEntry[][] = [];
  let room = 0;
  for (const [n, entry] of asked.entries()) {
    const size = sizes[n] ?? 0;
    if (found.length === 0 || size > room) {
      found.push([]);
      room = AT_ONCE;
    }
    found.at(-1)?.push(entry);
    room -= size;
  }
  return found;
}
