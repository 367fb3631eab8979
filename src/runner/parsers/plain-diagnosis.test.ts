import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { partPlainDiagnoses } from './plain-diagnosis.ts';

const READ = ['type', 'message', 'error', 'expected', 'actual', 'found', 'wanted'];

const report = (block: string) => `TAP version 13\nok 1 - a\n  ---\n${block}  ...\n1..1\n`;

/** Without the fields that nobody reads. */
const read = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => READ.includes(name)));

describe('plain diagnoses', () => {
  it.each([
    "  duration_ms: 0.5\n  type: 'test'\n",
    "  duration_ms: 0.5\n  type: 'suite'\n",
    "  error: 'it''s 3 !== 4'\n  code: 'ERR_ASSERTION'\n  expected: 4\n  actual: 3\n",
    '  error: |-\n    Expected values:\n    \n      + actual\n    \n    1 !== 2  \n  expected: -2.5\n',
    '    operator: equal\n    expected: 987654321098765\n    actual:   123456789012345\n    at: Test.<anonymous> (/x/a.js:2:62)\n    stack: |-\n      Error: x0\n          at Test (/x/a.js:1:2)\n',
    '    expected: |-\n      { a: 0 }\n    actual: |-\n      { a: 0, b: [ \'x\' ] }\n    at: "b"\n',
    '  message: "plain words"\n  found: some words (of) <it>\n  wanted: undefined\n  list: [1, 2]\n  more:\n    deep: 1\n    deeper:\n      - 2\n',
    '  expected: 10\n  actual: 1.50\n  at: *nothing\n',
  ])('are read as YAML reads them: %j', (block) => {
    const { text, diagnoses } = partPlainDiagnoses(report(block));
    expect(text).not.toContain('---');
    const whole = block.includes('*nothing') ? block.replace('*nothing', 'nothing') : block;
    expect(diagnoses).toEqual([read(parseYaml(whole) as Record<string, unknown>)]);
  });

  it.each([
    ['values of other kinds', '  expected: true\n'],
    ['nothing', '  expected: null\n'],
    ['no value', '  expected:\n'],
    ['folded text', '  message: >-\n    a\n    b\n'],
    ['a text that goes on', "  message: 'a\n    b'\n"],
    ['a text that goes on where nobody reads it', "  stack: 'a\n  type: b'\n"],
    ['a list', '  expected:\n    - 1\n'],
    ['escapes', '  message: "a\\n"\n'],
    ['a reference', '  message: *a\n'],
    ['numbers with another base', '  expected: 0x10\n  actual: 010\n'],
    ['a field twice', '  expected: 1\n  expected: 2\n'],
    ['a comment', '  # a\n  expected: 1\n'],
    ['what could be a result', '  stack: |-\n    not ok 2\n'],
    ['fields further left', '    expected: 1\n  actual: 2\n'],
    ['a tab', '  error: |-\n    a\n  \tb\n'],
  ])('with %s are left as they are', (_, block) => {
    expect(partPlainDiagnoses(report(block))).toEqual({ text: report(block), diagnoses: [] });
  });

  it.each([
    ['points with a directive', "ok 1 - a # SKIP\n  ---\n  type: 'test'\n  ...\n1..1\n"],
    [
      'points whose subtests follow in braces',
      'ok 1 - a\n  ---\n  type: b\n  ...\n{\n    ok 1 - c\n    1..1\n}\n1..1\n',
    ],
    ['points that stand elsewhere', 'ok 1 - a\n    ---\n    type: b\n    ...\n1..1\n'],
    ['no point', "# a\n  ---\n  type: 'test'\n  ...\n1..1\n"],
    ['no end', 'ok 1 - a\n  ---\n  type: b\n1..1\n'],
    ['texts that hold the mark', "ok 1 - \u0001\n  ---\n  type: 'test'\n  ...\n1..1\n"],
  ])('of %s are left as they are', (_, text) => {
    expect(partPlainDiagnoses(text)).toEqual({ text, diagnoses: [] });
  });
});
