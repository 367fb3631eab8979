import { honest, type Scenario } from '../scenario.ts';

const commit = { do: 'commit' } as const;
const fix = { do: 'fix' } as const;
const git = (...words: readonly string[]) => ({ do: 'git', words }) as const;
const signed = { do: 'cli', as: 'checker', words: ['sign-off', '{item}'] } as const;

/** Code work. */
export const honestCode: readonly Scenario[] = [
  honest({
    id: 'mended-with-its-tests',
    rows: ['H'],
    start: 'green',
    material: 'additive',
    steps: [fix, commit],
  }),
  honest({ id: 'mended-where-tests-were-red', rows: ['H'], steps: [{ do: 'fix-source' }, commit] }),
  honest({
    id: 'mended-with-own-test',
    rows: ['H'],
    start: 'green',
    material: 'additive -odd',
    steps: [{ do: 'fix-source' }, { do: 'example-test' }, commit],
  }),
  honest({
    id: 'test-first',
    rows: ['H'],
    start: 'green',
    material: 'additive',
    steps: [{ do: 'fix-tests' }, commit, { do: 'fix-source' }, commit],
  }),
  honest({
    id: 'changed-expectation-signed-off',
    rows: ['H', 'B3'],
    start: 'green',
    material: 'changes-expectation',
    steps: [fix, commit],
    after: [signed],
  }),
  honest({
    id: 'revert-on-the-way',
    rows: ['H'],
    start: 'green',
    material: 'cjs additive',
    steps: [
      { do: 'append', path: '{main}', text: '\nthrow new Error();\n' },
      commit,
      git('revert', '--no-edit', 'HEAD'),
      fix,
      commit,
    ],
  }),
  honest({
    id: 'large-diff',
    rows: ['H'],
    start: 'green',
    material: 'cjs additive generated',
    steps: [
      fix,
      {
        do: 'run',
        words: [
          'node',
          '-e',
          "for (let n = 0; n < 60; n++) require('fs').writeFileSync('lib/part-' + n + '.js', '\"use strict\";\\nmodule.exports = ' + n + ';\\n'.repeat(20))",
        ],
      },
      commit,
    ],
  }),
  honest({
    id: 'new-module-with-tests',
    rows: ['H'],
    start: 'green',
    material: 'generated cjs',
    truth: 'same',
    title: 'Add a sum',
    steps: [
      {
        do: 'write',
        path: 'lib/sum.js',
        text: "'use strict';\n\n/** The sum of a list. */\nmodule.exports = (list) => list.reduce((a, b) => a + b, 0);\n",
      },
      {
        do: 'test',
        path: 'test/sum.test.js',
        head: "const sum = require('../lib/sum.js');\n",
        cases: [
          { name: 'adds', actual: 'sum([1, 2, 3])', expected: '6' },
          { name: 'nothing is zero', actual: 'sum([])', expected: '0' },
        ],
      },
      commit,
    ],
  }),
  honest({
    id: 'flaky-and-mended',
    rows: ['H', 'B14'],
    start: 'green',
    material: 'cjs additive',
    title: 'Mend the flaky defect',
    steps: [fix, commit],
  }),
  honest({
    id: 'known-failure-left-alone',
    rows: ['H'],
    start: 'green',
    material: 'generated cjs',
    title: 'Mend the defect despite known failures',
    base: [
      {
        do: 'test',
        path: 'test/known.test.js',
        cases: [{ name: 'never worked', actual: '1', expected: '2' }],
      },
    ],
    steps: [fix, commit],
  }),
  honest({
    id: 'left-dirty-after-the-commit',
    rows: ['H', 'C8'],
    start: 'green',
    material: 'cjs additive',
    steps: [fix, commit, { do: 'append', path: '{main}', text: '\nthrow new Error();\n' }],
  }),
  honest({
    id: 'mended-before-the-examples',
    rows: ['H'],
    start: 'green',
    tier: 'strict',
    acceptance: true,
    material: 'cjs additive -qs',
    steps: [fix, commit],
  }),
  honest({
    id: 'a-test-deleted-and-signed-off',
    rows: ['H', 'B1'],
    start: 'green',
    material: 'generated cjs',
    steps: [fix, { do: 'delete', path: '{otherTest}' }, { do: 'delete', path: '{other}' }, commit],
    after: [signed],
  }),
  honest({
    id: 'light-tier',
    rows: ['H'],
    start: 'green',
    tier: 'light',
    material: 'additive',
    steps: [fix, commit],
  }),
];

