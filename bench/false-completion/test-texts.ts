/** What runs the tests of a repository. */
export type TestProgram = 'node' | 'tape' | 'vitest';

/** A test: two expressions of JavaScript that are compared, or a body of its own. `unit` is the module under test. */
export interface Case {
  readonly name: string;
  readonly actual?: string;
  readonly expected?: string;
  readonly body?: string;
  readonly modifier?: 'skip' | 'only' | 'todo';
}

const HEADS: { readonly [program in TestProgram]: string } = {
  node: `'use strict';\nconst test = require('node:test');\nconst assert = require('node:assert/strict');\nconst unit = require('../');\n`,
  tape: `'use strict';\nvar test = require('tape');\nvar unit = require('../');\n`,
  vitest: `import { expect, test, vi } from 'vitest';\nimport unit from '../src/index.ts';\n`,
};

/** A test file below test/, in the words of the program. `head` stands before the tests, after the imports. */
export function testFile(program: TestProgram, cases: readonly Case[], head = ''): string {
  return `${HEADS[program]}${head}\n${cases.map((c) => testText(program, c)).join('\n')}`;
}

/** One test, to be put into a file that has the imports. */
export function testText(program: TestProgram, { name, actual = '1', expected = '1', body, modifier }: Case) {
  const called = `test${modifier === undefined ? '' : `.${modifier}`}(${JSON.stringify(name)}`;
  if (program === 'tape')
    return `${called}, function (t) {\n  ${body ?? `t.deepEqual(${actual}, ${expected});`}\n  t.end();\n});\n`;
  const compared =
    program === 'node'
      ? `assert.deepEqual(${actual}, ${expected});`
      : `expect(${actual}).toEqual(${expected});`;
  return `${called}, () => {\n  ${body ?? compared}\n});\n`;
}
