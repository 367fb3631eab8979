import type { ChangedFile } from '../change.ts';
import { languageOf } from '../diff/language.ts';
import { isProgram } from '../diff/listing.ts';
import { readTests, type TestText } from '../diff/read-tests.ts';
import { wayTo } from './canary-hosts.ts';
import type { InlineChange } from './inline-change.ts';
import { type Chain, chainOf } from './test-chain.ts';
import type { Work } from './work.ts';

/** What in the tests of the work reads differently than in those of base. */
export interface ChangedTests {
  /** Declared tests whose text stands nowhere on base. */
  readonly declared: readonly Declared[];
  /** Those beside them that read as on base. */
  readonly kept: readonly Declared[];
  /** Files of tests in which something beside the tests does. `isShared`: they declare none, so that any test may use them. */
  readonly around: readonly { readonly path: string; readonly isShared: boolean }[];
}

/** A test as a file of the work declares it. */
export interface Declared {
  readonly path: string;
  readonly name: string;
  readonly chain: Chain;
  /** Where its declaration starts in the text of the work. */
  readonly head: number;
  /** Reports name its assertions, as those of tape do. */
  readonly isUnnamed: boolean;
  /** Base's version of the file has a test that is called and stands so. */
  readonly wasThere: boolean;
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
  const all = sides.flatMap((one) => declaredIn(one, known));
  return {
    declared: all.flatMap(({ isKept, ...one }) => (isKept ? [] : one)),
    kept: all.flatMap(({ isKept, ...one }) => (isKept ? one : [])),
    around: sides
      .filter(changesAround)
      .map(({ path, after }) => ({ path, isShared: readTests(path, after).tests.length === 0 })),
  };
}

function declaredIn({ path, before, after }: Sides, known: ReadonlySet<string>) {
  const [then, now] = [readTests(path, before), readTests(path, after)];
  const chains = new Set(then.tests.map((test) => JSON.stringify(chainOf(then, test))));
  const words = wordsOf(now);
  const isUnnamed = wayTo(after, 'tape') !== undefined;
  return now.tests.map((test, n): Declared & { readonly isKept: boolean } => {
    const chain = chainOf(now, test);
    const wasThere = chains.has(JSON.stringify(chain));
    const { name, head } = test;
    return { path, name, chain, head, isUnnamed, wasThere, isKept: known.has(words[n] ?? '') };
  });
}

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
