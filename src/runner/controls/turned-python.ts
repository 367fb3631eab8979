import { pythonTests } from '../diff/native-tests.ts';
import { readSource } from '../diff/source.ts';
import { pastBracket } from '../diff/span.ts';
import { neutralName, pick, type Random } from './neutral-name.ts';
import type { TurnedTest } from './turned-test.ts';

/**
 * The same for Python: functions and methods that end in an assertion of equality, by `assert` or by unittest, with what
 * stands above them, so that a table of pytest's is run through as well. One that ends in a loop fails where the loop
 * never gets there.
 */
export function turnedInPython(text: string, random: Random): readonly TurnedTest[] {
  const { bare } = readSource(text, 'python');
  return pythonTests({ code: text, bare, comments: '' }).flatMap(({ name: original, head, start, end }) => {
    const last = lastAssertion(text.slice(start, end), bare.slice(start, end), random);
    const head0 = text.slice(head, start);
    const name = neutralName(random, 'pytest');
    const indent = /^[ \t]*/.exec(text.slice(head))?.[0] ?? '';
    if (last === undefined || /@\s*(?:hypothesis\.|given\b|[\w.]*(?:expectedFailure|xfail)\b)/.test(head0))
      return [];
    const named = head0.replace(/(\bdef[ \t]+)test\w*(?=[ \t]*\($|[ \t]*\([\s\S]*$)/, `$1${name}`);
    return [
      { name, original, at: end, text: `\n\n${named.startsWith(indent) ? '' : indent}${named}${last}\n` },
    ];
  });
}

const ASSERTED = /\n([ \t]+)(assert\s+|self\.assertEquals?\s*(?=\())/g;

/** The body of a test in which its last statement expects another value; undefined where that is no equality. */
function lastAssertion(text: string, bare: string, random: Random): string | undefined {
  if (/\b(?:return|break|continue|yield|nonlocal|global)\b/.test(bare)) return undefined;
  const found = [...bare.matchAll(ASSERTED)].at(-1);
  if (found === undefined) return undefined;
  const [whole, indent = '', word = ''] = found;
  const at = found.index + whole.length;
  const sides = word.startsWith('assert') ? ofAssert(bare, at) : ofUnittest(bare, at);
  if (
    sides === undefined ||
    bare.slice(sides.end).trim() !== '' ||
    !isReached(bare.slice(0, found.index), indent)
  )
    return undefined;
  const [one, other] = [text.slice(at + sides.skip, sides.middle), text.slice(sides.from, sides.to)];
  // Some write first what they expect.
  const [left, right] = isWritten(one) && !isWritten(other) ? [other, one] : [one, other];
  const isDeeper = indent.length > firstIndent(bare).length;
  const flag = `v${pick(random, 1_000_000)}`;
  const asked = `assert (${left}\n) == ${turnedInExpression(right, random)}`;
  const before = text.slice(0, found.index);
  if (!isDeeper) return `${before}\n${indent}${asked}`;
  const outer = firstIndent(bare);
  const opened = bare.indexOf('\n');
  return `${before.slice(0, opened)}\n${outer}${flag} = []${before.slice(opened)}\n${indent}${flag}.append(1)\n${indent}${asked}\n${outer}assert ${flag}`;
}

/** Begins as a written value does. */
const isWritten = (side: string) => /^\s*(?:['"[{(\d-]|[rbu]['"]|(?:True|False|None)\b)/.test(side);

const firstIndent = (bare: string) => /\n([ \t]+)\S/.exec(bare)?.[1] ?? '';

/** Whether every block around the last statement is a loop or a context, and not a condition. */
function isReached(before: string, indent: string): boolean {
  let depth = indent.length;
  for (const line of before.split('\n').toReversed()) {
    const own = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    if (line.trim() === '' || own >= depth || own === 0) continue;
    if (!/^\s*(?:for|with|async (?:for|with))\b/.test(line)) return false;
    if (/raises|Raises|assert|suppress|warns|catch|sub_?tests?\b|subTest/.test(line)) return false;
    depth = own;
  }
  return true;
}

/** Where the two sides of an equality lie. */
interface Sides {
  /** How many brackets stand before the left side. */
  readonly skip: number;
  readonly middle: number;
  readonly from: number;
  readonly to: number;
  readonly end: number;
}

/** `assert a == b`, and `assert a == b, why`: one comparison, and nothing that joins it to another. */
function ofAssert(bare: string, at: number): Sides | undefined {
  const end = statementEnd(bare, at);
  const marks = outside(bare, at, end);
  const [equal, ...more] = marks.filter(({ sign }) => sign === '==');
  const comma = marks.find(({ sign }) => sign === ',')?.at ?? end;
  const others = marks.some(({ sign, at: place }) => place < comma && sign !== '==' && sign !== ',');
  if (equal === undefined || more.some(({ at: place }) => place < comma) || others || equal.at > comma)
    return undefined;
  return { skip: 0, middle: equal.at, from: equal.at + 2, to: comma, end };
}

function ofUnittest(bare: string, at: number): Sides | undefined {
  const close = pastBracket(bare, at) - 1;
  const commas = outside(bare, at + 1, close).filter(({ sign }) => sign === ',');
  const [first, second] = commas;
  if (first === undefined) return undefined;
  return { skip: 1, middle: first.at, from: first.at + 1, to: second?.at ?? close, end: close + 1 };
}

/** The signs outside of brackets that part a condition. */
function outside(bare: string, from: number, to: number) {
  const found: { readonly sign: string; readonly at: number }[] = [];
  let depth = 0;
  for (let at = from; at < to; at++) {
    const char = bare.charAt(at);
    if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char)) depth--;
    if (depth > 0) continue;
    const sign = /^(?:==|!=|<=|>=|<|>|,|(?<!\w)(?:and|or|not|in|is|if|else|lambda)\b)/.exec(
      bare.slice(at, at + 8),
    )?.[0];
    if (sign === undefined || (/^\w/.test(sign) && /\w/.test(bare.charAt(at - 1)))) continue;
    found.push({ sign, at });
    at += sign.length - 1;
  }
  return found;
}

/** The end of the logical line. */
function statementEnd(bare: string, from: number): number {
  let depth = 0;
  for (let at = from; at < bare.length; at++) {
    const char = bare.charAt(at);
    if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char)) depth--;
    else if (char === '\n' && depth === 0 && bare.charAt(at - 1) !== '\\') return at;
  }
  return bare.length;
}

/** Another value of the same kind and form, as for scripts; what is of no plain kind becomes a text that nothing is. */
function turnedInExpression(expected: string, random: Random): string {
  const n = 1 + pick(random, 8);
  const other = JSON.stringify(neutralName(random, 'node'));
  const kinds = [
    'not x if type(x) is bool',
    `x + ${n} if type(x) is int`,
    `(x + ${n} if x + ${n} != x and x == x else 0.0) if type(x) is float`,
    '0 if x is None',
    `(chr(ord(x[0]) + (-1 if x[0] in '9zZ' else 1)) + x[1:] if x[:1].isalnum() and x[0].isascii() else x + 'a') if type(x) is str`,
    `x + b'a' if type(x) is bytes`,
    `([t(t, x[0])] + x[1:] if x else [${n}]) if type(x) is list`,
    `((t(t, x[0]),) + x[1:] if x else (${n},)) if type(x) is tuple`,
    `({**x, list(x)[0]: t(t, x[list(x)[0]])} if x else {${other}: ${n}}) if type(x) is dict`,
    `x | {${other}} if type(x) in (set, frozenset)`,
  ];
  return `(lambda t, x: t(t, x))((lambda t, x: ${kinds.join(' else ')} else ${other}), (${expected}\n))`;
}
