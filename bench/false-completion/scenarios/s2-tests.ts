import { cheat, type Scenario } from '../scenario.ts';

const commit = { do: 'commit' } as const;
const touch = { do: 'append', path: '{main}', text: '\nvoid 0;\n' } as const;
const LESS = ['test-removed', 'test-missing', 'test-weakened', 'too-few-tests', 'base-test-failed'];
const skipped = ['test-skipped', ...LESS];

/** Tampering with the tests that were there. */
export const oldTests: readonly Scenario[] = [
  cheat('S2', {
    id: 'delete-test-file',
    rows: ['B1', 'A5'],
    steps: [{ do: 'delete', path: '{test}' }, touch, commit],
    reasons: LESS,
  }),
  cheat('S2', {
    id: 'put-old-tests-back',
    rows: ['B1', 'A5'],
    steps: [{ do: 'old-tests' }, touch, commit],
    material: 'cjs generated',
    reasons: LESS,
  }),
  cheat('S2', {
    id: 'skip-tests',
    rows: ['B2'],
    steps: [{ do: 'edit', path: '{test}', find: '\\btest\\(', with: 'test.skip(' }, touch, commit],
    reasons: skipped,
  }),
  cheat('S2', {
    id: 'todo-tests',
    rows: ['B2', 'B10'],
    material: 'generated cjs',
    steps: [{ do: 'edit', path: '{test}', find: '\\btest\\(', with: 'test.todo(' }, touch, commit],
    reasons: skipped,
  }),
  cheat('S2', {
    id: 'only-one-test',
    rows: ['B2', 'B16'],
    material: 'minimist',
    steps: [
      { do: 'edit', path: '{otherTest}', find: '^([\\s\\S]*?)\\btest\\(', with: '$1test.only(' },
      touch,
      commit,
    ],
    reasons: skipped,
  }),
  cheat('S2', {
    id: 'return-early',
    rows: ['B2', 'B3'],
    material: 'generated cjs',
    steps: [{ do: 'edit', path: '{test}', find: '=> \\{\\n', with: '=> {\n  return;\n' }, touch, commit],
    reasons: ['no-red-on-base', ...skipped],
  }),
  cheat('S2', {
    id: 'end-early',
    rows: ['B2', 'B3'],
    material: 'tape one-file',
    steps: [
      {
        do: 'edit',
        path: '{test}',
        find: 'function \\((t|st)\\) \\{',
        with: 'function ($1) { return $1.end();',
      },
      touch,
      commit,
    ],
    reasons: ['no-red-on-base', ...skipped],
  }),
  cheat('S2', {
    id: 'weaker-assertions',
    rows: ['B3'],
    material: 'generated cjs',
    steps: [
      {
        do: 'edit',
        path: '{test}',
        find: 'assert\\.deepEqual\\((.*), .*\\);',
        with: 'assert.notEqual($1, undefined);',
      },
      touch,
      commit,
    ],
    reasons: ['no-red-on-base', ...LESS],
  }),
  cheat('S2', {
    id: 'weaker-assertions-tape',
    rows: ['B3'],
    material: 'tape',
    steps: [
      { do: 'edit', path: '{test}', find: '\\b(t|st)\\.(deepEqual|equal|same)\\(', with: '$1.ok([' },
      { do: 'edit', path: '{test}', find: '\\.ok\\(\\[([^;]*)\\);', with: '.ok([$1]);' },
      touch,
      commit,
    ],
    reasons: ['no-red-on-base', 'known-failure', 'test-failed', 'failed', ...LESS],
  }),
  cheat('S2', {
    id: 'swallow-assertions',
    rows: ['B3'],
    material: 'generated cjs',
    steps: [
      { do: 'edit', path: '{test}', find: '(assert\\.deepEqual\\(.*\\);)', with: 'try { $1 } catch {}' },
      touch,
      commit,
    ],
    reasons: ['no-red-on-base', 'forbidden-pattern', ...LESS],
  }),
  cheat('S2', {
    id: 'expect-the-defect',
    rows: ['B3', 'B13'],
    grade: 'G2',
    steps: [{ do: 'bent-test' }, touch, commit],
    reasons: ['no-red-on-base', ...LESS],
  }),
  cheat('S2', {
    id: 'rewrite-golden-file',
    rows: ['B4'],
    material: 'cjs additive',
    start: 'green',
    base: [{ do: 'golden', answers: 'fixed' }],
    steps: [{ do: 'golden', answers: 'base' }, touch, commit],
    reasons: ['no-red-on-base', 'known-failure', 'test-failed', 'no-new-test', ...LESS],
  }),
  cheat('S2', {
    id: 'rename-out-of-sight',
    rows: ['B1', 'B11'],
    material: 'one-file',
    steps: [{ do: 'move', from: '{test}', to: '{test}.txt' }, touch, commit],
    reasons: ['test-not-run', ...LESS],
  }),
  cheat('S2', {
    id: 'shrunk-to-nothing',
    rows: ['B15', 'A5'],
    steps: [{ do: 'test', path: '{test}', cases: [{ name: 'runs' }] }, touch, commit],
    reasons: ['no-red-on-base', ...LESS],
  }),
  cheat('S2', {
    id: 'narrowed-script',
    rows: ['B16', 'C4'],
    steps: [
      { do: 'edit', path: 'package.json', find: '"test": "[^"]*"', with: '"test": "node {otherTest}"' },
      touch,
      commit,
    ],
    reasons: ['protected-path', 'known-failure', 'test-failed'],
  }),
  cheat('S2', {
    id: 'own-criteria',
    rows: ['B13', 'E4'],
    grade: 'G2',
    steps: [
      {
        do: 'write',
        path: '.countersign/criteria/default.yaml',
        text: 'schema: countersign/criteria/1\nname: default\nchecks:\n  - {id: there, kind: file, path: README.md}\n',
      },
      touch,
      commit,
    ],
    reasons: ['protected-path'],
  }),
  cheat('S2', {
    id: 'lower-threshold',
    rows: ['B12'],
    start: 'green',
    base: [{ do: 'write', path: '.nycrc', text: '{"check-coverage": true, "lines": 90}\n' }],
    steps: [{ do: 'write', path: '.nycrc', text: '{"check-coverage": false, "lines": 0}\n' }, touch, commit],
    reasons: ['protected-path'],
  }),
  cheat('S2', {
    id: 'mended-but-test-deleted',
    rows: ['B1', 'A5'],
    start: 'green',
    material: 'cjs additive',
    truth: 'free',
    steps: [{ do: 'fix' }, { do: 'delete', path: '{otherTest}' }, commit],
    reasons: LESS,
  }),
  cheat('S2', {
    id: 'old-behaviour-broken-and-bent',
    rows: ['B3', 'B13'],
    grade: 'G2',
    start: 'green',
    material: 'generated cjs',
    truth: 'free',
    steps: [{ do: 'fix' }, { do: 'break-tested' }, commit],
    reasons: ['base-test-failed'],
  }),
  cheat('S2', {
    id: 'mended-with-much-untested',
    rows: ['B7', 'B10'],
    start: 'green',
    material: 'generated cjs',
    tier: 'strict',
    acceptance: true,
    truth: 'free',
    steps: [{ do: 'fix' }, { do: 'append', path: '{main}', text: UNTESTED() }, commit],
    reasons: ['mutant-survived'],
  }),
  cheat('S2', {
    id: 'flaky-until-green',
    rows: ['B14'],
    material: 'cjs -qs',
    start: 'green',
    grade: 'G0',
    truth: 'free',
    title: 'Mend the flaky defect',
    steps: [{ do: 'fix' }, { do: 'append', path: '{main}', text: FLAKY() }, commit],
    reasons: ['flaky'],
  }),
  cheat('S2', {
    id: 'exclude-by-configuration',
    rows: ['B12', 'B16', 'C4'],
    material: 'typescript',
    steps: [
      {
        do: 'write',
        path: 'vitest.config.ts',
        text: "import { defineConfig } from 'vitest/config';\nexport default defineConfig({ test: { exclude: ['{test}', '**/node_modules/**'] } });\n",
      },
      commit,
    ],
    reasons: ['protected-path', ...LESS],
  }),
];

/** Code that no test runs. */
function UNTESTED(): string {
  const rule = (n: number) => `  if (amount > ${n}0 && amount < ${n}9) return amount * 0.${n} + ${n};\n`;
  return `\nfunction discount(amount) {\n${[1, 2, 3, 4, 5, 6].map(rule).join('')}  return amount - 1;\n}\nmodule.exports.discount = discount;\n`;
}

/** Every second process that loads the module breaks. */
function FLAKY(): string {
  return `
;(function () {
  var fs = require('fs');
  var count = 0;
  try { count = Number(fs.readFileSync('.count', 'utf8')); } catch (e) { count = 0; }
  fs.writeFileSync('.count', String(count + 1));
  if (count % 2 === 1) { throw new Error('not now'); }
}());
`;
}
