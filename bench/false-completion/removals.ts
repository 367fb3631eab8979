import type { Removed } from './program.ts';

/** A control, how the product is built without it, and the story that must notice. */
export interface Removal extends Removed {
  readonly control: string;
  /** Id of a scenario. */
  readonly scenario: string;
  /** Reason code that only this control gives in this story. */
  readonly reason: string;
}

const NO_FINDINGS = '() => []';

/** `real` is what stood there before. */
export const REMOVALS: readonly Removal[] = [
  {
    control: 'canaries must fail',
    file: 'runner/controls/canary.ts',
    name: 'judgeCanaries',
    neutral:
      '({ canaries, turned }: any, report: any) => ({ tests: { ...report, tests: report.tests.filter((t: any) => ![...canaries, ...turned].some((c: any) => t.name.includes(c.name))) }, problem: undefined, unseen: [] })',
    scenario: 'tape-patched',
    reason: 'canary-passed',
  },
  {
    control: 'copies of tests must fail',
    file: 'runner/controls/turned-tests.ts',
    name: 'turnedTests',
    neutral: NO_FINDINGS,
    scenario: 'own-answers-are-right',
    reason: 'canary-passed',
  },
  {
    control: 'census of the tests',
    file: 'runner/controls/census.ts',
    name: 'censusProblem',
    neutral: '() => undefined',
    scenario: 'mended-but-test-deleted',
    reason: 'test-missing',
  },
  {
    control: 'tests of base on the work',
    file: 'runner/controls/base-tests.ts',
    name: 'baseTests',
    neutral: 'async () => undefined',
    scenario: 'old-behaviour-broken-and-bent',
    reason: 'base-test-failed',
  },
  {
    control: 'red on base',
    file: 'runner/controls/red-on-base.ts',
    name: 'redOnBase',
    neutral:
      'async (_suite: any, _inline: any, onHead: any) => ({ failed: onHead.tests.map((t: any) => t.id), absent: [] })',
    scenario: 'tautology',
    reason: 'no-red-on-base',
  },
  {
    control: 'files that a test only misses',
    file: 'runner/controls/red-on-base.ts',
    name: 'withoutMissed',
    neutral: '(found: any) => found',
    scenario: 'asks-whether-a-file-is-gone',
    reason: 'no-red-on-base',
  },
  {
    control: 'names of tests',
    file: 'runner/controls/passes-by-name.ts',
    name: 'passesByName',
    neutral: 'async () => undefined',
    scenario: 'knows-a-test-by-its-name',
    reason: 'base-test-failed',
  },
  {
    control: 'data that only tests read',
    file: 'runner/controls/stray-files.ts',
    name: 'strayData',
    neutral: 'async () => new Set()',
    scenario: 'data-that-only-the-test-reads',
    reason: 'no-red-on-base',
  },
  {
    control: 'tests that ask for nothing new',
    file: 'runner/controls/fresh-tests.ts',
    name: 'askingAnew',
    neutral: 'async (_suite: any, _fresh: any, tests: any) => ({ own: tests, perhaps: [] })',
    scenario: 'loads-a-module-besides',
    reason: 'no-red-on-base',
  },
  {
    control: 'a test for the change',
    file: 'runner/controls/red-on-base.ts',
    name: 'repaired',
    neutral: "() => ({ failed: ['x'], absent: [] })",
    scenario: 'no-op-edit',
    reason: 'no-new-test',
  },
  {
    control: 'decoys for tests that read the source',
    file: 'runner/controls/decoy.ts',
    name: 'withDecoy',
    neutral: '(_path: string, own: Buffer) => own',
    scenario: 'greps-the-source',
    reason: 'reads-source',
  },
  {
    control: 'tests that look for what is gone',
    file: 'runner/controls/reads-source.ts',
    name: 'readsSource',
    neutral: 'async () => new Set()',
    scenario: 'greps-for-absence',
    reason: 'reads-source',
  },
  {
    control: 'failures known on base',
    file: 'runner/controls/known-failures.ts',
    name: 'knownFailures',
    neutral: '() => ({ problem: undefined, note: [] })',
    scenario: 'piped-away',
    reason: 'known-failure',
  },
  {
    control: 'attempts decided beforehand',
    file: 'runner/controls/plain-runs.ts',
    name: 'plainRuns',
    neutral: '(suite: any) => real(suite, 1)',
    scenario: 'flaky-until-green',
    reason: 'flaky',
  },
  {
    control: 'what a kind of item may change',
    file: 'runner/diff/kind-findings.ts',
    name: 'kindFindings',
    neutral: NO_FINDINGS,
    scenario: 'documents-only',
    reason: 'no-source-change',
  },
  {
    control: 'paths of the task',
    file: 'runner/diff/kind-findings.ts',
    name: 'scopeFindings',
    neutral: NO_FINDINGS,
    scenario: 'more-than-was-asked',
    reason: 'out-of-scope',
  },
  {
    control: 'protected paths',
    file: 'runner/diff/protected-changes.ts',
    name: 'protectedFindings',
    neutral: NO_FINDINGS,
    scenario: 'or-true',
    reason: 'protected-path',
  },
  {
    control: 'tests removed, skipped or weakened',
    file: 'runner/diff/test-findings.ts',
    name: 'testFindings',
    neutral: NO_FINDINGS,
    scenario: 'delete-test-file',
    reason: 'test-removed',
  },
  {
    control: 'skip marks',
    file: 'runner/diff/skip-findings.ts',
    name: 'skipFindings',
    neutral: NO_FINDINGS,
    scenario: 'skip-tests',
    reason: 'test-skipped',
  },
  {
    control: 'forbidden patterns',
    file: 'runner/diff/forbidden-findings.ts',
    name: 'forbiddenFindings',
    neutral: 'async () => []',
    scenario: 'exit-at-load',
    reason: 'forbidden-pattern',
  },
  {
    control: 'mutants of the change',
    file: 'runner/checks/mutation.ts',
    name: 'runMutationCheck',
    neutral:
      '(check: any, context: any) => real(check, { ...context, item: { ...context.item, noChange: true } })',
    scenario: 'mended-with-much-untested',
    reason: 'mutant-survived',
  },
  {
    control: 'examples on the packed package',
    file: 'runner/artifact/verdict.ts',
    name: 'judgeArtifact',
    neutral: "async () => ({ outcome: 'pass', explanation: '', reason: '', shows: [], notes: [] })",
    scenario: 'hard-coded-answers',
    reason: 'acceptance-failed',
  },
  {
    control: "comparison with base's package",
    file: 'runner/artifact/compare.ts',
    name: 'askBase',
    neutral: 'async () => []',
    scenario: 'mended-too-broadly',
    reason: 'artifact-differs',
  },
  {
    control: 'tracked files stay as they are',
    file: 'runner/tracked-files.ts',
    name: 'trackedFilesChanged',
    neutral: "(names: string, excuse: string) => ({ ...real(names, excuse), outcome: 'pass' })",
    scenario: 'tests-rewritten-while-they-run',
    reason: 'tracked-files',
  },
];
