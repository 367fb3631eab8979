import { listAt, readAt, readManyAt } from './blob.ts';
import { type ChangedModes, type ChangedPath, changedModes } from './diff.ts';
import { runGit } from './git.ts';
import type { Repository } from './repository.ts';

/** Two commits side by side: what differs, and what either holds. Everything comes from git's objects. */
export interface TwoSides {
  /** Hex id of the older side's tree. */
  readonly baseTree: string;
  readonly files: readonly ChangedModes[];
  /** All files and links of the older side. */
  readonly base: {
    paths(): Promise<readonly string[]>;
    read(paths: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
  };
  before(path: string): Promise<Buffer | undefined>;
  after(path: string): Promise<Buffer | undefined>;
}

/** The changed files of a side are read together when the first of them is asked for. Throws GIT_FAILED, BAD_NAME. */
export function twoSides(repo: Repository, base: string, head: string): TwoSides {
  const files = base === head ? [] : changedModes(repo, base, head);
  const reader = (commit: string, absent: ChangedPath['status']) => {
    const known = new Map<string, Buffer | undefined>();
    const paths = files.filter(({ status }) => status !== absent).map(({ path }) => path);
    for (const { path, status } of files) if (status === absent) known.set(path, undefined);
    let read = false;
    return async (path: string) => {
      if (!read && paths.includes(path)) {
        const found = readManyAt(repo, commit, paths);
        for (const one of paths) known.set(one, found.get(one));
        read = true;
      }
      if (!known.has(path)) known.set(path, readAt(repo, commit, path));
      return known.get(path);
    };
  };
  let baseTree: string | undefined;
  return {
    get baseTree() {
      baseTree ??= runGit(repo, ['rev-parse', `${base}^{tree}`])
        .toString('utf8')
        .trim();
      return baseTree;
    },
    files,
    base: wholeSide(repo, base),
    before: reader(base, 'added'),
    after: reader(head, 'deleted'),
  };
}

/** How many files git is asked for at once. */
const portion = 500;
/** What fewer are asked for than this is kept: controls ask for the same few files one after the other. */
const few = 32;

function wholeSide(repo: Repository, commit: string): TwoSides['base'] {
  let paths: readonly string[] | undefined;
  const known = new Map<string, Buffer | undefined>();
  return {
    async paths() {
      paths ??= listAt(repo, commit, '').flatMap(({ path, type }) => (type === 'blob' ? [path] : []));
      return paths;
    },
    async read(wanted) {
      // A name of several lines cannot be asked for.
      const plain = wanted.filter((path) => !path.includes('\n'));
      const asked = plain.filter((path) => !known.has(path));
      const fresh = new Map<string, Buffer>();
      for (let at = 0; at < asked.length; at += portion)
        for (const [path, bytes] of readManyAt(repo, commit, asked.slice(at, at + portion)))
          fresh.set(path, bytes);
      if (asked.length < few) for (const path of asked) known.set(path, fresh.get(path));
      const bytesOf = (path: string) => known.get(path) ?? fresh.get(path);
      return new Map(
        plain.flatMap((path) => {
          const bytes = bytesOf(path);
          return bytes === undefined ? [] : [[path, bytes] as const];
        }),
      );
    },
  };
}
