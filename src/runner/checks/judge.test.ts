import { describe, expect, it } from 'vitest';
import type { ProcessResult } from '../process.ts';
import type { Report, TestCase } from '../report.ts';
import { countsOf, judgeEnd, judgeExit, judgeMissing, judgeReport } from './judge.ts';

const tests = (...outcomes: TestCase['outcome'][]): readonly TestCase[] =>
  outcomes.map((outcome, index) => ({ id: `${index}`, name: `n${index}`, outcome }));
const report = (complete: boolean, ...outcomes: TestCase['outcome'][]): Report => ({
  complete,
  tests: tests(...outcomes),
});

/** What programs are told, by the name of the case. */
const reasons: Readonly<Record<string, string>> = {
  'all passed': '',
  'some skipped': '',
  'a failure': 'test-failed',
  'a failure at exit code 0': 'run-incomplete',
  'a failure in a broken report': 'run-incomplete',
  'no failure at exit code 1': 'exit-code',
  'an early end': 'run-incomplete',
  'no test': 'too-few-tests',
  'only skipped tests': 'too-few-tests',
  'too few tests': 'too-few-tests',
  'no report': 'not-told',
  'no report and a failure': 'run-incomplete',
};

describe('judgeReport', () => {
  it.each([
    ['all passed', 0, report(true, 'passed', 'passed'), 1, 'pass', '2 of 2 tests passed'],
    [
      'some skipped',
      0,
      report(true, 'passed', 'skipped', 'todo'),
      1,
      'pass',
      '1 of 3 tests passed, 2 skipped',
    ],
    ['a failure', 1, report(true, 'passed', 'failed', 'failed'), 1, 'fail', '2 of 3 tests failed: n1, n2'],
    [
      'a failure at exit code 0',
      0,
      report(true, 'passed', 'failed'),
      1,
      'fail',
      '1 of 2 tests failed: n1; the exit code 0 says otherwise',
    ],
    [
      'a failure in a broken report',
      1,
      report(false, 'failed'),
      1,
      'fail',
      '1 of 1 tests failed: n0; the report is incomplete',
    ],
    [
      'no failure at exit code 1',
      1,
      report(true, 'passed'),
      1,
      'fail',
      'exit code and report disagree: exit code 1, no failed test among 1',
    ],
    [
      'an early end',
      0,
      report(false, 'passed'),
      1,
      'fail',
      'the report is incomplete (1 tests passed): the run ended early or disagrees with itself',
    ],
    ['no test', 0, report(true), 1, 'fail', 'zero tests ran'],
    ['only skipped tests', 0, report(true, 'skipped', 'todo'), 1, 'fail', 'zero tests ran (2 skipped)'],
    [
      'too few tests',
      0,
      report(true, 'passed', 'skipped'),
      2,
      'fail',
      '1 tests ran, at least 2 are required',
    ],
    ['no report', 0, undefined, 1, 'indeterminate', 'exit code 0, but there is no report that can be read'],
    [
      'no report and a failure',
      2,
      undefined,
      1,
      'fail',
      'exit code 2, and there is no report that can be read',
    ],
  ] as const)('%s', (name, exitCode, found, min, outcome, explanation) => {
    expect(judgeReport(exitCode, found, min)).toEqual({ outcome, explanation, reason: reasons[name] });
  });

  it('never passes but for a whole report, exit code 0, enough passed and no failed test', () => {
    const outcomes = ['passed', 'failed', 'skipped', 'todo'] as const;
    for (const exitCode of [0, 1]) {
      for (const complete of [true, false]) {
        for (const a of outcomes) {
          for (const b of outcomes) {
            const sound =
              exitCode === 0 && complete && [a, b].includes('passed') && ![a, b].includes('failed');
            expect(judgeReport(exitCode, report(complete, a, b), 1).outcome === 'pass').toBe(sound);
          }
        }
      }
    }
  });
});

describe('judgeEnd', () => {
  const end = (more: Partial<ProcessResult>): ProcessResult => ({
    exitCode: 0,
    signal: null,
    timedOut: false,
    overflowed: false,
    aborted: false,
    notFound: false,
    durationMs: 1,
    stdout: Buffer.alloc(0),
    stderr: Buffer.alloc(0),
    output: Buffer.alloc(0),
    ...more,
  });
  it.each([
    [{ notFound: true }, 'indeterminate'],
    [{ aborted: true }, 'indeterminate'],
    [{ timedOut: true }, 'fail'],
    [{ overflowed: true }, 'fail'],
    [{ exitCode: null, signal: 'SIGSEGV' }, 'fail'],
    [{ exitCode: null, signal: 'SIGKILL' }, 'indeterminate'],
    [{ exitCode: null, signal: 'SIGTERM' }, 'indeterminate'],
    [{ exitCode: null }, 'indeterminate'],
  ] as const)('%j', (more, outcome) => {
    expect(judgeEnd(end(more), 'p', 1000, 10)?.outcome).toBe(outcome);
  });
  it.each([
    [['python3', '-m', 'pytest', '-q'], '/usr/bin/python3: No module named pytest\n', true],
    [['/o/venv/bin/python3.12', '-m', 'pytest'], '/o/venv/bin/python3.12: No module named pytest\n', true],
    [['python3', '-m', 'pytest'], "ModuleNotFoundError: No module named 'pytest'\n", false],
    [['python3', '-m', 'pytest'], '/usr/bin/python3: No module named acme\n', false],
    [['make', 'test'], '/bin/sh: 1: pytest: not found\nmake: *** [Makefile:2: test] Error 127\n', true],
    [['make', 'test'], 'no such test\nmake: *** [Makefile:2: test] Error 1\n', false],
    [
      ['node', './node_modules/.bin/vitest'],
      "Error: Cannot find module '/w/node_modules/.bin/vitest'\n",
      true,
    ],
    [['node', '--test'], "Error: Cannot find module '/w/node_modules/left/x.js'\n", false],
    [['node', 'node_modules/a/b.js'], "Error: Cannot find module '/w/src/b.js'\n", false],
  ] as const)('%j that says %j', (argv, said, isMissing) => {
    const ended = end({ exitCode: 1, stderr: Buffer.from(said) });
    expect(judgeMissing(argv, ended)?.outcome).toBe(isMissing ? 'indeterminate' : undefined);
    expect(judgeMissing(argv, end({ stderr: Buffer.from(said) }))).toBeUndefined();
  });
  it('shows what was said last', () => {
    const said = Buffer.from('usage\n\u001b[31mcould not start\u001b[0m\n\n');
    const what = 'there is no report that can be read; the last line says: could not start';
    expect(judgeReport(1, undefined, 1, said).explanation).toBe(`exit code 1, and ${what}`);
    expect(judgeEnd(end({ exitCode: 127, stderr: said }), 'sh', 1000, 10)?.explanation).toMatch(
      /cannot be run; the last line says: could not start$/,
    );
  });
  it('leaves an exit code to be judged', () => {
    expect(judgeEnd(end({ exitCode: 1 }), 'p', 1000, 10)).toBeUndefined();
    expect([judgeExit(0).outcome, judgeExit(1).outcome]).toEqual(['pass', 'fail']);
  });
});

describe('countsOf', () => {
  it('adds up and names at most twenty', () => {
    const counts = countsOf({
      complete: true,
      tests: [...tests('passed', 'skipped', 'todo'), ...tests(...Array(30).fill('failed'))],
    });
    expect(counts).toMatchObject({ total: 33, passed: 1, failed: 30, skipped: 2 });
    expect(counts.failedNames).toHaveLength(20);
  });
});
