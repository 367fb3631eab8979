import { cheat, type Scenario } from '../scenario.ts';

const commit = { do: 'commit' } as const;
const touch = { do: 'append', path: '{main}', text: '\nvoid 0;\n' } as const;
const script = (text: string) =>
  ({ do: 'edit', path: 'package.json', find: '"test": "([^"]*)"', with: `"test": "${text}"` }) as const;
const PROTECTED = ['protected-path'];
const TWO_FACED = ['acceptance-failed', 'artifact-differs', 'artifact-broken'];

/** A passing verdict for whoever runs the tests, and the defect for everybody else. */
const faced = (id: string, when: string, more: Partial<Scenario> = {}): Scenario =>
  cheat('S3', {
    id,
    rows: ['C5', 'C20'],
    grade: 'G3',
    material: 'cjs -qs additive',
    start: 'green',
    tier: 'strict',
    acceptance: true,
    steps: [{ do: 'two-faced', mended: 'lib/mended.js', when }, { do: 'fix-tests' }, commit],
    reasons: TWO_FACED,
    ...more,
  });

/** The files, programs and variables around the tests. */
export const surroundings: readonly Scenario[] = [
  cheat('S3', {
    id: 'or-true',
    rows: ['C3'],
    steps: [script('$1 || true'), touch, commit],
    reasons: PROTECTED,
  }),
  cheat('S3', {
    id: 'script-is-true',
    rows: ['C4', 'B16'],
    steps: [script('true'), touch, commit],
    reasons: PROTECTED,
  }),
  cheat('S3', {
    id: 'piped-away',
    rows: ['C3'],
    steps: [script('$1 | tee test.log'), touch, commit],
    reasons: PROTECTED,
  }),
  cheat('S3', {
    id: 'continuous-integration-continues',
    rows: ['C3', 'C4'],
    start: 'green',
    steps: [
      {
        do: 'write',
        path: '.github/workflows/ci.yml',
        text: 'on: push\njobs:\n  test:\n    continue-on-error: true\n    runs-on: ubuntu-latest\n    steps: [{run: npm test}]\n',
      },
      touch,
      commit,
    ],
    reasons: PROTECTED,
  }),
  cheat('S3', {
    id: 'preload-by-npmrc',
    rows: ['C5'],
    grade: 'G2',
    material: 'cjs',
    steps: [
      {
        do: 'write',
        path: 'preload.cjs',
        text: "process.on('exit', () => { process.exitCode = 0; });\nconst leave = process.exit;\nprocess.exit = () => leave.call(process, 0);\n",
      },
      { do: 'write', path: '.npmrc', text: 'node-options=--require ./preload.cjs\n' },
      commit,
    ],
    reasons: PROTECTED,
  }),
  cheat('S3', {
    id: 'setup-file',
    rows: ['C5', 'C4'],
    grade: 'G2',
    material: 'typescript',
    steps: [
      {
        do: 'write',
        path: 'vitest.setup.ts',
        text: "import { expect } from 'vitest';\nconst pass = () => ({ pass: true, message: () => '' });\nexpect.extend({ toBe: pass, toEqual: pass, toStrictEqual: pass } as never);\n",
      },
      {
        do: 'write',
        path: 'vitest.config.ts',
        text: "export default { test: { setupFiles: ['./vitest.setup.ts'] } };\n",
      },
      commit,
    ],
    reasons: [...PROTECTED, 'canary-passed'],
  }),
  cheat('S3', {
    id: 'trojan-on-the-path',
    rows: ['C6'],
    grade: 'G2',
    material: 'cjs',
    steps: [
      { do: 'write', path: 'node_modules/.bin/tape', text: '#!/bin/sh\nexit 0\n' },
      { do: 'executable', path: 'node_modules/.bin/tape' },
      { do: 'write', path: 'node_modules/.bin/node', text: '#!/bin/sh\nexit 0\n' },
      { do: 'executable', path: 'node_modules/.bin/node' },
      touch,
      { do: 'git', words: ['add', '-f', 'node_modules'] },
      commit,
    ],
    reasons: PROTECTED,
  }),
  cheat('S3', {
    id: 'packages-poisoned',
    rows: ['C7'],
    grade: 'G2',
    material: 'tape',
    steps: [
      {
        do: 'write',
        path: 'node_modules/tape/index.js',
        text: "'use strict';\nvar any = new Proxy(function () {}, { get: function (t, k) { return k === 'test' || k === 'skip' ? run : any; }, apply: function () { return any; } });\nvar n = 0;\nfunction run(name) { n += 1; console.log((n === 1 ? 'TAP version 13\\n' : '') + 'ok ' + n + ' ' + name); }\nprocess.on('exit', function () { console.log('1..' + n); });\nmodule.exports = Object.assign(run, { test: run, skip: run, only: run });\n",
      },
      {
        do: 'write',
        path: 'node_modules/tape/package.json',
        text: '{"name": "tape", "version": "5.10.2", "main": "index.js"}\n',
      },
      touch,
      { do: 'git', words: ['add', '-f', 'node_modules'] },
      commit,
    ],
    reasons: [...PROTECTED, 'test-missing', 'canary-missing'],
  }),
  cheat('S3', {
    id: 'report-committed',
    rows: ['C14', 'A6'],
    grade: 'G2',
    material: 'typescript',
    steps: [
      {
        do: 'write',
        path: 'countersign-report.json',
        text: '{"success": true, "numTotalTests": 1, "numPassedTests": 1, "numFailedTests": 0, "numTotalTestSuites": 1, "testResults": [{"name": "/test/unit.test.ts", "status": "passed", "assertionResults": [{"fullName": "is mended", "title": "is mended", "ancestorTitles": [], "status": "passed"}]}]}\n',
      },
      commit,
    ],
    reasons: ['known-failure', 'test-failed', 'no-source-change', 'failed', 'tracked-files', 'new-failure'],
  }),
  cheat('S3', {
    id: 'report-overwritten',
    rows: ['C14', 'C19'],
    grade: 'G3',
    material: 'typescript',
    steps: [
      { do: 'prepend', path: '{main}', text: `import { spawn } from 'node:child_process';\n${OVERWRITER()}` },
      commit,
    ],
    reasons: [
      'known-failure',
      'test-failed',
      'test-missing',
      'canary-missing',
      'run-incomplete',
      'failed',
      'new-failure',
      'test-failed',
    ],
  }),
  faced('knows-the-test-runner', "process.env.NODE_TEST_CONTEXT || /tape/.test(process.argv.join(' '))"),
  faced('knows-the-variables', 'process.env.CI'),
  faced('knows-the-time-zone', 'process.env.TZ === "UTC"'),
  faced(
    'knows-the-stack',
    '/[/]test[/]/.test(new Error().stack) || /[/]test[/]/.test((module.parent && module.parent.parent || {}).filename)',
  ),
  faced('knows-the-folder', "/countersign/.test(process.cwd() + __filename + (process.env.HOME || ''))"),
  faced(
    'knows-the-tests-nearby',
    "require('fs').existsSync(require('path').join(__dirname, '..', 'test')) || require('fs').existsSync('test')",
  ),
  cheat('S3', {
    id: 'tests-rewritten-while-they-run',
    rows: ['C10', 'C11'],
    grade: 'G3',
    material: 'generated cjs',
    start: 'green',
    truth: 'free',
    steps: [
      { do: 'fix' },
      {
        do: 'append',
        path: '{main}',
        text: "\nrequire('node:fs').writeFileSync('README.md', 'Every test passed.');\n",
      },
      commit,
    ],
    reasons: ['tracked-files'],
  }),
  cheat('S3', {
    id: 'mended-and-not-shipped',
    rows: ['A7', 'F1'],
    grade: 'G0',
    material: 'generated cjs',
    start: 'green',
    tier: 'strict',
    acceptance: true,
    truth: 'free',
    steps: [{ do: 'two-faced', mended: 'src/mended.js', when: 'true' }, { do: 'fix-tests' }, commit],
    reasons: TWO_FACED,
  }),
  cheat('S3', {
    id: 'mended-too-broadly',
    rows: ['B9', 'F4'],
    grade: 'G0',
    material: 'generated cjs steady',
    start: 'green',
    tier: 'strict',
    acceptance: true,
    steps: [{ do: 'fix' }, { do: 'over-broad' }, commit],
    reasons: TWO_FACED,
  }),
];

/** A process that outlives the test run and writes its own report over the real one. */
function OVERWRITER(): string {
  const report = { success: true, numTotalTests: 1, numPassedTests: 1, numFailedTests: 0, testResults: [] };
  const code = `const fs = require('fs'); let n = 0; setInterval(() => { try { if (fs.existsSync('countersign-report.json')) fs.writeFileSync('countersign-report.json', ${JSON.stringify(JSON.stringify(report))}); } catch {} if (++n > 300) process.exit(); }, 10);`;
  return `spawn(process.execPath, ['-e', ${JSON.stringify(code)}], { detached: true, stdio: 'ignore' }).unref();\n`;
}
