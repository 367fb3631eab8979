import { pastTable, scriptTests } from '../diff/script-tests.ts';
import { readSource } from '../diff/source.ts';
import { partsOf, pastBracket, type Span } from '../diff/span.ts';
import { standsAlone } from '../diff/statement.ts';
import type { Host } from './canary-hosts.ts';
import { type Body, lastComparison } from './last-comparison.ts';
import { neutralName, pick, type Random } from './neutral-name.ts';
import { turnedInPython } from './turned-python.ts';
import type { TurnedTest } from './turned-test.ts';

/** How many tests of a file are copied. */
const MOST = 5;

/**
 * Copies of a file's own tests in which the last statement, an exact comparison, expects another value. Canaries
 * compare values of their own: assertions that give way only for what the program answers are seen by these alone.
 * Only tests are copied that get to their last statement when they pass, and that hand nothing on to others.
 */
export function turnedTests(text: string, host: Host, random: Random): readonly TurnedTest[] {
  if (host === 'pytest') return chosen(turnedInPython(text, random), random);
  if (host !== 'node' && host !== 'vitest' && host !== 'jest') return [];
  const source = readSource(text, 'js');
  const file = { text, bare: source.bare };
  const spans = scriptTests(source);
  const copies = spans.flatMap((span) => {
    if (spans.some(({ head, end }) => head > span.head && end < span.end)) return [];
    const { word, at } = calledBy(file, span);
    const callback = turnedCallback(file, { ...span, head: at }, word, host);
    return callback === undefined ? [] : { span, word, callback };
  });
  return chosen(copies, random).map(({ span, word, callback }) => {
    const name = neutralName(random, host);
    return {
      name,
      original: span.name,
      at: span.end + 1,
      text: `;${word}(${JSON.stringify(name)}, ${callback(random)})`,
    };
  });
}

function chosen<T>(all: readonly T[], random: Random): readonly T[] {
  const left = [...all];
  return Array.from({ length: Math.min(MOST, left.length) }, () =>
    left.splice(pick(random, left.length), 1),
  ).flat();
}

/** What stands before the bracket of a test's call, with its table and what waits for it, and where that begins. */
function calledBy({ text, bare }: Body, { head }: Span): { readonly word: string; readonly at: number } {
  const waits = /\bawait\s+$/.exec(bare.slice(Math.max(0, head - 50), head))?.[0].length ?? 0;
  const table = /^[\w.]+\.(?:each|for)\s*(?=[(`])/.exec(bare.slice(head, head + 60))?.[0].length;
  const open = table === undefined ? bare.indexOf('(', head) : pastTable(bare, head + table);
  return { word: text.slice(head - waits, open), at: head - waits };
}

/** node hands each test its context, which need not be used up. */
const START = /^(?:async\s*)?(?:\(\s*(t?)\s*\)\s*=>|function\s*\w*\s*\(\s*(t?)\s*\))\s*\{/;
/** Rows of a table are handed on whatever they are called. */
const OF_ROW = /^(?:async\s*)?(?:\([^()]*\)\s*=>|function\s*\w*\s*\([^()]*\))\s*\{/;
const CALLED = /^(?:(?:it|test)(?:\.(?:concurrent|each|for))*|(?:await\s+)?t\.test)\s*$/;

/** What the copy runs; undefined for a test of another form. */
function turnedCallback({ text, bare }: Body, { head, end }: Span, word: string, host: Host) {
  const open = head + word.length;
  const hasTable = /\.(?:each|for)\b/.test(word);
  const called = hasTable ? (/^[\w.]+/.exec(word)?.[0] ?? '') : word;
  if (!standsAlone(bare, head, end + 1) || !CALLED.test(called)) return undefined;
  const parts = partsOf(text, bare, open);
  const callback = parts[1] ?? '';
  const [start, first = '', second = ''] = (hasTable ? OF_ROW : START).exec(callback) ?? [];
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
