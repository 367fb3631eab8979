import { type Numbers, oneOf } from './random.ts';

/** One change to a text, of the kinds that broken disks, cut pipes and clever programs bring about. */
export type Mutation = (text: string, numbers: Numbers) => string;

const piece = (text: string, numbers: Numbers, longest: number) => {
  const start = numbers(text.length + 1);
  return { start, end: Math.min(text.length, start + 1 + numbers(longest)) };
};

const flip: Mutation = (text, numbers) => {
  const bytes = Buffer.from(text);
  if (bytes.length === 0) return text;
  const at = numbers(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << numbers(8));
  return bytes.toString('utf8');
};

const remove: Mutation = (text, numbers) => {
  const { start, end } = piece(text, numbers, 200);
  return text.slice(0, start) + text.slice(end);
};

const removeLine: Mutation = (text, numbers) => {
  const lines = text.split('\n');
  lines.splice(numbers(lines.length), 1);
  return lines.join('\n');
};

const repeat: Mutation = (text, numbers) => {
  const { start, end } = piece(text, numbers, 200);
  const place = numbers(text.length + 1);
  return text.slice(0, place) + text.slice(start, end) + text.slice(place);
};

const NUMBER = /\d+/g;
const swapNumbers: Mutation = (text, numbers) => {
  const found = [...text.matchAll(NUMBER)];
  if (found.length < 2) return text;
  const [one, other] = [oneOf(numbers, found), oneOf(numbers, found)].sort((a, b) => a.index - b.index);
  if (one === undefined || other === undefined || one.index === other.index) return text;
  const between = text.slice(one.index + one[0].length, other.index);
  return `${text.slice(0, one.index)}${other[0]}${between}${one[0]}${text.slice(other.index + other[0].length)}`;
};

const HUGE = [
  '0',
  '-1',
  '00',
  '4294967296',
  '9007199254740993',
  '99999999999999999999',
  '1e308',
  'NaN',
  '0x1',
];
const anotherNumber: Mutation = (text, numbers) => {
  const found = [...text.matchAll(NUMBER)];
  if (found.length === 0) return text;
  const { index, 0: was } = oneOf(numbers, found);
  return text.slice(0, index) + oneOf(numbers, HUGE) + text.slice(index + was.length);
};

const INSERTED = [
  '\0',
  '\r',
  '\u2028',
  '\ufeff',
  '"',
  '<',
  '&',
  '{',
  '\\',
  '    ',
  '\n',
  '# SKIP',
  ' # TODO',
  '<!--',
  '-->',
  'Bail out!',
  '\u001b[31m',
];
const insert: Mutation = (text, numbers) => {
  const place = numbers(text.length + 1);
  return text.slice(0, place) + oneOf(numbers, INSERTED) + text.slice(place);
};

export const mutations: readonly Mutation[] = [
  flip,
  flip,
  remove,
  removeLine,
  repeat,
  swapNumbers,
  anotherNumber,
  insert,
];

// No token ends a test case: XML of these is never whole, or it would be a report.
const TOKENS = [
  'TAP version 13\n',
  'ok 1\n',
  'not ok 2 - b\n',
  '# Subtest: x\n',
  '    ',
  '1..',
  '# tests 1\n',
  '# pass 1\n',
  '<testsuite>',
  '<testcase name="a">',
  '</testsuite>',
  '<![CDATA[',
  '<!DOCTYPE x>',
  '{"',
  '"}',
  '":',
  '[]',
  'null',
  '{"Action":"run","Package":"p"}\n',
  'running 1 test\n',
  'test a ... ',
  'test result: ok. ',
  'ok 1 - a {\n',
  '}\n',
  'collected 1 item\n',
  'a.py::b PASSED\n',
  '[gw0] [ 50%] PASSED a.py::c\n',
  '=== short test summary info ===\n',
  '=== ',
  ' in 0.1s',
  '\n',
  ' ',
  '---\n',
  '...\n',
];

const HEADS = [
  '',
  'TAP version 13\n',
  'TAP version 13\nnot ok 1\n  ---\n  ',
  'running 1 test\ntest ',
  '<testsuite>',
  '{"results":',
  'collected 1 item\n',
  'collected 1 item\n=== short test summary info ===\nFAILED ',
] as const;
const LONG = [
  ' ',
  '[',
  '{\n',
  '  a: 1\n  ',
  'ok 1\n',
  '# Subtest: a\n    ok 1\n    1..1\nok 1\n',
  ' ... ',
  '<a ',
  '&amp;',
  '<!--',
  '\n',
  '\u001b[',
  'a::b PASSED [ ',
  '] - ::',
  ' SKIPPED (',
  '=== ',
  'ok 1 - a {\n',
] as const;
const LONGEST = 100_000;

/** One short thing again and again: what costs the square of its length shows here. */
function atLength(numbers: Numbers): string {
  const part = oneOf(numbers, LONG);
  if (numbers(LONG.length) === 0)
    return `${JSON.stringify({ Action: 'run', Package: 'p', Test: 'a/'.repeat(LONGEST / 2) })}\n`;
  return oneOf(numbers, HEADS) + part.repeat(LONGEST / part.length);
}

/** Text that is no report: characters, words of reports in any order, depth and length without end. */
export function garbage(numbers: Numbers): string {
  const kind = numbers(20);
  if (kind === 0 && numbers(10) === 0) return atLength(numbers);
  if (kind === 0) {
    const [open, inner] = oneOf(numbers, [
      ['[', ''],
      ['{"a":', '1'],
      ['<testsuite>', ''],
      ['<testsuites><testsuite>', 'x'],
      ['    ', 'x\n'],
    ] as const);
    return open.repeat(1 + numbers(3_000)) + inner;
  }
  const length = 1 + numbers(60);
  const part = () =>
    kind < 10 ? String.fromCharCode(numbers(kind < 5 ? 128 : 65_536)) : oneOf(numbers, TOKENS);
  return Array.from({ length }, part).join('');
}
