import type { ChangedFile } from '../change.ts';
import { languageOf } from '../diff/language.ts';
import { isProgram } from '../diff/listing.ts';
import { readTests, type TestText } from '../diff/read-tests.ts';
import type { Source } from '../diff/source.ts';
import type { ReportFormat } from '../parsers/index.ts';
import type { InlineChange } from './inline-change.ts';
import { type Chain, chainOf, moduleOfRust } from './test-chain.ts';
import type { Work } from './work.ts';

/** What in the tests of the work reads differently than in those of base. */
export interface ChangedTests {
  /** Declared tests whose text stands nowhere on base. */
  readonly declared: readonly Declared[];
  /** Those beside them that read as on base. */
  readonly kept: readonly Declared[];
  /**
   * Those of the kept that stand no more often than on base: wherever they stand now, they are no new ones. Those in
   * groups whose names are made there as well may have got more rows.
   */
  readonly moved: ReadonlySet<Declared>;
  /** Those of base that read so nowhere in the work: what base's report calls so may be another test by now. */
  readonly gone: readonly Declared[];
  /** Files of tests in which something beside the tests does. `isShared`: they declare none, so that any test may use them. */
  readonly around: readonly { readonly path: string; readonly isShared: boolean }[];
}

/** A test as a file declares it. */
export interface Declared {
  readonly path: string;
  readonly name: string;
  readonly chain: Chain;
  /** Where its declaration starts in the text. */
  readonly head: number;
  /** The only file of Rust for its module: what is told of it twice was run in two binaries. */
  readonly isLone: boolean;
  /** Reports name its assertions, as those of tape do. */
  readonly isUnnamed: boolean;
}

interface Sides {
  readonly path: string;
  /** '' where base has none. */
  readonly before: string;
  readonly after: string;
}

/** A declared test with all that it reads. */
interface Written extends Declared {
  readonly words: string;
}

/** A test that was moved reads as before. What a file loads, and its comments, are no part of what it asks. */
export async function changedTests(
  work: Work,
  inline: readonly InlineChange[],
  format: ReportFormat | 'exit',
): Promise<ChangedTests> {
  const sides = [...(await sidesOf(work, work.freshTests)), ...inline];
  const touched = [...(await sidesOf(work, work.touchedTests)), ...inline];
  const lone = await loneModules(work, sides);
  const written = (path: string, text: string) =>
    writtenIn(path, text, format).map((test) => ({ ...test, isLone: lone.has(path) }));
  const then = touched.flatMap(({ path, before }) => written(path, before));
  const now = sides.flatMap(({ path, after }) => written(path, after));
  const wordsIn = (tests: readonly Written[]) => countsOf(tests, ({ words }) => words);
  const [known, there] = [wordsIn(then), wordsIn(now)];
  const kept = now.filter(({ words }) => known.has(words));
  const inRows = new Set(then.filter(isInRows).map(({ words }) => words));
  const isMoved = (one: Written) =>
    (there.get(one.words) ?? 0) <= (known.get(one.words) ?? 0) && (!isInRows(one) || !inRows.has(one.words));
  return {
    declared: now.filter(({ words }) => !known.has(words)),
    kept,
    moved: new Set(kept.filter(isMoved)),
    gone: goneOf(then, now),
    around: sides
      .filter(changesAround)
      .map(({ path, after }) => ({ path, isShared: readTests(path, after).tests.length === 0 })),
  };
}

/** Files of Rust that are the only one for their module, where a test file of the work is of Rust at all. */
async function loneModules(work: Work, sides: readonly Sides[]): Promise<ReadonlySet<string>> {
  const isRust = (path: string) => languageOf(path) === 'rust';
  const own = sides.map(({ path }) => path).filter(isRust);
  if (own.length === 0) return new Set();
  const moduleOf = (path: string) => moduleOfRust(path).join('::');
  const paths = [...new Set([...(await work.change.base.paths()).filter(isRust), ...own])];
  const files = countsOf(paths, moduleOf);
  return new Set(paths.filter((path) => files.get(moduleOf(path)) === 1));
}

/** Each test of the work is one of base that stands as it does, or else one that was moved. */
function goneOf(then: readonly Written[], now: readonly Written[]): readonly Written[] {
  const standing = ({ words, chain }: Written) => JSON.stringify([words, chain]);
  return without(without(then, now, standing), without(now, then, standing), ({ words }) => words);
}

