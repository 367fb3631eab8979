import type { Shown } from '../checks/check.ts';
import { isKilled } from '../checks/killed.ts';
import type { Ahead } from './ahead.ts';
import type { BaseRun } from './base-run.ts';
import { baseTests } from './base-tests.ts';
import { type CanaryRun, readsSource } from './canary-run.ts';
import { censusProblem } from './census.ts';
import { evidenceOfChange } from './evidence-of-change.ts';
import { knownFailures } from './known-failures.ts';
import { passesByName } from './passes-by-name.ts';
import type { Plain } from './plain-runs.ts';
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
  const problem =
    (await ofFailures(check, ahead, held, plain, notes)) ??
    (held.has('canary')
      ? await ofCanaries(suite, held, { plain, canaried, ahead }, notes, shows)
      : undefined) ??
    (comparesWithBase(held) ? await compared(suite, ahead, held, plain, notes, shows) : undefined);
  return { problem, notes, shows };
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
  held: ReadonlySet<Control>,
  { plain, canaried, ahead }: Runs,
  notes: string[],
  shows: Shown[],
): Promise<Problem | undefined> {
  if (isProblem(canaried)) return canaried;
  if (canaried.planted > 0) {
    shows.push('canary');
    notes.push(
      `${canaried.planted} canaries failed, as they must, and none of ${canaried.copies} copies of tests that expect something else passed`,
    );
  } else notes.push('no canary: the report format can host none, or no file that defines tests was found');
  const report = reportOf(plain.run);
  return (
    (await readsSource(suite, report, canaried)) ??
    (held.has('base-tests') ? await passesByName(suite, report, canaried, ahead.base) : undefined)
  );
}

const phrase = ({ report, reused }: BaseRun) =>
  `base: ${report.tests.length} tests${reused ? ', from an earlier run of the same tree and command' : ''}`;

/** What only a look at base can tell; the notes and what is shown are filled in on the way. */
async function compared(
  suite: Suite,
  ahead: Ahead,
  held: ReadonlySet<Control>,
  plain: Plain,
  notes: string[],
  shows: Shown[],
): Promise<Problem | undefined> {
  const base = await ahead.base();
  if (isProblem(base)) return base;
  notes.push(phrase(base));
  const head = { report: reportOf(plain.run), durationMs: plain.run.ended.durationMs };
  const [ofBase, ofChange] = await Promise.all([
    lessThanBase(suite, ahead, base, held, head, notes),
    held.has('red-on-base') ? evidenceOfChange(suite, base.report, head, notes, shows, ahead.red) : undefined,
  ]);
  return ofBase ?? ofChange;
}

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
