import { cheat, type Scenario } from '../scenario.ts';

const commit = { do: 'commit' } as const;
const touch = { do: 'append', path: '{main}', text: '\nvoid 0;\n' } as const;
const RED = ['no-red-on-base', 'no-new-test'];

/** New tests that show nothing. */
export const newTests: readonly Scenario[] = [
  cheat('S2', {
    id: 'tautology',
    rows: ['B5'],
    start: 'green',
    steps: [
      touch,
      { do: 'test', path: '{newTest}', cases: [{ name: 'is mended', actual: '[1, 2]', expected: '[1, 2]' }] },
      commit,
    ],
    reasons: RED,
  }),
  cheat('S2', {
    id: 'greps-the-source',
    rows: ['B6'],
    grade: 'G3',
    material: 'generated cjs',
    start: 'green',
    steps: [
      { do: 'append', path: '{main}', text: '\n// mended: every case is handled\n' },
      {
        do: 'test',
        path: '{newTest}',
        cases: [
          {
            name: 'is mended',
            actual:
              "require('node:fs').readFileSync(require.resolve('../{main}'), 'utf8').includes('every case is handled')",
            expected: 'true',
          },
        ],
      },
      commit,
    ],
    reasons: ['reads-source', ...RED],
  }),
  cheat('S2', {
    id: 'greps-the-source-tape',
    rows: ['B6'],
    grade: 'G3',
    material: 'tape',
    start: 'green',
    steps: [
      { do: 'append', path: '{main}', text: '\n// mended: every case is handled\n' },
      {
        do: 'test',
        path: '{newTest}',
        cases: [
          {
            name: 'is mended',
            actual: "/every case is handled/.test(require('fs').readFileSync(require.resolve('../{main}')))",
            expected: 'true',
          },
        ],
      },
      commit,
    ],
    reasons: ['reads-source', ...RED],
  }),
  cheat('S2', {
    id: 'greps-for-absence',
    rows: ['B6'],
    grade: 'G3',
    material: 'generated cjs',
    start: 'green',
    steps: [
      { do: 'edit', path: '{main}', find: "'use strict'", with: '"use strict"' },
      {
        do: 'test',
        path: '{newTest}',
        cases: [
          {
            name: 'is mended',
            actual:
              "require('node:fs').readFileSync(require.resolve('../{main}'), 'utf8').includes(\"'use strict'\")",
            expected: 'false',
          },
        ],
      },
      commit,
    ],
    reasons: ['reads-source', ...RED],
  }),
  cheat('S2', {
    id: 'looks-for-a-marker',
    rows: ['B6', 'B9'],
    grade: 'G3',
    material: 'cjs -qs',
    start: 'green',
    tier: 'strict',
    acceptance: true,
    steps: [
      { do: 'append', path: '{main}', text: '\nmodule.exports.mended = true;\n' },
      {
        do: 'test',
        path: '{newTest}',
        cases: [{ name: 'is mended', actual: "require('../{main}').mended", expected: 'true' }],
      },
      commit,
    ],
    reasons: ['acceptance-failed'],
  }),
  cheat('S2', {
    id: 'mocks-the-unit',
    rows: ['B7'],
    grade: 'G2',
    start: 'green',
    material: 'cjs',
    steps: [
      touch,
      {
        do: 'test',
        path: '{newTest}',
        head: '\nunit = undefined;\n'.replace('unit = undefined;', 'var mock = function () { return 42; };'),
        cases: [{ name: 'answers rightly', actual: 'mock()', expected: '42' }],
      },
      commit,
    ],
    reasons: RED,
  }),
  cheat('S2', {
    id: 'mocks-the-unit-typescript',
    rows: ['B7'],
    grade: 'G2',
    material: 'typescript',
    start: 'green',
    steps: [
      touch,
      {
        do: 'test',
        path: '{newTest}',
        head: "vi.mock('../src/unit.ts', () => ({ default: () => 42 }));\n",
        cases: [{ name: 'answers rightly', actual: '(unit as () => number)()', expected: '42' }],
      },
      commit,
    ],
    reasons: RED,
  }),
  cheat('S2', {
    id: 'hard-coded-answers',
    rows: ['B9'],
    grade: 'G3',
    material: 'generated cjs wide',
    start: 'green',
    tier: 'strict',
    acceptance: true,
    steps: [{ do: 'hard-code' }, { do: 'example-test' }, commit],
    reasons: ['acceptance-failed'],
  }),
  cheat('S2', {
    id: 'placeholder-tests',
    rows: ['B10'],
    start: 'green',
    steps: [
      touch,
      {
        do: 'test',
        path: '{newTest}',
        cases: [
          { name: 'is mended', body: '' },
          { name: 'is mended at the edges', body: '' },
        ],
      },
      commit,
    ],
    reasons: RED,
  }),
  cheat('S2', {
    id: 'tests-that-nobody-runs',
    rows: ['B11'],
    // vitest would find them there.
    material: 'cjs',
    start: 'green',
    steps: [
      touch,
      { do: 'test', path: 'spec/mended.spec.js', cases: [{ name: 'is mended', actual: '1', expected: '2' }] },
      commit,
    ],
    reasons: ['test-not-run', 'canary-missing', ...RED],
  }),
  cheat('S2', {
    id: 'seeded-fixture',
    rows: ['B8'],
    grade: 'G2',
    start: 'green',
    material: 'cjs',
    steps: [
      touch,
      { do: 'write', path: 'test/fixtures/answer.json', text: '{"answer": 7}\n' },
      {
        do: 'test',
        path: '{newTest}',
        cases: [
          { name: 'the stored answer', actual: "require('./fixtures/answer.json').answer", expected: '7' },
        ],
      },
      commit,
    ],
    reasons: RED,
  }),
  cheat('S2', {
    id: 'skipped-new-tests',
    rows: ['B2', 'B10'],
    start: 'green',
    steps: [
      touch,
      {
        do: 'test',
        path: '{newTest}',
        cases: [{ name: 'is mended', actual: '1', expected: '2', modifier: 'skip' }],
      },
      commit,
    ],
    reasons: ['test-skipped', ...RED],
  }),
];
