import { becameOf, type Change, type Entries, entriesOf, parted } from './became-of.ts';
import { changedPaths } from './diff.ts';
import { runGit } from './git.ts';
import { both, eachFile, type Lines, less, linesOf, says } from './lines.ts';
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
  return [...held, ...partly, ...(movedAway.length === 0 ? [] : movedTo(around, was, made))];
}

/**
 * Whether lines that the change wrote are left: one that nobody wrote anew, or most of them. In a file that was not there before, one
 * that the main branch has elsewhere does no harm; where it had the file, what was put into it does, whatever it is.
 */
function isWritten(around: Around, path: string, written: Lines, now: Lines, isNew: boolean): boolean {
  const left = both(written, now);
  if (left.size === 0) return false;
  const own = less(left, known(around, left));
  return both(isNew ? own : left, linesBy(around, path)).size > 0 || isMost(around, own, less(written, left));
}

/** Whether lines that are left are more than those that are not, without any that the main branch has; most often a few tell. */
function isMost(around: Around, { size }: Lines, gone: Lines): boolean {
  let rest = [...gone];
  let own = 0;
  for (let next = 2 * size + 8; own < size && own + rest.length >= size; next *= 2) {
    const some = new Set(rest.slice(0, next));
    rest = rest.slice(next);
    own += less(some, known(around, some)).size;
  }
  return own < size;
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
function movedTo(around: Around, was: Entries, made: Entries): readonly string[] {
  const { repo, change, head } = around;
  const files = changedPaths(repo, change.to, head).flatMap(({ path, status }) =>
    status === 'added' ? [path] : [],
  );
  const suspects = withLines(around, files, less(textsOf(repo, made), textsOf(repo, was)));
  const all = known(around, new Set([...suspects.values()].flatMap((lines) => [...lines])));
  return files.filter((path) => {
    if (less(suspects.get(path) ?? new Set(), all).size === 0) return false;
    const lines = linesBy(around, path);
    return less(lines, known(around, lines)).size > 0;
  });
}

/** Files with any of these texts, and the lines there that have them: blame takes its time for each file. */
function withLines({ repo, head }: Around, files: readonly string[], texts: Lines) {
  const found = new Map<string, Lines>();
  eachFile(repo, entriesOf(repo, head, files), (path, lines) => {
    const same = lines.filter((line) => says(line) && texts.has(unspaced(line)));
    if (same.length > 0) found.set(path, new Set(same));
  });
  return found;
}

/** What lines of files say, whatever blanks are in them: so git blames them, too. */
function textsOf(repo: Repository, entries: Entries): Lines {
  const found = new Set<string>();
  eachFile(repo, entries, (_, lines) => {
    for (const line of lines) found.add(unspaced(line));
  });
  return found;
}

const unspaced = (line: string) => line.replace(/\s/g, '');

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
