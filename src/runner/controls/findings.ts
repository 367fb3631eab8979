import type { Shown } from '../checks/check.ts';
import { isKilled } from '../checks/killed.ts';
import type { Report } from '../report.ts';
import type { Ahead } from './ahead.ts';
import type { BaseRun } from './base-run.ts';
import { baseTests } from './base-tests.ts';
import type { CanaryRun } from './canary-run.ts';
import { censusProblem } from './census.ts';
import { evidenceOfChange } from './evidence-of-change.ts';
import { knownFailures } from './known-failures.ts';
import { passesByName } from './passes-by-name.ts';
import type { Plain } from './plain-runs.ts';
import { NONE, readsSource, type TextTests } from './reads-source.ts';
import { excusedTests } from './signed-tests.ts';
import {
  type Control,
  comparesWithBase,
  isProblem,
  type Problem,
  reportOf,
  type Suite,
  untold,
} from './suite.ts';

/** What the controls have against the work, and what they say of it besides. */
export interface Findings {
  readonly problem: Problem | undefined;
  readonly notes: readonly string[];
  readonly shows: readonly Shown[];
}

/** Whether tests may fail that failed on base already. */
interface Tolerance {
  readonly tolerateKnown: boolean;
}

/** The first runs, and those that were started beside them. */
interface Runs {
  readonly plain: Plain;
  readonly canaried: CanaryRun | Problem;
  readonly ahead: Ahead;
}

/** Any one finding fails the check; the first in this order is told. */
export async function findingsOf(
  check: Tolerance,
  suite: Suite,
  held: ReadonlySet<Control>,
  { plain, canaried, ahead }: Runs,
): Promise<Findings> {
  const notes: string[] = [...plain.notes];
  const shows: Shown[] = ['tests'];
  const problem = await problemOf(check, suite, held, { plain, canaried, ahead }, notes, shows);
  return { problem, notes, shows };
}

async function problemOf(
  check: Tolerance,
  suite: Suite,
  held: ReadonlySet<Control>,
  { plain, canaried, ahead }: Runs,
  notes: string[],
  shows: Shown[],
): Promise<Problem | undefined> {
  const failed = await ofFailures(check, ahead, held, plain, notes);
  if (failed !== undefined) return failed;
  const byText = held.has('canary') ? await ofCanaries(suite, { plain, canaried }, notes, shows) : NONE;
  if (isProblem(byText)) return byText;
  const byName = await ofNames(suite, held, { plain, canaried, ahead }, byText);
  if (byName !== undefined) return byName;
  return comparesWithBase(held) ? compared(suite, ahead, held, plain, byText, notes, shows) : undefined;
}

/** A run that failed: base tells which failures are new. */
async function ofFailures(
  check: Tolerance,
  ahead: Ahead,
  held: ReadonlySet<Control>,
  plain: Plain,
  notes: string[],
): Promise<Problem | undefined> {
  if (plain.judgement.outcome === 'pass') return undefined;
  const base = comparesWithBase(held) || check.tolerateKnown ? await ahead.base() : undefined;
  if (isKilled(plain.run) && base !== undefined && !isProblem(base) && !base.report.complete)
    return untold(`${plain.judgement.explanation}; base does not come to its end either`);
  const { problem, note } = knownFailures(plain, base, check.tolerateKnown);
  notes.push(...note);
  return problem;
}

async function ofCanaries(
  suite: Suite,
  { plain, canaried }: Omit<Runs, 'ahead'>,
  notes: string[],
  shows: Shown[],
): Promise<TextTests | Problem> {
  if (isProblem(canaried)) return canaried;
  if (canaried.planted > 0) {
    shows.push('canary');
    notes.push(
      `${canaried.planted} canaries failed, as they must, and none of ${canaried.copies} copies of tests that expect something else passed`,
    );
  } else notes.push('no canary: the report format can host none, or no file that defines tests was found');
  const byText = await readsSource(suite, reportOf(plain.run), canaried);
  if (!isProblem(byText) && byText.size > 0)
    notes.push(
      `${byText.size} tests go by the text of sources: they show nothing of what a program does, and count for nothing`,
    );
  return byText;
}

/** Compares with base as well, and with the names that tests have beside the canaries. */
const ofNames = async (
  suite: Suite,
  held: ReadonlySet<Control>,
  { plain, canaried, ahead }: Runs,
  byText: TextTests,
): Promise<Problem | undefined> =>
  held.has('canary') && held.has('base-tests') && !isProblem(canaried)
    ? passesByName(suite, reportOf(plain.run), canaried, byText, ahead.base)
    : undefined;

const phrase = ({ report, reused }: BaseRun) =>
  `base: ${report.tests.length} tests${reused ? ', from an earlier run of the same tree and command' : ''}`;

/** What only a look at base can tell; the notes and what is shown are filled in on the way. */
async function compared(
  suite: Suite,
  ahead: Ahead,
  held: ReadonlySet<Control>,
  plain: Plain,
  byText: TextTests,
  notes: string[],
  shows: Shown[],
): Promise<Problem | undefined> {
  const base = await ahead.base();
  if (isProblem(base)) return base;
  notes.push(phrase(base));
  const head = { report: reportOf(plain.run), durationMs: plain.run.ended.durationMs };
  const [ofBase, ofChange] = await Promise.all([
    lessThanBase(suite, ahead, base, held, head, notes),
    held.has('red-on-base')
      ? evidenceOfChange(suite, base.report, without(head, byText), notes, shows, ahead.red)
      : undefined,
  ]);
  return ofBase ?? ofChange;
}

const without = <T extends { readonly report: Report }>(head: T, ids: ReadonlySet<string>): T => ({
  ...head,
  report: { ...head.report, tests: head.report.tests.filter(({ id }) => !ids.has(id)) },
});

/** What base had and the work has not; a signed change of a test file is somebody else's to agree to, and excuses that file. */
async function lessThanBase(
  suite: Suite,
  ahead: Ahead,
  base: BaseRun,
  held: ReadonlySet<Control>,
  head: Parameters<typeof censusProblem>[1],
  notes: string[],
): Promise<Problem | undefined> {
  const excused = await excusedTests(suite, base.report);
  if (isProblem(excused)) return excused;
  const signed = suite.work.touchedTests.filter(({ path }) => suite.context.signed.has(path)).length;
  if (signed > 0)
    notes.push(`${signed} changed test files of base were signed off; ${excused.size} tests went with them`);
  const census = held.has('census') ? censusProblem(base, head, excused) : undefined;
  return (
    census ??
    (held.has('base-tests')
      ? baseTests(suite, base.report, head.report, excused, notes, ahead.restored)
      : undefined)
  );
}
