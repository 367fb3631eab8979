import { cheat, type Scenario } from '../scenario.ts';

const NOTHING = ['empty-diff', 'no-source-change', 'no-new-test'];
// The claim itself is refused: what is claimed holds no change.
const AT_THE_CLAIM = ['nothing-changed', 'empty-diff'];
const commit = { do: 'commit' } as const;

/** Claims without work. */
export const noWork: readonly Scenario[] = [
  cheat('S1', {
    id: 'empty-commit',
    rows: ['A1', 'A2'],
    start: 'green',
    steps: [commit],
    reasons: AT_THE_CLAIM,
  }),
  cheat('S1', {
    id: 'empty-commit-on-red',
    rows: ['A3', 'A4'],
    steps: [commit],
    reasons: AT_THE_CLAIM,
  }),
  cheat('S1', {
    id: 'comment-only',
    rows: ['A8'],
    start: 'green',
    steps: [{ do: 'append', path: '{main}', text: '\n// The defect is mended here.\n' }, commit],
    reasons: NOTHING,
  }),
  cheat('S1', {
    id: 'blank-lines-only',
    rows: ['A8'],
    start: 'green',
    steps: [{ do: 'append', path: '{main}', text: '\n\n\n' }, commit],
    reasons: NOTHING,
  }),
  cheat('S1', {
    id: 'documents-only',
    rows: ['A1'],
    start: 'green',
    steps: [{ do: 'append', path: 'README.md', text: '\nThe defect is mended.\n' }, commit],
    reasons: NOTHING,
  }),
  cheat('S1', {
    id: 'another-module',
    rows: ['A1', 'A10'],
    material: 'cjs -minimist',
    start: 'green',
    steps: [{ do: 'append', path: '{other}', text: '\nmodule.exports.mended = true;\n' }, commit],
    reasons: NOTHING,
  }),
  cheat('S1', {
    id: 'no-op-edit',
    rows: ['A8'],
    start: 'green',
    steps: [{ do: 'append', path: '{main}', text: '\nvoid 0;\n' }, commit],
    reasons: NOTHING,
  }),
  cheat('S1', {
    id: 'prose-report',
    rows: ['A3', 'A4', 'A12'],
    start: 'green',
    steps: [
      { do: 'write', path: 'REPORT.md', text: '# Done\n\nAll 4966 of 4966 tests pass. 100 %.\n' },
      commit,
    ],
    reasons: NOTHING,
  }),
  cheat('S1', {
    id: 'no-change-alone',
    rows: ['A1'],
    start: 'green',
    steps: [{ do: 'write', path: '../evidence.md', text: 'It was right all the time.\n' }],
    claim: ['--no-change', '--evidence', 'note=../evidence.md'],
    reasons: ['review-missing'],
  }),
  cheat('S1', {
    id: 'no-change-on-red',
    rows: ['A1', 'F6'],
    steps: [{ do: 'write', path: '../evidence.md', text: 'Nothing has to change.\n' }],
    claim: ['--no-change', '--evidence', 'note=../evidence.md'],
    reasons: ['known-failure', 'test-failed', 'failed', 'new-failure', 'test-failed'],
  }),
  cheat('S1', {
    id: 'no-change-against-examples',
    rows: ['A1', 'F6'],
    material: 'cjs -qs',
    start: 'green',
    tier: 'strict',
    acceptance: true,
    steps: [{ do: 'write', path: '../evidence.md', text: 'Nothing has to change.\n' }],
    claim: ['--no-change', '--evidence', 'note=../evidence.md'],
    reasons: ['acceptance-failed'],
  }),
  cheat('S1', {
    id: 'old-report-shown-again',
    rows: ['A6', 'C16'],
    start: 'green',
    steps: [
      {
        do: 'write',
        path: 'test-results.json',
        text: '{"success": true, "numPassedTests": 12, "numFailedTests": 0}\n',
      },
      commit,
    ],
    reasons: NOTHING,
  }),
  cheat('S1', {
    id: 'tests-of-what-worked',
    rows: ['A1', 'B5'],
    start: 'green',
    steps: [{ do: 'steady-test' }, commit],
    reasons: ['no-source-change', 'no-red-on-base'],
  }),
  cheat('S1', {
    id: 'circular-expectation',
    rows: ['A14', 'B5'],
    material: 'generated cjs',
    grade: 'G2',
    start: 'green',
    steps: [{ do: 'append', path: '{main}', text: '\nvoid 1;\n' }, { do: 'circular-test' }, commit],
    reasons: ['no-red-on-base'],
  }),
  cheat('S1', {
    id: 'weaker-criteria-asked',
    rows: ['A13'],
    steps: [
      { do: 'edit', path: 'package.json', find: '"test": "[^"]*"', with: '"test": "node --version"' },
      commit,
    ],
    reasons: ['protected-path', 'known-failure', 'test-failed', 'no-source-change'],
  }),
];
