import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDocument } from '../diff/documents.ts';
import { languageOf } from '../diff/language.ts';
import { matchesGlob } from '../glob.ts';
import { isTestFile } from '../test-files.ts';
import type { BadFile } from './bad-work.ts';
import { filesOf } from './broken-tree.ts';

/** Which files count as sources: not the tests, and only those that fit a pattern where there are any. */
export interface Scope {
  readonly in: readonly string[];
  readonly tests: readonly string[];
}

/** The source files of a checkout, sorted: code of a known language that is no test and no documentation. */
export async function sourcesOf(checkout: string, scope: Scope): Promise<readonly string[]> {
  return (await filesOf(checkout)).filter((path) => isSource(path, scope));
}

const isSource = (path: string, { in: patterns, tests }: Scope) =>
  !['plain', 'shell'].includes(languageOf(path)) &&
  !/\.d\.[cm]?ts$/.test(path) &&
  !isTestFile(path, tests) &&
  !isDocument(path) &&
  (patterns.length === 0 || patterns.some((pattern) => matchesGlob(path, pattern)));

/**
 * Adds a function that nothing calls, of about `lines` lines, to the end of each file for which one can be written.
 * Answers what changed, as a change has it.
 */
export function addIdleCode(checkout: string, paths: readonly string[], lines: number): readonly BadFile[] {
  return paths.flatMap((path, n) => {
    const before = readFileSync(join(checkout, path));
    const text = idleFunction(path, before.toString('utf8'), `${n}`, lines);
    if (text === undefined) return [];
    const after = Buffer.concat([before, Buffer.from(`\n${text}`)]);
    writeFileSync(join(checkout, path), after);
    return [{ path, before, after }];
  });
}

/** Undefined for a language that does not take a function at the end of any file. */
function idleFunction(path: string, text: string, mark: string, lines: number): string | undefined {
  const write = writers.find(([ending]) => ending.test(path))?.[1];
  return write?.(mark, text, Math.max(3, lines));
}

type Writer = (mark: string, text: string, lines: number) => string | undefined;

const steps = (line: string, count: number) => `${line}\n`.repeat(count);

const script =
  (head: (name: string, text: string) => string): Writer =>
  (mark, text, lines) =>
    `${head(`countersignIdle${mark}`, text)} {\n  let n = 0;\n${steps('  n += 1;', lines)}  return n;\n}\n`;

// A type check that counts what nobody uses would end before the tests begin.
const exported = (text: string) => (/^export =/m.test(text) ? '' : 'export ');

const writers: readonly (readonly [RegExp, Writer])[] = [
  [/\.([cm]?ts|tsx)$/i, script((name, text) => `${exported(text)}function ${name}(): number`)],
  [/\.([cm]?js|jsx)$/i, script((name) => `function ${name}()`)],
  [
    /\.py$/i,
    (mark, _, lines) =>
      `\ndef countersign_idle_${mark}():\n    n = 0\n${steps('    n += 1', lines)}    return n\n`,
  ],
  [
    /\.go$/i,
    (mark, _, lines) =>
      `func countersignIdle${mark}() int {\n\tn := 0\n${steps('\tn += 1', lines)}\treturn n\n}\n`,
  ],
  [
    /\.rs$/i,
    (mark, _, lines) =>
      `#[allow(dead_code)]\nfn countersign_idle_${mark}() -> usize {\n    let mut n = 0;\n${steps('    n += 1;', lines)}    n\n}\n`,
  ],
];
