import { partsOf, pastBracket } from '../diff/span.ts';
import { type Host, wayTo } from './canary-hosts.ts';
import { neutralVariable, type Random } from './neutral-name.ts';
import { turnedValue } from './turned-value.ts';

/** A text, or a part of it, with its reading in which comments and the inside of texts are blanks. */
export interface Body {
  readonly text: string;
  readonly bare: string;
}

const COMPARISON =
  /(?<![\w$.])(?:expect|assert(?:\.strict)?\.(?:equal|strictEqual|deepEqual|deepStrictEqual))\s*\(/g;
const MATCHER =
  /^\s*\.\s*(?:toBe|toEqual|toStrictEqual|toMatchObject|to\s*\.\s*(?:deep\s*\.\s*)?(?:equal|eql))\s*\(/;
const ASSERT = ['node:assert', 'node:assert/strict', 'assert', 'assert/strict'];

/** Where the last comparison starts, and how it reads with another expectation. */
export interface Last {
  readonly from: number;
  /** All from there to the end of the body. */
  readonly turned: (random: Random) => string;
}

/** The exact comparison that is the last statement of a body, or of the loop that ends it. */
export function lastComparison(body: Body, file: string, host: Host): Last | undefined {
  return lastStatement(body, file, host) ?? lastOfLoop(body, file, host);
}

const LOOP =
  /(?<![\w$.])for\s*(?:await\s*)?(?=\()|\.\s*forEach\s*\(\s*(?:\([^()]*\)|[\w$]+)\s*=>\s*(?=\{)|\.\s*forEach\s*\(\s*function\s*\w*\s*\([^()]*\)\s*(?=\{)/g;

/** A loop that never gets there asks for nothing: then the copy fails by itself. */
function lastOfLoop({ text, bare }: Body, file: string, host: Host): Last | undefined {
  const found = [...bare.matchAll(LOOP)].findLast(({ index }) => depthAt(bare, index) === 0);
  if (found === undefined) return undefined;
  const behind = found.index + found[0].length;
  const at = bare.charAt(behind) === '(' ? pastBracket(bare, behind) : behind;
  const open = at + (/^\s*/.exec(bare.slice(at))?.[0].length ?? 0);
  if (bare.charAt(open) !== '{') return undefined;
  const close = pastBracket(bare, open) - 1;
  const inner = { text: text.slice(open + 1, close), bare: bare.slice(open + 1, close) };
  if (!/^\}\s*\)?\s*;?\s*$/.test(bare.slice(close)) || /\b(?:break|continue)\b/.test(inner.bare))
    return undefined;
  const last = lastComparison(inner, file, host);
  if (last === undefined) return undefined;
  return {
    from: open + 1 + last.from,
    turned: (random) => {
      const flag = `globalThis.${neutralVariable(random)}`;
      const reached = `new Function("${flag} = 1")();`;
      const ended = `new Function("if (${flag} !== 1) throw new Error('not one came here')")();`;
      return `${reached} ${last.turned(random)}${text.slice(close)}\n${ended}`;
    },
  };
}

function lastStatement(body: Body, file: string, host: Host): Last | undefined {
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
  const sides = (random: Random) =>
    isWritten(actual) && !isWritten(expected)
      ? [turnedValue(actual ?? '', random), expected]
      : [actual, turnedValue(expected, random)];
  return {
    from,
    turned: (random) => `${text.slice(from, open)}(${[...sides(random), ...rest].join('\n, ')});`,
  };
}

/** Begins as a written value does: some name first what they expect. */
const isWritten = (side: string | undefined) =>
  /^(?:['"`[{\d-]|(?:true|false|null|undefined)\b)/.test(side ?? '');

const isEnd = (bare: string, at: number) => /^\s*;?\s*$/.test(bare.slice(at));

function depthAt(bare: string, at: number): number {
  let depth = 0;
  for (const sign of bare.slice(0, at)) {
    if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) depth -= 1;
  }
  return depth;
}
