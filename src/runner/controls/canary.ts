import { createHmac } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { insideCheckout } from '../checks/inside.ts';
import type { ReportFormat } from '../parsers/index.ts';
import type { Report, TestCase } from '../report.ts';
import { hostOf } from './canary-hosts.ts';
import { placesFor } from './canary-place.ts';
import { canaryText } from './canary-text.ts';
import { neutralName, type Random } from './neutral-name.ts';
import type { TurnedTest } from './turned-test.ts';
import { turnedTests } from './turned-tests.ts';

/** A test that must fail, and by what its failure is known. */
export interface Canary {
  /** Path in the checkout. */
  readonly file: string;
  /** What the report calls it, or how that ends. It occurs nowhere else. */
  readonly name: string;
  /** The two numbers that it compares: they follow from the run's secret, and its failure has to tell both. */
  readonly values: readonly [string, string];
  /** How many failures it reports: more than one where each assertion is told by itself. */
  readonly failures: number;
}

/** A copy of a test that expects something else. */
export type Copy = Pick<Canary, 'file'> & TurnedTest;

/** No canary at all means that this control says nothing: the grade must show it. */
export interface Planted {
  readonly canaries: readonly Canary[];
  /** Copies of tests that expect something else, by file and by what the report calls them. */
  readonly turned: readonly Copy[];
  /** Files that got none: they seem to define no test, or their test program is not known. */
  readonly without: readonly string[];
}

/**
 * Adds tests that must fail to each file of a throw-away checkout that defines tests: one that runs last in its file,
 * and often one more at its top. They run in the process of the other tests and use their assertion library, after
 * the file was loaded: whoever ends the process early or silences assertions loses them. `random` decides on names
 * and places. `copied`: whether tests of the file are copied as well.
 */
export async function plantCanaries(
  checkout: string,
  testFiles: readonly string[],
  format: ReportFormat | 'exit',
  secret: string,
  random: Random,
  copied = true,
): Promise<Planted> {
  const canaries: Canary[] = [];
  const turned: Copy[] = [];
  const without: string[] = [];
  for (const file of testFiles) {
    const found = insideCheckout(checkout, file);
    const text = found?.stat.isFile() ? await readFile(found.path, 'utf8') : '';
    const host = hostOf(file, text, format);
    if (found === undefined || host === undefined) {
      without.push(file);
      continue;
    }
    const added = placesFor(text, host, random).map((at) => {
      const name = neutralName(random, host);
      const values = valuesOf(secret, file, name);
      const own = canaryText(host, text, { name, values }, random);
      canaries.push({ file, name, values, failures: own.failures });
      return { at, text: own.text };
    });
    const copies = copied ? turnedTests(text, host, random) : [];
    turned.push(...copies.map((copy) => ({ ...copy, file })));
    await writeFile(found.path, withAll(text, [...added, ...copies]));
  }
  return { canaries, turned, without };
}

/** The text with others put in; those for one place stand there last one first. */
export function withAll(
  text: string,
  added: readonly { readonly at: number; readonly text: string }[],
): string {
  return [...added]
    .sort((a, b) => b.at - a.at)
    .reduce((whole, { at, text: own }) => `${whole.slice(0, at)}${own}${whole.slice(at)}`, text);
}

/** Two different numbers of 14 or 15 digits that nobody can tell without the secret. */
function valuesOf(secret: string, file: string, name: string): readonly [string, string] {
  const digest = createHmac('sha256', secret)
    .update(JSON.stringify([file, name]))
    .digest('hex');
  const at = (from: number) => 2 ** 47 + Number.parseInt(digest.slice(from, from + 11), 16);
  const [left, right] = [at(0), at(11)];
  return [`${left}`, `${left === right ? right + 1 : right}`];
}

/** What was found out by the canaries, with the report as it were without them. */
export interface CanaryJudgement {
  readonly tests: Report;
  readonly problem: CanaryProblem | undefined;
  /** Copies that passed although they expect something else than their tests. */
  readonly pleased: readonly Copy[];
  /** Files of which the report shows neither a canary nor, as far as it tells files, anything else. */
  readonly unseen: readonly string[];
}

export interface CanaryProblem {
  readonly reason: 'canary-missing' | 'canary-passed' | 'run-incomplete';
  readonly explanation: string;
}