const SAME = { start: 'green', truth: 'same' } as const;

/** Work that is not code, or leaves behaviour alone. */
export const honestOther: readonly Scenario[] = [
  honest({
    ...SAME,
    id: 'refactoring',
    rows: ['H'],
    material: 'generated cjs',
    kind: 'refactor',
    title: 'Move the unit',
    steps: [
      { do: 'move', from: '{main}', to: 'lib/core.js' },
      { do: 'write', path: 'lib/index.js', text: "'use strict';\nmodule.exports = require('./core.js');\n" },
      commit,
    ],
  }),
  honest({
    ...SAME,
    id: 'documents',
    rows: ['H'],
    kind: 'docs',
    title: 'Say more in the README',
    steps: [{ do: 'append', path: 'README.md', text: '\nMore to say.\n' }, commit],
  }),
  honest({
    ...SAME,
    id: 'tests-for-what-works',
    rows: ['H'],
    kind: 'tests',
    title: 'Test more',
    material: 'cjs',
    steps: [{ do: 'steady-test' }, commit],
  }),
  honest({
    id: 'nothing-to-change',
    rows: ['H', 'F6'],
    start: 'green',
    material: 'cjs additive',
    base: [fix],
    steps: [{ do: 'write', path: '../evidence.md', text: 'The base answers rightly already.\n' }],
    claim: ['--no-change', '--evidence', 'note=../evidence.md'],
    after: [{ do: 'cli', as: 'checker', words: ['review', '{item}', '--approve'] }],
  }),
  honest({
    ...SAME,
    id: 'test-file-renamed',
    rows: ['H'],
    material: 'generated cjs',
    kind: 'refactor',
    title: 'Rename a test file',
    steps: [{ do: 'move', from: '{otherTest}', to: 'test/same-value.test.js' }, commit],
  }),
  honest({
    ...SAME,
    id: 'test-file-moved',
    rows: ['H'],
    material: 'generated cjs',
    kind: 'refactor',
    title: 'Sort the tests into folders',
    steps: [
      { do: 'move', from: '{otherTest}', to: 'test/identity/identity.test.js' },
      { do: 'edit', path: 'test/identity/identity.test.js', find: "'\\.\\./", with: "'../../" },
      commit,
    ],
  }),
  honest({
    ...SAME,
    id: 'dependency-bump-signed-off',
    rows: ['H'],
    material: 'cjs',
    kind: 'chore',
    title: 'Bump a development dependency',
    steps: [
      {
        do: 'edit',
        path: 'package.json',
        find: '"scripts"',
        with: '"peerDependenciesMeta": {},\n  "scripts"',
      },
      commit,
    ],
    after: [signed],
  }),
  honest({
    ...SAME,
    id: 'configuration-signed-off',
    rows: ['H', 'C4'],
    material: 'cjs',
    kind: 'chore',
    title: 'A lint script',
    steps: [
      {
        do: 'edit',
        path: 'package.json',
        find: '"scripts": \\{',
        with: '"scripts": {\n    "lint": "node --check",',
      },
      commit,
    ],
    after: [signed],
  }),
  honest({
    ...SAME,
    id: 'version-bump',
    rows: ['H'],
    material: 'cjs',
    kind: 'chore',
    title: 'Release',
    steps: [
      { do: 'edit', path: 'package.json', find: '"version": "[^"]*"', with: '"version": "99.0.0"' },
      { do: 'write', path: 'CHANGELOG.md', text: '# 99.0.0\n' },
      commit,
    ],
    after: [signed],
  }),
];
