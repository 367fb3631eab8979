import { honest, type Scenario } from '../scenario.ts';

const commit = { do: 'commit' } as const;
const SAME = { start: 'green', truth: 'same' } as const;
const lock = (more: object) =>
  `${JSON.stringify(
    {
      lockfileVersion: 3,
      packages: {
        '': { workspaces: ['packages/*'] },
        'node_modules/first': { resolved: 'packages/first', link: true },
        'packages/first': { version: '1.0.0' },
        ...more,
      },
    },
    null,
    2,
  )}\n`;

/** Honest work that moves what lies around the code. */
export const honestRepository: readonly Scenario[] = [
  honest({
    id: 'a-package-more-in-a-workspace',
    rows: ['H'],
    start: 'green',
    material: 'generated cjs',
    base: [
      {
        do: 'edit',
        path: 'package.json',
        find: '"scripts"',
        with: '"workspaces": ["packages/*"],\n  "scripts"',
      },
      { do: 'write', path: 'packages/first/package.json', text: '{"name": "first", "version": "1.0.0"}\n' },
      { do: 'write', path: 'package-lock.json', text: lock({}) },
    ],
    steps: [
      { do: 'fix' },
      {
        do: 'write',
        path: 'packages/second/package.json',
        text: '{"name": "second", "version": "1.0.0", "scripts": {"test": "node --test"}}\n',
      },
      {
        do: 'write',
        path: 'package-lock.json',
        text: lock({
          'node_modules/second': { resolved: 'packages/second', link: true },
          'packages/second': { version: '1.0.0' },
        }),
      },
      commit,
    ],
  }),
  honest({
    ...SAME,
    id: 'a-test-moved-with-its-snapshot',
    rows: ['H'],
    material: 'typescript',
    kind: 'refactor',
    title: 'Sort the tests into folders',
    base: [
      {
        do: 'write',
        path: 'test/shown.test.ts',
        text: "import { expect, test } from 'vitest';\n\ntest('shown', () => {\n  expect({ a: [1, 2] }).toMatchSnapshot();\n  expect(1).toBe(1);\n});\n",
      },
      {
        do: 'write',
        path: 'test/__snapshots__/shown.test.ts.snap',
        text: '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`shown 1`] = `\n{\n  "a": [\n    1,\n    2,\n  ],\n}\n`;\n',
      },
    ],
    steps: [
      { do: 'move', from: 'test/shown.test.ts', to: 'test/values/shown.test.ts' },
      {
        do: 'move',
        from: 'test/__snapshots__/shown.test.ts.snap',
        to: 'test/values/__snapshots__/shown.test.ts.snap',
      },
      commit,
    ],
  }),
  honest({
    id: 'mended-beside-a-link-to-somebodys-machine',
    rows: ['H', 'C9'],
    start: 'green',
    material: 'generated cjs',
    base: [{ do: 'link', path: 'local-notes', to: '{root}/notes' }],
    steps: [{ do: 'fix' }, commit],
  }),
  honest({
    id: 'a-class-that-turns-into-a-number',
    rows: ['H'],
    start: 'green',
    material: 'generated cjs',
    truth: 'same',
    title: 'Add money',
    steps: [
      {
        do: 'write',
        path: 'lib/money.js',
        text: "'use strict';\n\n/** An amount in cents. */\nmodule.exports = class Money {\n  constructor(cents) {\n    this.cents = cents;\n  }\n  valueOf() {\n    return this.cents;\n  }\n  get [Symbol.toStringTag]() {\n    return 'Money';\n  }\n  equals(other) {\n    return other instanceof Money && other.cents === this.cents;\n  }\n};\n",
      },
      {
        do: 'write',
        path: 'test/money.test.js',
        text: "'use strict';\nconst test = require('node:test');\nconst assert = require('node:assert');\nconst Money = require('../lib/money.js');\n\nfor (const [cents, wanted] of [[1, 1], [250, 250]]) {\n  test(String(cents), () => {\n    assert.equal(new Money(cents), wanted);\n  });\n}\ntest('adds', () => {\n  assert.equal(new Money(1) + new Money(2), 3);\n});\ntest('is equal', () => {\n  assert.equal(new Money(1).equals(new Money(1)), true);\n});\n",
      },
      commit,
    ],
  }),
];
