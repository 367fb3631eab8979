import { basename, resolve } from 'node:path';
import { ownCommand } from '../own-command.ts';
import { simpleCommands, takesCode } from '../shell.ts';
import { programOf } from '../shell-program.ts';
import type { Simple } from '../simple.ts';
import { branchesMoved } from './git-targets.ts';

/** Something that a shell line changes: a file, or a working tree by a command of git. */
export type Change =
  | { readonly kind: 'file'; readonly path: string }
  | {
      readonly kind: 'git';
      readonly folder: string;
      readonly command: string;
      /** It changes the working tree of the folder, or what belongs to it. */
      readonly isHere: boolean;
      /** Branches that it moves by their names, wherever it is run. */
      readonly branches: readonly string[];
    };

/** Commands of git that change nothing of a working tree or its branches. */
const GIT_READS = new Set(
  (
    'diff show log status ls-files ls-tree ls-remote blame grep cat-file rev-parse rev-list fetch remote describe ' +
    'shortlog reflog for-each-ref merge-base name-rev var version help check-ignore config worktree'
  ).split(' '),
);
/** That only look where they name nothing. */
const GIT_LISTS = new Set(['branch', 'tag', 'stash']);

/** Programs that change the files they are given. */
const WRITERS = new Set(
  'rm rmdir unlink shred trash mv cp ln install rsync touch tee mkdir truncate patch dd'.split(' '),
);
/** Of these, the ones that only change what they name last. */
const LAST_ONLY = new Set(['cp', 'ln', 'install', 'rsync']);
const NO_FILE = /^\/dev\/(null|tty|std\w+|fd\/\d+)$/;
const WRITES_IN_CODE = /write|append|open\s*\(|unlink|rename|remove|mkdir|copy|truncate|>/i;

/** A word with its variables, as of a shell that stands in the folder. */
type Expanded = (word: string, folder: string) => string;

/** What a line would change, as far as its text tells; a look, no shell, and no more than an early warning. */
export function changesIn(line: string, cwd: string, expanded: Expanded): readonly Change[] {
  let folder = cwd;
  return simpleCommands(line).flatMap((simple) => {
    const found = changesOf(simple, folder, expanded);
    const [program, to] = programOf(simple.words);
    if ((program === 'cd' || program === 'pushd') && to !== undefined)
      folder = resolve(folder, expanded(to, folder));
    return found;
  });
}

function changesOf(simple: Simple, folder: string, expanded: Expanded): readonly Change[] {
  const [program = '', ...rest] = programOf(simple.words);
  const name = basename(program);
  const file = (path: string): Change => ({ kind: 'file', path: resolve(folder, expanded(path, folder)) });
  const written = simple.writes.filter((path) => !NO_FILE.test(path)).map(file);
  if (ownCommand(simple) !== undefined) return written;
  if (name === 'git') return [...written, ...gitChange(rest, folder, expanded)];
  return [...written, ...writtenBy(name, rest).map(file), ...inCode(simple).map(file)];
}

function gitChange(rest: readonly string[], folder: string, expanded: Expanded): readonly Change[] {
  let at = folder;
  let i = 0;
  for (; (rest[i] ?? '').startsWith('-'); i++) {
    const option = rest[i];
    if (option === '-C') at = resolve(at, expanded(rest[i + 1] ?? '', folder));
    if (option === '-C' || option === '-c') i += 1;
  }
  const [command = '', ...more] = rest.slice(i);
  const looks = command === '' || GIT_READS.has(command) || (GIT_LISTS.has(command) && more.every(isListing));
  const branches = branchesMoved(command, more);
  return looks && branches.length === 0
    ? []
    : [{ kind: 'git', folder: at, command, isHere: !looks, branches }];
}

const isListing = (word: string) =>
  /^(-[avlr]+|--(list|all|remotes|show-current|contains)|list|show)$/.test(word);

/** Paths that a program changes by their place among its words. */
function writtenBy(name: string, rest: readonly string[]): readonly string[] {
  const paths = rest.filter((word) => !word.startsWith('-'));
  if (name === 'dd') return rest.flatMap((word) => /^of=(.+)$/.exec(word)?.[1] ?? []);
  if (name === 'sed' || name === 'perl') {
    if (!rest.some((word) => /^(-\w*i|--in-place)/.test(word))) return [];
    return rest.some((word) => /^(-\w*e|--expression)/.test(word)) ? paths : paths.slice(1);
  }
  if (!WRITERS.has(name)) return [];
  return LAST_ONLY.has(name) ? paths.slice(-1) : paths;
}

/** Paths that stand in code which writes. */
function inCode(simple: Simple): readonly string[] {
  if (!takesCode(simple)) return [];
  const texts = [...simple.words.filter((word) => /[\s(]/.test(word)), ...simple.fed];
  return texts
    .filter((text) => WRITES_IN_CODE.test(text))
    .flatMap((text) => text.split(/[\s'"`=,;:()<>]+/))
    .filter((piece) => /[/.]/.test(piece) && /^[\w./~-]+$/.test(piece));
}
