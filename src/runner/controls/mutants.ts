import type { ChangedFile } from '../change.ts';
import { inlineTestLines } from '../inline-tests.ts';
import { isCode } from './code-files.ts';
import { onlyLoads, withoutLoaded } from './loaded-names.ts';
import type { Work } from './work.ts';

/** One small change of behaviour in one file. */
export interface Mutant {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly what: string;
  /** The changed place alone, where it is known. */
  readonly brief?: string;
  readonly content: string;
}

/** What stands for a text, a number and an answer that nobody expects, as far as the language has one. */
interface Words {
  readonly number: string;
  readonly answer: string | undefined;
  /** The same where a type may stand as well. */
  readonly plain?: string;
}

const WORDS: readonly (readonly [RegExp, Words])[] = [
  [/\.py$/i, { number: '7919', answer: 'None' }],
  // Small enough for any type of number, and a value of nearly every type.
  [/\.rs$/i, { number: '97', answer: 'Default::default()' }],
  // A compiler that minds types takes it for any value.
  [/\.[cm]?tsx?$/i, { number: '7919', answer: 'undefined as never', plain: 'undefined' }],
  [/\.[cm]?jsx?$/i, { number: '7919', answer: 'undefined' }],
  [/\.(rb)$/i, { number: '7919', answer: 'nil' }],
  [/\.(java|kt|cs|php|swift|scala)$/i, { number: '7919', answer: 'null' }],
];
const OTHERS: Words = { number: '7919', answer: undefined };

export const wordsOf = (path: string): Words => WORDS.find(([ending]) => ending.test(path))?.[1] ?? OTHERS;

type Operator = readonly [RegExp, string | ((words: Words) => string | undefined)];
const number = (words: Words) => words.number;
const answer = (words: Words) => words.answer;
const plain = (words: Words) => words.plain ?? words.answer;

