import { fileAt, joined, type Listing } from '../listing.ts';
import { programIn } from './words.ts';

/** What one command starts and loads of the files of base. */
export interface NamedFiles {
  /** Programs that it runs, and what these load first. */
  readonly started: readonly string[];
  /** Files that it hands to a test runner by name. */
  readonly tests: readonly string[];
  /** Folders and patterns that it hands to a test runner. */
  readonly places: readonly string[];
  /** Texts of programs that stand in the command itself: of a shell, and of others. */
  readonly lines: readonly string[];
  readonly scripts: readonly string[];
}

const INTERPRETER =
  /^(?:node|nodejs|tsx|ts-node(?:-esm|-script)?|esno|jiti|deno|bun|python[\d.]*|pypy3?|ruby|perl|php|lua|sh|bash|zsh|dash|ksh|coffee|electron|Rscript|babel-node|swc-node)$/;
const SHELL = /^(?:sh|bash|zsh|dash|ksh)$/;
const RUNNER =
  /^(?:_?mocha|jest|vitest|ava|tap|tape|jasmine|uvu|lab|qunit|pytest|py\.test|nosetests|nose2|unittest|testem|karma|wtr)$/;
/** Options whose value is loaded before anything else, or decides how results are told. */
const LOADS =
  /^(?:-r|--require|--import|--loader|--experimental-loader|--preload|-c|--config|--config-file|--conf|--setupFiles\w*|--setup|--globalSetup|--globalTeardown|--file|--reporter|--reporters|--test-reporter|--test-global-setup|--rulesdir|--rules-dir|--plugin|--plugins|--resolver|--environment|--env|--testEnvironment|--runner|--testRunner|--transform|--preset|--opts|--rcfile)$/;
/** Of these programs the same letters ask for something else. */
const OTHER = /^(?:cp|rm|mv|ls|grep|rsync|mkdir|chmod|chown|sed|sort|zip|tar|diff|find|git|scp|tsc)$/;
/** Options of interpreters that take the next word. */
const TAKES =
  /^(?:-C|--conditions|--env-file|--test-(?:reporter-destination|name-pattern|skip-pattern|concurrency|timeout|shard)|--title|-W|-X|-I|-O|--stack-size|--experimental-config-file|-P|--project)$/;

/** Looks at every word: managers and wrappers put programs anywhere. `folder` is where the command runs. */
export function namedIn(words: readonly string[], folder: string, listing: Listing): NamedFiles {
  const found = {
    started: [] as string[],
    tests: [] as string[],
    places: [] as string[],
    lines: [] as string[],
    scripts: [] as string[],
  };
  const fileOf = (word: string) => fileAt(joined(folder, word), listing);
  const first = words[0] ?? '';
  // What is started by its own path.
  if (first.includes('/') || listing.paths.has(joined(folder, first)))
    found.started.push(...list(fileOf(first)));
  words.forEach((word, at) => {
    const [, option = '', value = ''] = /^(--?[\w-]+)=(.*)$/.exec(word) ?? [];
    if (LOADS.test(option)) found.started.push(...loaded(option, value, folder, listing));
    else if (LOADS.test(word) && !OTHER.test(programIn(first)))
      found.started.push(...loaded(word, words[at + 1] ?? '', folder, listing));
    const program = programIn(word);
    const rest = words.slice(at + 1);
    if (INTERPRETER.test(program)) interpreted(program, rest, fileOf, found);
    if (RUNNER.test(program)) handed(rest, folder, listing, found);
  });
  return found;
}

type Found = { [K in keyof NamedFiles]: string[] };

const list = (file: string | undefined) => (file === undefined ? [] : [file]);

/** The program of an interpreter is the first word that is no option; told to test, it takes all of them as tests. */
function interpreted(
  program: string,
  rest: readonly string[],
  fileOf: (word: string) => string | undefined,
  found: Found,
): void {
  const tests = rest.some((word) => isTesting(program, word));
  for (let at = 0; at < rest.length; at++) {
    const [word = '', next = ''] = [rest[at], rest[at + 1]];
    if (isText(program, word)) found[SHELL.test(program) ? 'lines' : 'scripts'].push(next);
    else if (word === '-m') found.started.push(...moduleFiles(next, fileOf));
    else if (!/^-|^(?:run|watch|test)$/.test(word)) taken(word, tests, fileOf, found);
    if (takesNext(word)) at++;
    // What follows are the words of the program.
    if (!tests && !isOption(word)) return;
  }
}

const takesNext = (word: string) => LOADS.test(word) || TAKES.test(word) || word === '-m';
const isOption = (word: string) => /^-(?!m$)|^(?:run|watch)$/.test(word);

function taken(
  word: string,
  tests: boolean,
  fileOf: (word: string) => string | undefined,
  found: Found,
): void {
  const file = fileOf(word);
  if (!tests) found.started.push(...list(file));
  else found[file === undefined ? 'places' : 'tests'].push(file ?? word);
}

/** Whether the word behind it is a program itself. */
const isText = (program: string, word: string) =>
  SHELL.test(program) ? /^-\w*c$/.test(word) : /^(?:-e|-p|-pe|--eval|--print|-c)$/.test(word);

const isTesting = (program: string, word: string) =>
  /^--test(?:-only)?$/.test(word) || (/^(?:bun|deno)$/.test(program) && word === 'test');

function moduleFiles(module: string, fileOf: (word: string) => string | undefined): readonly string[] {
  const path = module.replaceAll('.', '/');
  return list(fileOf(`${path}/__main__.py`) ?? fileOf(`${path}.py`));
}

/** What is left to a test runner: files by name, folders and patterns. */
function handed(rest: readonly string[], folder: string, listing: Listing, found: Found): void {
  rest.forEach((word, at) => {
    if (word.startsWith('-') || LOADS.test(rest[at - 1] ?? '')) return;
    const place = joined(folder, word);
    if (listing.paths.has(place)) found.tests.push(place);
    else if (/[*{]/.test(word) || listing.folders.has(place)) found.places.push(place);
  });
}

/** A file, one whose ending is left out, or all that a folder of rules holds. */
function loaded(option: string, value: string, folder: string, listing: Listing): readonly string[] {
  const place = joined(folder, value);
  if (/^--rules-?dir$/.test(option)) return listing.folders.get(place) ?? [];
  const file = fileAt(place, listing);
  return file === undefined || (file.startsWith(`${place}/`) && !value.startsWith('.')) ? [] : [file];
}
