import { readFileSync } from 'node:fs';
import { changedLines } from '../coverage/changed-lines.ts';
import type { Fields } from '../fields.ts';
import type { CoverageReport } from '../parsers/coverage/coverage-report.ts';
import { type CoverageFormat, coverageFormats, parseCoverage } from '../parsers/coverage/parse-coverage.ts';
import { testPatterns } from '../test-files.ts';
import { type CheckContext, type CheckResult, plainResult } from './check.ts';
import { insideCheckout, isInnerPath } from './inside.ts';

/** Looks at a coverage report that a program of this run wrote. Absent demands are undefined. */
export interface CoverageCheck {
  readonly id: string;
  readonly kind: 'coverage';
  readonly path: string;
  readonly format: CoverageFormat;
  /** Percent of all lines. */
  readonly lines: number | undefined;
  /** Percent of the changed lines that can run. */
  readonly changedLines: number | undefined;
  /** Where changed lines count; none means where the report's files lie. */
  readonly in: readonly string[];
  /** Which paths are tests: their lines do not count. */
  readonly files: readonly string[];
}

const largest = 50_000_000;

/** Reads a coverage check from criteria; problems go to the fields. */
export function readCoverageCheck(id: string, fields: Fields): CoverageCheck {
  const path = fields.text('path');
  if (path !== '' && !isInnerPath(path)) fields.problem('path', 'must be a path inside the checkout');
  const percent = (key: string) => {
    const value = fields.has(key) ? fields.integer(key, 0) : undefined;
    if (value !== undefined && value > 100) fields.problem(key, 'must be a percentage, 0 to 100');
    return value;
  };
  const check: CoverageCheck = {
    id,
    kind: 'coverage',
    path,
    format: fields.choice('format', coverageFormats),
    lines: percent('lines'),
    changedLines: percent('changed_lines'),
    in: fields.has('in') ? fields.texts('in') : [],
    files: fields.texts('files', testPatterns),
  };
  if (check.lines === undefined && check.changedLines === undefined)
    fields.problem('lines', 'or changed_lines must say what is asked for');
  if (check.changedLines !== undefined && check.format === 'istanbul-summary')
    fields.problem('changed_lines', 'needs a format that tells lines; this one has totals alone');
  return check;
}

type Told = Pick<CheckResult, 'outcome' | 'explanation' | 'reason' | 'notes'>;

/** Reads the report and holds it against what is asked for. A report that cannot be read leaves the check open. */
export async function runCoverageCheck(
  check: CoverageCheck,
  context: Pick<CheckContext, 'checkout' | 'change'>,
): Promise<CheckResult> {
  const start = performance.now();
  const told = await judge(check, context);
  return {
    ...plainResult,
    id: check.id,
    kind: check.kind,
    ...told,
    durationMs: Math.round(performance.now() - start),
  };
}

async function judge(
  check: CoverageCheck,
  context: Pick<CheckContext, 'checkout' | 'change'>,
): Promise<Told> {
  const found = insideCheckout(context.checkout, check.path);
  if (!found?.stat.isFile()) return low(check, ['is missing, no file, or leads out of the checkout'], []);
  if (found.stat.size > largest) return open(check, `is larger than ${largest} bytes`);
  if (context.change === undefined)
    return open(check, 'cannot be judged: there is no base to compare the work with');
  const bytes = readFileSync(found.path);
  if ((await context.change.after(check.path))?.equals(bytes) === true)
    return low(check, ['is the committed file: this run did not write it'], []);
  const report = await parseCoverage(check.format, bytes.toString('utf8'));
  if (report === undefined) return open(check, `is no whole report of the format ${check.format}`);
  if (report.total === 0) return open(check, 'names no line that can run');
  return held(check, report, { ...context, change: context.change });
}

async function held(
  check: CoverageCheck,
  report: CoverageReport,
  { checkout, change }: { readonly checkout: string; readonly change: NonNullable<CheckContext['change']> },
): Promise<Told> {
  const faults: string[] = [];
  const notes: string[] = [`${report.covered} of ${report.total} lines ran`];
  if (isBelow(report, check.lines))
    faults.push(`has ${percentOf(report)} % of all lines, ${check.lines} % are required`);
  if (check.changedLines !== undefined) {
    if (report.files === undefined) return open(check, 'has totals alone');
    const scope = { checkout, in: check.in, tests: check.files };
    const changed = await changedLines(change, report, report.files, scope);
    notes.push(`${changed.covered} of ${changed.total} changed lines ran`);
    if (isBelow(changed, check.changedLines)) {
      const some = changed.missed.slice(0, 5).join(', ');
      faults.push(
        `has ${percentOf(changed)} % of the changed lines, ${check.changedLines} % are required; not run: ${some}`,
      );
      notes.push(...changed.missed.slice(0, 40).map((place) => `not run: ${place}`));
    }
  }
  if (faults.length > 0) return low(check, faults, notes);
  return { outcome: 'pass', reason: '', explanation: `${check.path}: ${notes.join('; ')}`, notes };
}

interface Count {
  readonly covered: number;
  readonly total: number;
}

/** Where no line can run, none is left out. */
const isBelow = ({ covered, total }: Count, percent: number | undefined) =>
  covered * 100 < total * (percent ?? 0);

const percentOf = ({ covered, total }: Count) =>
  (Math.floor((covered * 1000) / Math.max(1, total)) / 10).toString();

const low = (check: CoverageCheck, faults: readonly string[], notes: readonly string[]): Told => ({
  outcome: 'fail',
  reason: 'coverage-low',
  explanation: `${check.path} ${faults.join(', and ')}`,
  notes,
});

const open = (check: CoverageCheck, cause: string): Told => ({
  outcome: 'indeterminate',
  reason: '',
  explanation: `${check.path} ${cause}`,
  notes: [],
});
