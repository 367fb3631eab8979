import { scriptTests } from '../diff/script-tests.ts';
import { readSource, type Source } from '../diff/source.ts';
import { partsOf, pastBracket, type Span } from '../diff/span.ts';
import { standsAlone } from '../diff/statement.ts';
import { type Host, wayTo } from './canary-hosts.ts';
import { neutralName, pick, type Random } from './neutral-name.ts';

/** A copy of a test that asks for something that nothing is: it has to fail. */
export interface TurnedTest {
  /** What the report calls it. */
  readonly name: string;
  /** Goes in here. */
  readonly at: number;
  readonly text: string;
}

/** How many tests of a file are copied. */
const MOST = 5;

/**
 * Copies of a file's own tests in which the last statement, an exact comparison, expects another value. Canaries
 * compare values of their own: assertions that give way only for what the program answers are seen by these alone.
 * Only tests are copied of which it is certain that they get to their last statement and leave nothing open: without
 * parameters, not asynchronous, and without a return.
 */
export function turnedTests(text: string, host: Host, random: Random): readonly TurnedTest[] {
  if (host !== 'node' && host !== 'vitest' && host !== 'jest') return [];
  const source = readSource(text, 'js');
  const spans = scriptTests(source);
  const copies = spans.flatMap((span) => {
    if (spans.some(({ head, end }) => head > span.head && end < span.end)) return [];
    const callback = turnedCallback(source, span, host);
    return callback === undefined ? [] : { span, callback };
  });
  const chosen = Array.from({ length: Math.min(MOST, copies.length) }, () =>
    copies.splice(pick(random, copies.length), 1),
  ).flat();
  return chosen.map(({ span, callback }) => {
    const name = neutralName(random, host);
    const word = text.slice(span.head, text.indexOf('(', span.head));
    return { name, at: span.end + 1, text: `;${word}(${JSON.stringify(name)}, ${callback(random)})` };
  });
}

/** What the copy runs; undefined for a test of another form. */
function turnedCallback(source: Source, { head, end }: Span, host: Host) {
  const { code, bare } = source;
  if (!standsAlone(bare, head, end + 1) || !/^(?:it|test)\s*\(/.test(bare.slice(head, head + 40)))
    return undefined;
  const open = bare.indexOf('(', head);
  const parts = partsOf(code, bare, open);
  const callback = parts[1] ?? '';
  const start = /^(?:\(\s*\)\s*=>|function\s*\w*\s*\(\s*\))\s*\{/.exec(callback)?.[0];
  if (parts.length !== 2 || start === undefined) return undefined;
  const at = code.indexOf(callback, open) + start.length;
  const brace = pastBracket(bare, at - 1) - 1;
  const body = { code: code.slice(at, brace), bare: bare.slice(at, brace) };
  if (/\b(?:return|async|await|done|Promise)\b/.test(body.bare)) return undefined;
  const last = lastComparison(body, code, host);
  if (last === undefined) return undefined;
  const before = `${start}${body.code.slice(0, last.from)}`;
  return (random: Random) => `${before}${last.turned(impossible(random))}}`;
}

/** A value that equals nothing, of any type for a compiler. */
const impossible = (random: Random) => `JSON.parse(${JSON.stringify(`"${neutralName(random, 'node')}"`)})`;

const COMPARISON =
  /(?<![\w$.])(?:expect|assert(?:\.strict)?\.(?:equal|strictEqual|deepEqual|deepStrictEqual))\s*\(/g;
const MATCHER = /^\s*\.\s*(?:toBe|toEqual|toStrictEqual)\s*\(/;
const ASSERT = ['node:assert', 'node:assert/strict', 'assert', 'assert/strict'];

/** Where the last comparison starts, and how it reads with another expectation. */
interface Last {
  readonly from: number;
  readonly turned: (value: string) => string;
}

type Body = Pick<Source, 'code' | 'bare'>;

/** The exact comparison that is the last statement of a body. */
function lastComparison(body: Body, file: string, host: Host): Last | undefined {
  const { bare } = body;
  const found = [...bare.matchAll(COMPARISON)].findLast(
    ({ index }) => depthAt(bare, index) === 0 && /(?:^|[;}])\s*$/.test(bare.slice(0, index)),
  );
  if (found === undefined) return undefined;
  const open = found.index + found[0].length - 1;
  if (!found[0].startsWith('expect')) return ofAssert(body, file, found.index, open);
  return host === 'node' ? undefined : ofExpectation(body, found.index, pastBracket(bare, open));
}

function ofExpectation({ code, bare }: Body, from: number, behind: number): Last | undefined {
  const matcher = MATCHER.exec(bare.slice(behind))?.[0];
  if (matcher === undefined) return undefined;
  const open = behind + matcher.length - 1;
  if (!isEnd(bare, pastBracket(bare, open))) return undefined;
  return { from, turned: (value) => `${code.slice(from, open)}(${value});` };
}

function ofAssert({ code, bare }: Body, file: string, from: number, open: number): Last | undefined {
  const [actual, expected, ...rest] = partsOf(code, bare, open);
  if (expected === undefined || !isEnd(bare, pastBracket(bare, open))) return undefined;
  if (ASSERT.every((module) => wayTo(file, module) === undefined)) return undefined;
  return { from, turned: (value) => `${code.slice(from, open)}(${[actual, value, ...rest].join(', ')});` };
}

const isEnd = (bare: string, at: number) => /^\s*;?\s*$/.test(bare.slice(at));

function depthAt(bare: string, at: number): number {
  let depth = 0;
  for (const sign of bare.slice(0, at)) {
    if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) depth -= 1;
  }
  return depth;
}