// Each is tried once a line, in this order: a turned condition or answer is noticed before a changed figure.
export const OPERATORS: readonly Operator[] = [
  [/===/, '!=='],
  [/!==/, '==='],
  [/(?<![=!<>])==(?!=)/, '!='],
  [/(?<!=)!=(?!=)/, '=='],
  [/<=/, '>'],
  [/(?<![=-])>=/, '<'],
  [/(?<=\s)<(?=\s)/, '>='],
  [/(?<=\s)>(?=\s)/, '<='],
  [/&&/, '||'],
  [/\|\|/, '&&'],
  [/\band\b(?=.*:)/, 'or'],
  [/\bis not\b/, 'is'],
  [/(?<=\b(?:if|elif|while|and|or|return)\s)not (?=[\w(])/, ''],
  [/(?<=[\s(])!(?=[\w$(])/, ''],
  [/\btrue\b/, 'false'],
  [/\bfalse\b/, 'true'],
  [/\bTrue\b/, 'False'],
  [/\bFalse\b/, 'True'],
  [/(?<=\s)\+(?=\s)/, '-'],
  [/(?<=\s)-(?=\s)/, '+'],
  [/(?<=\s)\*(?=\s)/, '/'],
  [/(?<=\s)%(?=\s)/, '*'],
  [/(?<=\breturn\s)[^;{}]+(?=;?\s*$)/, answer],
  [/(?<=[=(,[\s])-?\d+(?=[\s,;)\]]|$)/, number],
  [/(?<=[=(,[\s:?])'[^'\n]+'/, "'mutated'"],
  [/(?<=[=(,[\s:?])"[^"\n]+"/, '"mutated"'],
];

// For lines on which none of those is found: what is answered, whatever it is, and then what is done at all.
const LAST: readonly Operator[] = [
  [/(?<=^\s*(?:if|elif|while)\s+)[^:(][^:]*(?=:\s*$)/, answer],
  [
    /(?<=(?:^|\s)(?:if|while)\s*\()(?:[^()]|\([^()]*\))+(?=\)\s*(?:\{|return\b|throw\b|continue\b|break\b|$))/,
    answer,
  ],
  [/(?<==>\s*)(?![\s{])[^;{}]+?(?=[;,)]*\s*$)/, answer],
  [/(?<=\breturn\s)(?=\S).+?(?=;?\s*$)/, answer],
  [/(?<=->[^{}]*\{\s*)[^\s{};][^{};]*?(?=\s*\}\s*$)/, answer],
  [/(?<=\s)(\?\?)(?=\s)/, '&&'],
  [/(?<=[=(,[\s:?])`[^`\n]+`/, '`mutated`'],
  [/(?<=[\w\]"'] *[:=]\s*)(?![\s{[(=>])[^,;{}=]+(?=[,;]?\s*$)/, plain],
  [/(?<=^\s*)[^\s,:;{}()=]+(?:\([^;{}=]*\))?(?=;?\s*$)/, answer],
];

/** Lines that do nothing, or that only say where something is: without them nothing can be loaded. */
const IDLE = /^\s*(\/\/|\/\*|\*|#|import\b|from\b|export \*|export \{[^}]*\} from\b|package\b|use\b|$)/;

/** The same, and lines that only load another module: a module that cannot find it is noticed by whoever loads the one. */
export const isIdle = (line: string): boolean => IDLE.test(line) || onlyLoads(line);

/** `usual`: lines without a usual operator are left alone where there are others; `every`: they come last. */
export type Coverage = 'usual' | 'every';

/**
 * Mutants of a text on the lines asked for, one operator each, spread over the lines: every line has had its turn
 * before a line has a second. Tests that stand in a source are no part of what is tried.
 */
export function mutantsOf(
  path: string,
  text: string,
  isAsked: (line: number) => boolean,
  every: Coverage = 'usual',
): readonly Mutant[] {
  const tests = inlineTestLines(path, text);
  const isTried = (line: number) => isAsked(line) && !tests.has(line);
  const usual = turned(path, text, isTried, OPERATORS);
  if (every === 'usual' && usual.length > 0) return usual;
  const known = new Set(usual.map(({ line }) => line));
  // What no usual operator is found on has its turn behind those.
  return [...usual, ...turned(path, text, (line) => isTried(line) && !known.has(line), LAST)];
}

function turned(
  path: string,
  text: string,
  isTried: (line: number) => boolean,
  operators: readonly Operator[],
): readonly Mutant[] {
  const words = wordsOf(path);
  const lines = text.split('\n');
  const found: { readonly turn: number; readonly mutant: Mutant }[] = [];
  lines.forEach((line, at) => {
    if (!isTried(at + 1) || isIdle(line)) return;
    const { masked, named } = withoutLoaded(line);
    let turn = 0;
    for (const [pattern, replacement] of operators) {
      const word = typeof replacement === 'string' ? replacement : replacement(words);
      const changed = word === undefined ? line : named(masked.replace(pattern, () => word));
      if (changed === line || !isBalanced(changed, line)) continue;
      const content = [...lines.slice(0, at), changed, ...lines.slice(at + 1)].join('\n');
      const what = `${line.trim()} -> ${changed.trim()}`;
      const brief = `${named(pattern.exec(masked)?.[0].trim())} -> ${word}`;
      found.push({ turn: turn++, mutant: { path, line: at + 1, what, brief, content } });
    }
  });
  return found.sort((a, b) => a.turn - b.turn).map(({ mutant }) => mutant);
}

/** A change that takes one bracket of a pair is no program any more. */
const isBalanced = (changed: string, line: string) =>
  ['()', '[]', '{}'].every(([open = '', close = '']) => {
    const leftOpen = (text: string) => text.split(open).length - text.split(close).length;
    return leftOpen(changed) === leftOpen(line);
  });

/** Mutants on the lines that the work added or changed. */
export const mutantsOfWork = (work: Work, added: readonly ChangedFile[], every: Coverage = 'usual') =>
  onChangedLines(work, added, (path, text, isAsked) => mutantsOf(path, text, isAsked, every));

/** The same of any kind of mutant. */
export async function onChangedLines(
  { change, changedSources }: Work,
  added: readonly ChangedFile[],
  of: (path: string, text: string, isAsked: (line: number) => boolean) => readonly Mutant[],
): Promise<readonly Mutant[]> {
  const found: (readonly Mutant[])[] = [];
  for (const { path } of [...changedSources, ...added].filter(isCode)) {
    const after = (await change.after(path))?.toString('utf8');
    if (after === undefined) continue;
    const before = new Set(
      (await change.before(path))
        ?.toString('utf8')
        .split('\n')
        .map((l) => l.trim()),
    );
    const lines = after.split('\n');
    found.push(of(path, after, (line) => !before.has((lines[line - 1] ?? '').trim())));
  }
  return turns(found);
}

/** For each file one mutant with every line of it turned that can be: what no test sees then, no test asks for. */
export function allAtOnce(mutants: readonly Mutant[]): readonly Mutant[] {
  const paths = [...new Set(mutants.map(({ path }) => path))];
  return paths.flatMap((path) => {
    const own = mutants.filter((mutant) => mutant.path === path);
    const [first] = own;
    if (first === undefined || own.length === 1) return [];
    const lines = first.content.split('\n');
    for (const { line, content } of own.toReversed()) lines[line - 1] = content.split('\n')[line - 1] ?? '';
    return [{ path, line: first.line, what: `${first.what}, and all others`, content: lines.join('\n') }];
  });
}

/** At most so many, the first one and others from all over the list. */
export function spread<T>(all: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(most, all.length) }, (_, n) => all[Math.floor(n * step)]).filter(
    (one): one is T => one !== undefined,
  );
}

/** One of each list, then a second of each, and so on. */
export function turns<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, n) => lists.flatMap((list) => list.slice(n, n + 1))).flat();
}