/**
 * Every canary has to be there as failed, for its own reason. Unseen files are excused where the report tells the file
 * of each test, for then the program did not load them at all, and where `idle` says that nothing of the file need
 * run, such as when it is unseen on base too. Without any canary there is nothing to find, and no problem.
 */
export function judgeCanaries(
  { canaries, turned }: Planted,
  report: Report,
  idle: (file: string) => boolean = () => false,
): CanaryJudgement {
  const isOf = (test: TestCase, { name }: Pick<Canary, 'name'>) => test.name.includes(name);
  const own = report.tests.filter((test) => ![...canaries, ...turned].some((added) => isOf(test, added)));
  const fates = canaries.map((canary) => {
    const found = report.tests.filter((test) => isOf(test, canary));
    return { file: canary.file, fate: fateOf(canary, found), seen: found.length > 0 };
  });
  const seen = new Set(fates.flatMap(({ file, seen }) => (seen ? file : [])));
  const files = [...new Set(canaries.map(({ file }) => file))];
  const unseen = files.filter((file) => !seen.has(file) && !own.some((test) => isIn(test, file)));
  const tests = { ...report, tests: own };
  if (canaries.length === 0) return { tests, problem: undefined, pleased: [], unseen };
  const tellsFiles = seen.size > 0 && report.tests.every(({ file }) => file !== undefined);
  const excused = new Set(unseen.filter((file) => tellsFiles || idle(file)));
  const filesOf = (fate: Fate) =>
    files.filter((file) => !excused.has(file) && fates.some((one) => one.file === file && one.fate === fate));
  // A test that fails here looks at what was added to the sources: its copy then has another answer as well.
  const has = (outcome: TestCase['outcome'], tests: readonly TestCase[], name: string) =>
    tests.some((test) => test.outcome === outcome && isOf(test, { name }));
  const pleased = turned.filter(
    ({ name, original }) => has('passed', report.tests, name) && !has('failed', own, original),
  );
  return { tests, problem: ofTurned(pleased) ?? problemOf(filesOf, report.complete), pleased, unseen };
}

type Fate = 'failed' | 'passed' | 'skipped' | 'another-reason' | 'missing';

function fateOf({ values, failures }: Canary, found: readonly TestCase[]): Fate {
  if (found.some(({ outcome }) => outcome === 'passed')) return 'passed';
  const failed = found.filter(({ outcome }) => outcome === 'failed');
  if (failed.length < found.length) return 'skipped';
  if (failed.length < failures) return 'missing';
  const tellsBoth = ({ message = '' }: TestCase) => values.every((value) => message.includes(value));
  return failed.some(tellsBoth) ? 'failed' : 'another-reason';
}

const isIn = ({ file }: TestCase, path: string) =>
  file !== undefined && (file === path || file.endsWith(`/${path}`));

function problemOf(filesOf: (fate: Fate) => readonly string[], complete: boolean): CanaryProblem | undefined {
  const passed = filesOf('passed');
  if (passed.length > 0)
    return {
      reason: 'canary-passed',
      explanation: `tests that were added and cannot pass did pass, so no result counts: ${few(passed)}`,
    };
  if (!complete)
    return {
      reason: 'run-incomplete',
      explanation: 'with tests added that must fail, the run ended early or left no whole report',
    };
  const parts = [
    ['not reported', filesOf('missing')],
    ['skipped', filesOf('skipped')],
    ['failed for another reason than their own', filesOf('another-reason')],
  ] as const;
  const said = parts.flatMap(([what, files]) => (files.length === 0 ? [] : [`${what} (${few(files)})`]));
  if (said.length === 0) return undefined;
  return {
    reason: 'canary-missing',
    explanation: `tests that were added and must fail are ${said.join(', ')}`,
  };
}

function ofTurned(pleased: readonly Pick<Canary, 'file'>[]): CanaryProblem | undefined {
  if (pleased.length === 0) return undefined;
  const files = [...new Set(pleased.map(({ file }) => file))];
  return {
    reason: 'canary-passed',
    explanation: `copies of tests that expect something else than the tests pass too, so no result counts: ${few(files)}`,
  };
}

const few = (files: readonly string[]) =>
  `${files.slice(0, 5).join(', ')}${files.length > 5 ? `, and ${files.length - 5} more` : ''}`;
