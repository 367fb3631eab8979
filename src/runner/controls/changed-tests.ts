import type { ChangedFile } from '../change.ts';
import { languageOf } from '../diff/language.ts';
import { isProgram } from '../diff/listing.ts';
import { readTests, type TestText } from '../diff/read-tests.ts';
import { wayTo } from './canary-hosts.ts';
import type { InlineChange } from './inline-change.ts';
import type { Work } from './work.ts';

/** What in the tests of the work reads differently than in those of base. */
export interface ChangedTests {
  /** Declared tests whose text stands nowhere on base. `isUnnamed`: reports name their assertions, as those of tape do. */
  readonly declared: readonly {
    readonly path: string;
    readonly name: string;
    /** Where its declaration starts in the text of the work. */
    readonly head: number;
    readonly isUnnamed: boolean;
  }[];
  /** Files of tests in which something beside the tests does. `isShared`: they declare none, so that any test may use them. */
  readonly around: readonly { readonly path: string; readonly isShared: boolean }[];
}

interface Sides {
  readonly path: string;
  /** '' where base has none. */
  readonly before: string;
  readonly after: string;
}

/** A test that was moved reads as before. What a file loads, and its comments, are no part of what it asks. */
export async function changedTests(work: Work, inline: readonly InlineChange[]): Promise<ChangedTests> {
  const sides = [...(await sidesOf(work, work.freshTests)), ...inline];
  const touched = await sidesOf(work, work.touchedTests);
  const known = new Set(
    [...touched, ...inline].flatMap(({ path, before }) => wordsOf(readTests(path, before))),
  );
  return {
    declared: sides.flatMap(({ path, after }) => {
      const read = readTests(path, after);
      const words = wordsOf(read);
      const isUnnamed = wayTo(after, 'tape') !== undefined;
      return read.tests.flatMap(({ name, head }, n) =>
        known.has(words[n] ?? '') ? [] : [{ path, name, head, isUnnamed }],
      );
    }),
    around: sides
      .filter(changesAround)
      .map(({ path, after }) => ({ path, isShared: readTests(path, after).tests.length === 0 })),
  };
}

/** Each test of a text with its name, and with what stands above it or is its table. */
const wordsOf = ({ source, tests }: TestText): readonly string[] =>
  tests.map(({ head, start, code }) => source.code.slice(head, start + code.length).trim());

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
