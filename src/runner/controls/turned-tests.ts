import { scriptTests } from '../diff/script-tests.ts';
import { readSource } from '../diff/source.ts';
import { partsOf, pastBracket, type Span } from '../diff/span.ts';
import { standsAlone } from '../diff/statement.ts';
import { type Host, wayTo } from './canary-hosts.ts';
import { neutralName, pick, type Random } from './neutral-name.ts';
import { turnedValue } from './turned-value.ts';

/** A copy of a test that asks for something that nothing is: it has to fail. */
export interface TurnedTest {
  /** What the report calls it. */
  readonly name: string;
  /** What the test is called of which it is a copy. */
  readonly original: string;
  /** Goes in here. */
  readonly at: number;
  readonly text: string;
}

/** How many tests of a file are copied. */
const MOST = 5;

/**
 * Copies of a file's own tests in which the last statement, an exact comparison, expects another value. Canaries
 * compare values of their own: assertions that give way only for what the program answers are seen by these alone.
 * Only tests are copied that get to their last statement when they pass, and that hand nothing on to others.
 */
export function turnedTests(text: string, host: Host, random: Random): readonly TurnedTest[] {
  if (host !== 'node' && host !== 'vitest' && host !== 'jest') return [];
  const source = readSource(text, 'js');
  const file = { text, bare: source.bare };
  const spans = scriptTests(source);
  const copies = spans.flatMap((span) => {
    if (spans.some(({ head, end }) => head > span.head && end < span.end)) return [];
    const callback = turnedCallback(file, span, host);
    return callback === undefined ? [] : { span, callback };
  });
  const chosen = Array.from({ length: Math.min(MOST, copies.length) }, () =>
    copies.splice(pick(random, copies.length), 1),
  ).flat();
  return chosen.map(({ span, callback }) => {
    const name = neutralName(random, host);
    const word = text.slice(span.head, text.indexOf('(', span.head));
    return {
      name,
      original: span.name,
      at: span.end + 1,
      text: `;${word}(${JSON.stringify(name)}, ${callback(random)})`,
    };
  });
}

/** A text, or a part of it, with its reading in which comments and the inside of texts are blanks. */
interface Body {
  readonly text: string;
  readonly bare: string;
}

/** node hands each test its context, which need not be used up. */
const START = /^(?:async\s*)?(?:\(\s*(t?)\s*\)\s*=>|function\s*\w*\s*\(\s*(t?)\s*\))\s*\{/;

/** What the copy runs; undefined for a test of another form. */
function turnedCallback({ text, bare }: Body, { head, end }: Span, host: Host) {
  if (!standsAlone(bare, head, end + 1) || !/^(?:it|test)\s*\(/.test(bare.slice(head, head + 40)))
    return undefined;
  const open = bare.indexOf('(', head);
  const parts = partsOf(text, bare, open);
  const callback = parts[1] ?? '';
  const [start, first = '', second = ''] = START.exec(callback) ?? [];
  if (parts.length !== 2 || start === undefined || (host !== 'node' && first + second !== ''))
    return undefined;
  const at = text.indexOf(callback, open) + start.length;
  const brace = pastBracket(bare, at - 1) - 1;
  const body = { text: text.slice(at, brace), bare: bare.slice(at, brace) };
  if (/\breturn\b/.test(body.bare) || handsOn(body.bare)) return undefined;
  const last = lastComparison(body, text, host);
  if (last === undefined) return undefined;
  const before = `${start}${body.text.slice(0, last.from)}`;
  return (random: Random) => `${before}${last.turned(random)}}`;
}

/** Whether something is put where another test finds it: run twice, it may be left open. */
function handsOn(bare: string): boolean {
  const own = new Set([...bare.matchAll(/\b(?:const|let|var)\s+(\w+)/g)].map(([, name]) => name));
  const inside = [...bare.matchAll(/(?<![\w$.])([\w$]+)(?:\s*\.\s*[\w$]+|\[[^\]]*\])+\s*=(?![=>])/g)];
  const given = [
    ...bare.matchAll(/(?<![\w$.])([\w$]+)\s*(?:[-+*/%&|^]|\*\*|<<|>>>?|&&|\|\||\?\?)?=(?![=>])/g),
  ];
  return [...given, ...inside].some(([, name]) => !own.has(name));
}

const COMPARISON =
  /(?<![\w$.])(?:expect|assert(?:\.strict)?\.(?:equal|strictEqual|deepEqual|deepStrictEqual))\s*\(/g;
const MATCHER = /^\s*\.\s*(?:toBe|toEqual|toStrictEqual)\s*\(/;
const ASSERT = ['node:assert', 'node:assert/strict', 'assert', 'assert/strict'];

/** Where the last comparison starts, and how it reads with another expectation. */
interface Last {
  readonly from: number;
  readonly turned: (random: Random) => string;
}

/** The exact comparison that is the last statement of a body. */
function lastComparison(body: Body, file: string, host: Host): Last | undefined {
  const { bare } = body;
  const found = [...bare.matchAll(COMPARISON)].findLast(
    ({ index }) => depthAt(bare, index) === 0 && /(?:^|[;}])\s*(?:await\s)?\s*$/.test(bare.slice(0, index)),
  );
  if (found === undefined) return undefined;
  const open = found.index + found[0].length - 1;
  if (!found[0].startsWith('expect')) return ofAssert(body, file, found.index, open);
  return host === 'node' ? undefined : ofExpectation(body, found.index, open);
}

function ofExpectation({ text, bare }: Body, from: number, at: number): Last | undefined {
  const behind = pastBracket(bare, at);
  const matcher = MATCHER.exec(bare.slice(behind))?.[0];
  if (matcher === undefined) return undefined;
  const open = behind + matcher.length - 1;
  const wanted = partsOf(text, bare, open);
  // What is asked about may be a matcher itself, which is pleased with more than one value.
  const plain = wanted.length === 1 && !/\bexpect\s*\./.test(bare.slice(at, behind));
  if (!plain || !isEnd(bare, pastBracket(bare, open))) return undefined;
  return {
    from,
    turned: (random) => `${text.slice(from, open)}(${turnedValue(wanted[0] ?? '', random)});`,
  };
}

function ofAssert({ text, bare }: Body, file: string, from: number, open: number): Last | undefined {
  const [actual, expected, ...rest] = partsOf(text, bare, open);
  if (expected === undefined || !isEnd(bare, pastBracket(bare, open))) return undefined;
  if (ASSERT.every((module) => wayTo(file, module) === undefined)) return undefined;
  return {
    from,
    turned: (random) =>
      `${text.slice(from, open)}(${[actual, turnedValue(expected, random), ...rest].join('\n, ')});`,
  };
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
