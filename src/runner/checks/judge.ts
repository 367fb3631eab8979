import type { ProcessResult } from '../process.ts';
import { countOf, type Report, type TestCase } from '../report.ts';
import type { CheckResult, TestCounts } from './check.ts';
import { isProgramMissing, lastLine } from './missing-program.ts';

export type Judgement = Pick<CheckResult, 'outcome' | 'explanation' | 'reason'>;

/** Undefined when the program ended by itself, with an exit code to be judged. */
export function judgeEnd(
  result: ProcessResult,
  program: string,
  timeoutMs: number,
  maxOutput: number,
): Judgement | undefined {
  if (result.aborted) return open('the run was aborted');
  if (result.notFound) return open(`program not found: ${program}`);
  if (result.timedOut) return failed(`took longer than ${timeoutMs / 1000} s and was ended`);
  if (result.overflowed) return failed(`wrote more than ${maxOutput} bytes and was ended`);
  if (result.signal !== null) {
    return crashes.has(result.signal)
      ? failed(`crashed with ${result.signal}`)
      : open(`was killed by ${result.signal}`);
  }
  // What shells and script runners say where the program that they were to start is not there, or cannot be started.
  if (result.exitCode === 127 || result.exitCode === 126)
    return open(
      `exit code ${result.exitCode}: a program that ${program} starts is missing here, or cannot be run${quoted(result.stderr)}`,
    );
  return result.exitCode === null ? open('ended without an exit code') : undefined;
}

/** Undefined where the test program was there, or told something itself; without it nothing is known about the work. */
export function judgeMissing(argv: readonly string[], ended: ProcessResult): Judgement | undefined {
  if (ended.exitCode === 0 || !isProgramMissing(argv, ended)) return undefined;
  return open(
    `exit code ${ended.exitCode}: what was to run is missing here, in the environment of the checks${quoted(ended.stderr)}`,
  );
}

function quoted(output: Buffer): string {
  const line = lastLine(output);
  return line === '' ? '' : `; the last line says: ${line}`;
}

/** Signals that a program brings on itself; any other was sent by somebody. */
export const crashes: ReadonlySet<string> = new Set([
  'SIGSEGV',
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGILL',
  'SIGTRAP',
  'SIGSYS',
]);

/** Without a report the exit code is all there is. */
export const judgeExit = (exitCode: number): Judgement =>
  exitCode === 0
    ? { outcome: 'pass', explanation: 'exit code 0', reason: '' }
    : failed(`exit code ${exitCode}`, 'exit-code');

/**
 * Exit code and report must agree, and the report must be whole. A report that never came, at exit code 0, may be a
 * mistake in the criteria: that is indeterminate. One that contradicts itself is a run that ended early: that fails.
 */
export function judgeReport(
  exitCode: number,
  report: Report | undefined,
  minTests: number,
  output: Buffer = Buffer.alloc(0),
): Judgement {
  if (report === undefined) {
    const what = `there is no report that can be read${quoted(output)}`;
    return exitCode === 0
      ? open(`exit code 0, but ${what}`)
      : failed(`exit code ${exitCode}, and ${what}`, 'run-incomplete');
  }
  const { tests, complete } = report;
  if (tests.some(({ outcome }) => outcome === 'failed')) return judgeFailures(exitCode, report);
  const passed = countOf(tests, 'passed');
  if (!complete)
    return failed(
      `the report is incomplete (${passed} tests passed): the run ended early or disagrees with itself`,
      'run-incomplete',
    );
  if (exitCode !== 0)
    return failed(
      `exit code and report disagree: exit code ${exitCode}, no failed test among ${tests.length}`,
      'exit-code',
    );
  return judgeCount(passed, tests.length, minTests);
}

function judgeFailures(exitCode: number, { tests, complete }: Report): Judgement {
  const failures = tests.filter(({ outcome }) => outcome === 'failed');
  const note =
    exitCode === 0 ? '; the exit code 0 says otherwise' : complete ? '' : '; the report is incomplete';
  return failed(
    `${failures.length} of ${tests.length} tests failed: ${namesOf(failures, 5)}${note}`,
    note === '' ? 'test-failed' : 'run-incomplete',
  );
}

function judgeCount(passed: number, total: number, minTests: number): Judgement {
  if (passed === 0)
    return failed(`zero tests ran${total === 0 ? '' : ` (${total} skipped)`}`, 'too-few-tests');
  if (passed < minTests)
    return failed(`${passed} tests ran, at least ${minTests} are required`, 'too-few-tests');
  return {
    outcome: 'pass',
    explanation: `${passed} of ${total} tests passed${skippedNote(total - passed)}`,
    reason: '',
  };
}

/** The figures of a report, for the record. */
export function countsOf(report: Report): TestCounts {
  const [passed, failures] = [
    countOf(report.tests, 'passed'),
    report.tests.filter(({ outcome }) => outcome === 'failed'),
  ];
  return {
    total: report.tests.length,
    passed,
    failed: failures.length,
    skipped: report.tests.length - passed - failures.length,
    failedNames: failures.slice(0, 20).map(({ name }) => short(name)),
  };
}

const skippedNote = (count: number) => (count === 0 ? '' : `, ${count} skipped`);
const short = (name: string) =>
  (name.length > 200 ? `${name.slice(0, 199)}…` : name).replace(/\p{Cc}/gu, ' ');
const namesOf = (tests: readonly TestCase[], max: number) =>
  [...tests.slice(0, max).map(({ name }) => short(name)), ...(tests.length > max ? ['…'] : [])].join(', ');
const failed = (explanation: string, reason = 'run-incomplete'): Judgement => ({
  outcome: 'fail',
  explanation,
  reason,
});
const open = (explanation: string): Judgement => ({
  outcome: 'indeterminate',
  explanation,
  reason: 'not-told',
});
