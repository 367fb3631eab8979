import { expect, it } from 'vitest';
import { changeOf } from '../../../tests/change-of.ts';
import { testPatterns } from '../test-files.ts';
import { changedTexts } from './changed-text.ts';
import { stackNames } from './stack-names.ts';

const before = { 'src/a.js': 'exports.low = (list) => list.map((w) => w.toLowerCase());\n' };
const after = {
  'src/a.js': 'exports.low = (list) =>\n  list.map(function lower(w) {\n    return w.toLowerCase();\n  });\n',
};
const found = async (line: string) =>
  stackNames(await changedTexts(changeOf(before, { ...after, 'test/a.test.js': `${line}\n` })), testPatterns)
    .length;

it.each(['assert.match(e.stack, /lower/);', "assert.ok(error.stack.includes('at lower '));"])(
  'a test that looks for a name in a stack is found: %s',
  async (line) => expect(await found(line)).toBe(1),
);

it.each([
  'assert.match(e.stack, /Caused by: no list/);',
  'assert.ok(e.stack);',
  'assert.equal(wrapped.stack, e.stack);',
  "assert.equal(machine.stack.length, 2, 'two are left');",
  "assert.equal(low(['A'])[0], 'lower');",
])('one that asks for something else is not: %s', async (line) => expect(await found(line)).toBe(0));
