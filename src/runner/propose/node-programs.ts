import { type BareCommand, bin, nameOf } from './node-command.ts';
import { NODE, PROGRAMS, sorted } from './node-options.ts';
import type { TestProgram } from './project.ts';
import { argvOf, lineOf, type Word, wordOf } from './shell-words.ts';

const LCOV = 'coverage/lcov.info';

/** What a manifest depends on. */
export type Packages = Readonly<Record<string, unknown>>;

/** A command that runs tests, with a report of what came of them. */
export interface TestCommand {
  /** With the words that a report needs, and without those that ask for another or never end. */
  readonly words: readonly Word[];
  readonly format: string;
  readonly path: string;
  readonly coverage: TestProgram['coverage'];
  /** The files, folders and patterns of tests that it names; none where the program looks for them by itself. */
  readonly places: readonly string[];
}

/** The command with a report where its program has one; undefined for any other program. */
export function testCommand({ variables, words }: BareCommand, packages: Packages): TestCommand | undefined {
  const found = programIn(words);
  if (found === undefined) return undefined;
  const { program, before, rest } = found;
  const { kept, places } = sorted(rest, program);
  // A part of this program that runs no tests, or other ones.
  if (program.format === 'vitest' && /^(?:bench|typecheck|related|list|init|complete)$/.test(places[0] ?? ''))
    return undefined;
  const mode = program.format === 'vitest' && MODES.test(places[0] ?? '') ? places[0] : undefined;
  const own = kept.filter((word) => word !== kept.find(({ text }) => text === mode));
  const set = variables.length === 0 ? [] : [wordOf('env'), ...variables];
  return {
    words: [...set, ...before, ...program.report.map(wordOf), ...own],
    format: program.format,
    path: program.format === 'vitest' ? `${rootIn(own)}${program.path}` : program.path,
    coverage: coverageOf(program.format, packages),
    places: program.names ? places : [],
  };
}

const MODES = /^(?:run|watch|dev)$/;

/** Where a program's words begin: behind its own name, and of one that node starts behind the path. */
function programIn(words: readonly Word[]) {
  const [first, ...rest] = words;
  if (first === undefined) return undefined;
  const name = nameOf(first);
  const known = programOf(name);
  const started = first.text.includes('/') || name === 'node' ? first : wordOf(bin(name));
  if (known !== undefined) return { program: known, before: [started], rest };
  if (name !== 'node' && name !== 'tsx') return undefined;
  const at = placeOfPath(rest);
  const path = rest[at];
  const asks = rest.slice(0, at).findIndex(({ text }) => text === '--test');
  if (asks >= 0) {
    const options = sorted(rest.slice(0, asks), NODE).kept;
    const before = [started, ...options, wordOf('--test'), wordOf('--test-reporter=tap')];
    return { program: NODE, before, rest: rest.slice(asks + 1) };
  }
  const inner = path && /node_modules\//.test(path.text) ? programOf(nameOf(path)) : undefined;
  return inner && { program: inner, before: [started, ...rest.slice(0, at + 1)], rest: rest.slice(at + 1) };
}

const programOf = (name: string) => (Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined);

/** The first word that is neither an option of node nor its value. */
function placeOfPath(words: readonly Word[]): number {
  for (let at = 0; at < words.length; at++) {
    const { text = '' } = words[at] ?? {};
    if (!text.startsWith('-')) return at;
    if (NODE.takes.test(text)) at++;
  }
  return words.length;
}

/** vitest writes its report below its root. */
function rootIn(words: readonly Word[]): string {
  const at = words.findIndex(({ text }) => /^(?:-r|--root)(?:=|$)/.test(text));
  const said = words[at]?.text.includes('=') ? words[at]?.text.replace(/^[^=]*=/, '') : words[at + 1]?.text;
  const root = at < 0 ? '' : (said ?? '').replace(/^(?:\.\/)+|\/+$/g, '');
  return root === '' || root === '.' ? '' : `${root}/`;
}

function coverageOf(format: string, packages: Packages): TestProgram['coverage'] {
  if (format === 'jest')
    return { words: ['--coverage', '--coverageReporters=lcov'], path: LCOV, format: 'lcov' };
  const measures = ['@vitest/coverage-v8', '@vitest/coverage-istanbul'].some((name) =>
    Object.hasOwn(packages, name),
  );
  if (format !== 'vitest' || !measures) return undefined;
  return { words: ['--coverage.enabled', '--coverage.reporter=lcov'], path: LCOV, format: 'lcov' };
}

/**
 * What a check runs: words, or a shell's line where files have to be found for a pattern, or something has to be made
 * first. That is made anew with every run: a control changes the sources between two of them.
 */
export function runOf(
  { words, path }: TestCommand,
  first: readonly (readonly Word[])[],
): readonly string[] | string {
  if (first.length === 0 && !words.some(({ isGlob }) => isGlob)) return argvOf(words);
  // The output is the report, where there is no file for it.
  const lines = first.map((each) => `${lineOf(each)}${path === '' ? ' >&2' : ''}`);
  return [...lines, lineOf(words)].join(' && ');
}
