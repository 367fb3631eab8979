import type { ReportFormat } from '../../src/runner/parsers/index.ts';
import { pytestWriters } from './pytest-writers.ts';
import { has, number, type Told, type Writer } from './writer.ts';

const tapLines = (listed: readonly Told[], counted: readonly Told[]) =>
  listed.map((test) => {
    const at = counted.indexOf(test) + 1;
    if (test.outcome !== 'failed')
      return `ok ${at} - ${test.name}${test.outcome === 'skipped' ? ' # SKIP' : ''}`;
    return `not ok ${at} - ${test.name}\n  ---\n  error: 'expected 1'\n  code: 'ERR_ASSERTION'\n  ...`;
  });

const tap: Writer = (listed, counted) =>
  `TAP version 13\n${tapLines(listed, counted).join('\n')}\n1..${counted.length}\n`;

const tapPlanFirst: Writer = (listed, counted) =>
  `TAP version 14\n1..${counted.length + 1}\n${tapLines(listed, counted).join('\n')}\n# Subtest: inner\n    ok 1 - deep\n    1..1\nok ${counted.length + 1} - inner\n`;

/** The reporter `tap` of vitest: what belongs to a file or a suite follows it in braces. */
const tapBraces: Writer = (listed, counted) => {
  const ok = has(counted, 'failed') ? 'not ok' : 'ok';
  const within = (lines: string) => lines.replace(/^(?=.)/gm, '    ');
  const own = `1..${counted.length}\n${tapLines(listed, counted).join('\n')}\n`;
  const suite = `1..2\n${ok} 1 - s # time=1.48ms {\n${within(own)}}\nok 2 - last {one # time=0.10ms\n`;
  return `TAP version 13\n1..1\n${ok} 1 - v.test.mjs # time=3.84ms {\n${within(suite)}}\n`;
};

const nodeSums = (counted: readonly Told[], suites: number, more: number) =>
  `# tests ${counted.length + more}\n# suites ${suites}\n# pass ${number(counted, 'passed') + more}\n# fail ${number(counted, 'failed')}\n# cancelled 0\n# skipped ${number(counted, 'skipped')}\n# todo 0\n# duration_ms 81.83\n`;

const node: Writer = (listed, counted) => `${tap(listed, counted)}${nodeSums(counted, 0, 0)}`;

/** A suite, which is no test, and a test with a subtest: two of them. */
const nodeNested: Writer = (listed, counted) => {
  const own = [...tapLines(listed, counted), `1..${counted.length}`].join('\n').replace(/^/gm, '    ');
  const suite = `# Subtest: s\n${own}\n${has(counted, 'failed') ? 'not ok' : 'ok'} 1 - s\n  ---\n  duration_ms: 4.5\n  type: 'suite'\n  ...\n`;
  const parent = `# Subtest: p\n    # Subtest: k\n    ok 1 - k\n      ---\n      duration_ms: 0.1\n      ...\n    1..1\nok 2 - p\n  ---\n  duration_ms: 0.7\n  ...\n`;
  return `TAP version 13\n${suite}${parent}1..2\n${nodeSums(counted, 1, 2)}`;
};

const junit: Writer = (listed, counted) => {
  const cases = listed.map(({ name, outcome }) => {
    const start = `<testcase classname="a.test" name="${name}" time="0.001"`;
    if (outcome === 'passed') return `${start}/>`;
    return outcome === 'skipped'
      ? `${start}><skipped/></testcase>`
      : `${start}><failure message="assert 1 == 2">E assert\n</failure></testcase>`;
  });
  const sums = `tests="${counted.length}" failures="${number(counted, 'failed')}" errors="0" skipped="${number(counted, 'skipped')}"`;
  return `<?xml version="1.0" encoding="utf-8"?>\n<testsuites ${sums}>\n<testsuite name="s" ${sums}>\n${cases.join('\n')}\n</testsuite>\n</testsuites>\n`;
};

const ctrf: Writer = (listed, counted) =>
  JSON.stringify({
    reportFormat: 'CTRF',
    results: {
      tool: { name: 't' },
      summary: {
        tests: counted.length,
        passed: number(counted, 'passed'),
        failed: number(counted, 'failed'),
        skipped: number(counted, 'skipped'),
        pending: 0,
        other: 0,
      },
      tests: listed.map(({ name, outcome }) => ({ name, status: outcome, duration: 1, suite: ['s'] })),
    },
  });

const jest: Writer = (listed, counted) =>
  JSON.stringify({
    numFailedTests: number(counted, 'failed'),
    numPassedTests: number(counted, 'passed'),
    numPendingTests: number(counted, 'skipped'),
    numTotalTests: counted.length,
    success: !has(counted, 'failed'),
    testResults: [
      {
        assertionResults: listed.map(({ name, outcome }) => ({
          ancestorTitles: ['s'],
          failureMessages: outcome === 'failed' ? ['Error: expected 1'] : [],
          fullName: `s ${name}`,
          status: outcome === 'skipped' ? 'pending' : outcome,
          title: name,
        })),
        name: '/p/a.test.js',
        status: has(counted, 'failed') ? 'failed' : 'passed',
      },
    ],
  });

const mocha: Writer = (listed, counted) => {
  const list = (outcome: Told['outcome']) =>
    listed
      .filter((test) => test.outcome === outcome)
      .map(({ name }) => ({ title: name, fullTitle: `s ${name}`, file: '/p/a.js', err: {} }));
  const stats = {
    suites: 1,
    tests: counted.length,
    passes: number(counted, 'passed'),
    pending: number(counted, 'skipped'),
    failures: number(counted, 'failed'),
  };
  return JSON.stringify(
    { stats, pending: list('skipped'), failures: list('failed'), passes: list('passed') },
    null,
    2,
  );
};

const actions = { passed: 'pass', failed: 'fail', skipped: 'skip' } as const;
const go: Writer = (listed, counted) => {
  const event = (Action: string, Test?: string) =>
    JSON.stringify({ Time: '2026-01-01T00:00:00Z', Action, Package: 'p', Test, Elapsed: 0.1 });
  const lines = counted.flatMap((test) => [
    event('run', test.name),
    ...(listed.includes(test) ? [event(actions[test.outcome], test.name)] : []),
  ]);
  return `${[event('start'), ...lines, event(has(counted, 'failed') ? 'fail' : 'pass')].join('\n')}\n`;
};

const words = { passed: 'ok', failed: 'FAILED', skipped: 'ignored' } as const;
const cargo: Writer = (listed, counted) => {
  const lines = listed.map(
    ({ name, outcome }) => `test m::${name.replaceAll(' ', '_')} ... ${words[outcome]}`,
  );
  const sums = `${number(counted, 'passed')} passed; ${number(counted, 'failed')} failed; ${number(counted, 'skipped')} ignored; 0 measured; 0 filtered out`;
  return `\nrunning ${counted.length} tests\n${lines.join('\n')}\n\ntest result: ${has(counted, 'failed') ? 'FAILED' : 'ok'}. ${sums}; finished in 0.01s\n\n`;
};

export const writers: Readonly<Record<ReportFormat, readonly Writer[]>> = {
  tap: [tap, tapPlanFirst, tapBraces],
  node: [node, nodeNested],
  junit: [junit],
  ctrf: [ctrf],
  vitest: [jest],
  jest: [jest],
  mocha: [mocha],
  go: [go],
  cargo: [cargo],
  pytest: pytestWriters,
};
