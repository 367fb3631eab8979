import { becameOf, type Change, type Entries, entriesOf, FILES, parted } from './became-of.ts';
import { changedPaths } from './diff.ts';
import { runGit } from './git.ts';
import type { Repository } from './repository.ts';

/** Where a change was looked for, and the commit without it that this would land on. */
interface Around {
  readonly repo: Repository;
  readonly change: Change;
  readonly head: string;
  readonly main: string;
  /** The commits of the change. */
  readonly own: () => ReadonlySet<string>;
}

/**
 * Paths of `head` with something of a change that `main` lacks: those that hold it, and, where others went on in the same lines, those
 * with a line that it wrote, or without one that it took away. What was taken back, and was written anew after that, is of whoever
 * wrote it, unless it is most of the same; in a new file, lines that `main` has somewhere, such as the head of a licence, are anybody's.
 * A file with such lines counts also under another name.
 */
export function leftOf(repo: Repository, change: Change, head: string, main: string): readonly string[] {
  let own: ReadonlySet<string> | undefined;
  const around = {
    ...{ repo, change, head, main },
    own() {
      own ??= commitsIn(repo, change);
      return own;
    },
  };
  const became = becameOf(repo, change, head);
  const unclear = change.paths.filter((path) => !became.held.includes(path) && !became.lacked.includes(path));
  const [was, made, now, there] = [change.from, change.to, head, main].map((commit) =>
    entriesOf(repo, commit, change.paths),
  ) as [Entries, Entries, Entries, Entries];
  const lines = (entries: Entries, path: string) => linesOf(repo, entries.get(path));
  const held = became.held.filter((path) => {
    const [before = '', after = '', main = ''] = [was, made, there].map((entries) => entries.get(path));
    return !isMadeAnew(around, path, before, after, main);
  });
  const partly = unclear.filter((path) => {
    const [before, written, left] = [lines(was, path), lines(made, path), lines(now, path)] as const;
    return (
      isWritten(around, path, less(written, before), left, !was.has(path)) ||
      isAway(around, path, both(less(less(before, written), left), lines(there, path)))
    );
  });
  const movedAway = change.paths.filter((path) => made.has(path) && !now.has(path));
  return [...held, ...partly, ...(movedAway.length === 0 ? [] : movedTo(around))];
}

type Lines = ReadonlySet<string>;
const less = (some: Lines, others: Lines): Lines => new Set([...some].filter((line) => !others.has(line)));
const both = (some: Lines, others: Lines): Lines => new Set([...some].filter((line) => others.has(line)));

/**
 * Whether lines that the change wrote are left: one that nobody wrote anew, or most of them. In a file that was not there before, one
 * that the main branch has elsewhere does no harm; where it had the file, what was put into it does, whatever it is.
 */
function isWritten(around: Around, path: string, written: Lines, now: Lines, isNew: boolean): boolean {
  const left = both(written, now);
  if (left.size === 0) return false;
  const others = known(around, written);
  const own = less(left, others);
  if (own.size * 2 > less(written, others).size) return true;
  return both(isNew ? own : left, linesBy(around, path)).size > 0;
}

/**
 * Whether what has no lines of its own, a removal or another mode, was taken back and made again after that: somebody else did it. A
 * file is back with all of its lines, whatever else is in it.
 */
function isMadeAnew(around: Around, path: string, was: string, made: string, main: string): boolean {
  if (was === '' || was === made) return false;
  const [before, after] = [parted(was), parted(made)];
  if (made !== '' && before.object !== after.object) return false;
  const back = backIn(around, path);
  if (made !== '') return back.some((entry) => parted(entry).mode === before.mode);
  const lines = both(linesOf(around.repo, was), linesOf(around.repo, main));
  return back.includes(was) || (lines.size > 0 && !isAway(around, path, lines));
}

/** Whether one of the lines that the change took away did not come back in any commit on top of it. */
function isAway(around: Around, path: string, lines: Lines): boolean {
  if (lines.size === 0) return false;
  const back = backIn(around, path).map((entry) => linesOf(around.repo, entry));
  return [...lines].some((line) => !back.some((one) => one.has(line)));
}

/** What commits on top of the change made of a path, '' where they removed it. */
function backIn({ repo, change, head }: Around, path: string): readonly string[] {
  const range = ['--ancestry-path', '--full-history', '--end-of-options', `${change.to}..${head}`];
  const since = runGit(repo, ['rev-list', ...range, '--', path])
    .toString('utf8')
    .split('\n')
    .filter(Boolean);
  return since.map((commit) => entriesOf(repo, commit, [path]).get(path) ?? '');
}

/** Files that are new since the change, with a line that it wrote: they have another name now. */
function movedTo(around: Around): readonly string[] {
  const { repo, change, head } = around;
  const made = changedPaths(repo, change.to, head).flatMap(({ path, status }) =>
    status === 'added' ? [path] : [],
  );
  const entries = entriesOf(repo, head, made);
  return made.filter((path) => {
    if (!FILES.has(parted(entries.get(path) ?? '').mode)) return false;
    const lines = linesBy(around, path);
    return lines.size > 0 && less(lines, known(around, lines)).size > 0;
  });
}

/** Lines of a file that commits of the change wrote there, as git blames them; who only changed blanks wrote nothing. */
function linesBy({ repo, change: { from }, head, own }: Around, path: string): Lines {
  const asked = [...BLAME, head, ...(from === '' ? [] : [`^${from}`]), '--', path];
  const lines = new Set<string>();
  let by = '';
  for (const line of runGit(repo, asked).toString('utf8').split('\n')) {
    if (!line.startsWith('\t')) by = /^([0-9a-f]{40,64}) \d+ \d+/.exec(line)?.[1] ?? by;
    else if (own().has(by)) lines.add(line.trim());
  }
  return new Set([...lines].filter(says));
}

function commitsIn(repo: Repository, { from, to }: Change): ReadonlySet<string> {
  const range = from === '' ? to : `${from}..${to}`;
  const args = ['rev-list', '--end-of-options', range];
  return new Set(runGit(repo, args).toString('utf8').split('\n'));
}

/** What a repository asks git to pass over is told all the same. */
const BLAME = ['blame', '--porcelain', '-w', '--no-textconv', '--encoding=UTF-8', '--ignore-revs-file='];

/** Those of the lines that the main branch has, in whatever file. */
function known({ repo, main }: Around, lines: Lines): Lines {
  const input = [...lines].filter((line) => !line.includes('\0')).join('\n');
  if (main === '' || input === '') return new Set();
  const found = runGit(repo, [...GREP, '-f', '-', main], { accepts: 1, input })
    .toString('utf8')
    .split('\n');
  return both(new Set(found.map((line) => line.trim())), lines);
}

const GREP = [
  ...['grep', '-h', '-I', '-F', '--no-color', '--no-line-number', '--no-column'],
  '--no-recurse-submodules',
];

/** Shorter ones, such as brackets, are anybody's. */
const LEAST = 4;
const says = (line: string) => line.length >= LEAST;

function linesOf(repo: Repository, entry = ''): Lines {
  const { mode, object } = parted(entry);
  if (!FILES.has(mode)) return new Set();
  const lines = runGit(repo, ['cat-file', 'blob', object]).toString('utf8').split('\n');
  return new Set(lines.map((line) => line.trim()).filter(says));
}
