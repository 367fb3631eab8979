import type { Project } from './trial.ts';

const node = process.execPath;
const vitest = [node, 'node_modules/vitest/vitest.mjs', 'run', '--root', '.', '--reporter=json'];
const jest = [node, 'node_modules/jest/bin/jest.js', '--json', '--rootDir', '.', '--watchman=false'];
const mocha = [node, 'node_modules/mocha/bin/mocha.js', '--reporter', 'json', 'test/*.test.*'];
const own = ['passed is there', 'passed sum adds'];

/** Small honest projects, one for each way to write tests that takes canaries. */
export const projects = {
  'vitest, TypeScript': {
    format: 'vitest',
    argv: vitest,
    source: 'src/sum.ts',
    modules: true,
    files: {
      'vitest.config.mjs': 'export default {};',
      'test/a.test.ts':
        "import { describe, expect, test } from 'vitest';\nimport { sum } from '../src/sum.ts';\n\ndescribe('sum', () => {\n  test('adds', () => expect(sum(1, 2)).toBe(3));\n});\n\n// the end",
      'test/b.test.ts': "import { expect, it } from 'vitest';\nit('is there', () => { expect(1).toBe(1) })",
      'test/sums.ts': 'export const sums = [[1, 2, 3]];\n',
    },
    own,
  },
  'vitest, globals and fake time': {
    format: 'vitest',
    argv: [...vitest, '--globals'],
    source: 'src/sum.js',
    modules: true,
    files: {
      'vitest.config.mjs': 'export default {};',
      'package.json': '{"type":"module"}',
      'test/a.test.js':
        "import { sum } from '../src/sum.js'\nbeforeEach(() => { vi.useFakeTimers() })\nafterEach(() => { vi.restoreAllMocks() })\ndescribe('sum', () => { it('adds', () => { expect.assertions(1); expect(sum(1, 2)).toBe(3) }) })\ntest('is there', () => {})\n",
    },
    own,
  },
  'jest, CommonJS': {
    format: 'jest',
    argv: jest,
    source: 'src/sum.js',
    modules: false,
    files: {
      'package.json': '{}',
      'test/a.test.js':
        "'use strict';\nconst { sum } = require('../src/sum.js');\n\ndescribe('sum', () => {\n  it('adds', () => expect(sum(1, 2)).toBe(3));\n});\n",
      'test/b.test.js': "test('is there', () => {})",
    },
    own,
  },
  'jest, imported globals': {
    format: 'jest',
    argv: [...jest, '--injectGlobals=false'],
    source: 'src/sum.js',
    modules: false,
    files: {
      'package.json': '{}',
      'test/a.test.js':
        "const { describe, it, expect } = require('@jest/globals');\nconst assert = require('assert');\nconst { sum } = require('../src/sum.js');\ndescribe('sum', () => { it('adds', () => { assert.equal(sum(1, 2), 3); expect(1).toBe(1); }); });\nit('is there', () => {});\n",
    },
    own,
  },
  'mocha, CommonJS': {
    format: 'mocha',
    argv: [...mocha, '--bail', '--check-leaks'],
    source: 'src/sum.js',
    modules: false,
    files: {
      'test/a.test.js':
        "'use strict'\n\nvar assert = require('assert')\nvar sum = require('../src/sum.js').sum;\n\ndescribe('sum', function () {\n  it('adds', function () { assert.strictEqual(sum(1, 2), 3) })\n})\n",
      'test/b.test.js': "it('is there', (done) => done())\n",
    },
    own,
  },
  'mocha, modules and chai': {
    format: 'mocha',
    argv: [...mocha, '--ui', 'tdd'],
    source: 'src/sum.mjs',
    modules: true,
    files: {
      'test/a.test.mjs':
        "import { expect } from 'chai';\nimport { sum } from '../src/sum.mjs';\nsuite('sum', () => { test('adds', () => { expect(sum(1, 2)).to.equal(3); }); });\ntest('is there', () => {});\n",
    },
    own,
  },
  'node:test, modules': {
    format: 'node',
    argv: [node, '--test', '--test-reporter=tap', 'test/'],
    source: 'src/sum.mjs',
    modules: true,
    files: {
      'test/a.test.mjs':
        "import assert from 'node:assert/strict';\nimport { describe, it } from 'node:test';\nimport { sum } from '../src/sum.mjs';\ndescribe('sum', () => { it('adds', () => assert.equal(sum(1, 2), 3)); });\n",
      'test/b.test.mjs': "import check from 'node:test';\ncheck('is there', () => {});\n",
    },
    own: ['passed is there', 'passed sum > adds'],
  },
  'node:test, CommonJS': {
    format: 'node',
    argv: [node, '--test', '--test-reporter=tap', 'test/'],
    source: 'src/sum.js',
    modules: false,
    files: {
      'test/a.test.js':
        "const test = require('node:test');\nconst { strictEqual } = require('node:assert');\nconst { sum } = require('../src/sum.js');\ntest('sum adds', () => strictEqual(sum(1, 2), 3));\ntest('is there', async (t) => {})",
    },
    own,
  },
  tape: {
    format: 'tap',
    argv: [node, 'node_modules/tape/bin/tape', 'test/*.js'],
    source: 'src/sum.js',
    modules: false,
    files: {
      'test/a.js':
        "var test = require('tape');\nvar sum = require('../src/sum.js').sum;\n\ntest('sum', function (t) {\n  t.plan(1);\n  t.equal(sum(1, 2), 3, 'sum adds');\n});\n",
      'test/b.js': "require('tape')('b', { skip: false }, (t) => { t.ok(true, 'is there'); t.end() })",
      'test/lib.js': 'exports.lib = 1;\n',
    },
    own,
  },
} satisfies Record<string, Project>;