const isInRows = ({ chain }: Declared): boolean => chain.slice(0, -1).includes(undefined);

/** How many there are of each key. */
function countsOf<T>(all: readonly T[], key: (one: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(key(one), (counts.get(key(one)) ?? 0) + 1);
  return counts;
}

/** What is left of tests when each of the others has taken one that is the same by a key. */
function without(
  tests: readonly Written[],
  others: readonly Written[],
  key: (test: Written) => string,
): readonly Written[] {
  const counts = countsOf(others, key);
  return tests.filter((test) => {
    const left = counts.get(key(test)) ?? 0;
    counts.set(key(test), left - 1);
    return left <= 0;
  });
}

function writtenIn(
  path: string,
  content: string,
  format: ReportFormat | 'exit',
): readonly Omit<Written, 'isLone'>[] {
  const text = readTests(path, content);
  const words = wordsOf(text);
  const isUnnamed = format === 'tap' && loadsTape(text.source);
  return text.tests.map((test, n) => {
    const { name, head } = test;
    return { path, name, chain: chainOf(text, test), head, isUnnamed, words: words[n] ?? '' };
  });
}

/** Whether a file of tests has those of tape: a file that loads another test program, or calls what tape does not have, has others. */
const loadsTape = (source: Source): boolean =>
  loads(source, 'tape') &&
  !loads(source, OTHER_PROGRAMS) &&
  !/(?<![.\w$])(?:it|describe)\s*\(/.test(source.bare);

const OTHER_PROGRAMS = 'node:test|tap|@tapjs/[^\'"]+|vitest|mocha|jest|@jest/globals|ava|uvu';

/** By code, and not by a comment or a text about it. */
const loads = ({ code, bare }: Source, module: string): boolean =>
  [
    ...code.matchAll(
      new RegExp(`\\b(?:require\\s*\\(|import\\s*\\(|from\\b|import\\b)\\s*['"](?:${module})['"]`, 'g'),
    ),
  ].some(({ index }) => /\w/.test(bare.charAt(index)));

/** Each test of a text with its name, and with what stands above it or is its table, and without those that stand in it. */
const wordsOf = ({ source, tests }: TestText): readonly string[] =>
  tests.map(({ head, start, code }) => {
    const whole = source.code.slice(head, start + code.length).trim();
    const own = `${source.code.slice(head, start)}${code}`.trim();
    return own === whole ? own : own.replace(/\s+/g, ' ');
  });

async function sidesOf({ change }: Work, files: readonly ChangedFile[]): Promise<readonly Sides[]> {
  const sides: Sides[] = [];
  for (const { path } of files) {
    const [before, after] = [await change.before(path), await change.after(path)];
    sides.push({ path, before: before?.toString('utf8') ?? '', after: after?.toString('utf8') ?? '' });
  }
  return sides;
}

/** New data may be read by what base has; a new program is used by nothing of base that was not changed itself. */
function changesAround({ path, before, after }: Sides): boolean {
  if (before === '') return !isProgram(path);
  return outside(path, readTests(path, before)) !== outside(path, readTests(path, after));
}

const LOADS: Readonly<Record<string, RegExp>> = {
  js: /^[ \t]*(?:import\b[^;'"`]*["'][^"'\n]*["'](?:\s*with\s*\{[^}]*\})?;?|(?:(?:const|let|var)\s+(?:\{[^}]*\}|[\w$]+)\s*=\s*)?require\s*\([^()\n]*\)(?:\.[\w$]+)*;?|["']use \w+["'];?)[ \t]*$/gm,
  python: /^[ \t]*(?:from\s+[\w.]+\s+import\s+(?:\([^)]*\)|[^\n]*)|import\s+[^\n]*)$/gm,
};

/** The text of a file without its tests, its comments and what it loads. */
function outside(path: string, { source, tests }: TestText): string {
  let text = source.code;
  for (const { head, start, code } of tests)
    text = `${text.slice(0, head)}${' '.repeat(start + code.length - head)}${text.slice(start + code.length)}`;
  const loads = LOADS[languageOf(path)];
  return (loads === undefined ? text : text.replace(loads, '')).replace(/\s+/g, ' ').trim();
}
