import { languageOf } from '../diff/language.ts';
import { readSource } from '../diff/source.ts';
import { pastBracket } from '../diff/span.ts';
import { inlineTestLines } from '../inline-tests.ts';
import { type Edit, lineNumbers, mutantOf } from './edits.ts';
import { withoutLoaded } from './loaded-names.ts';
import { isIdle, type Mutant, OPERATORS, spread, turns, wordsOf } from './mutants.ts';

/**
 * Where the first match of each line decided nothing: functions that answer nothing, values that are not kept, later
 * matches of a line, arguments that are not handed on. None throws by itself: a test that only calls the code would
 * notice that, and has asked nothing of it. Those come first that turn a whole file at once.
 */
export function furtherMutants(
  path: string,
  text: string,
  isAsked: (line: number) => boolean,
  most = 10,
): readonly Mutant[] {
  const { bare } = readSource(text, languageOf(path));
  const tests = inlineTestLines(path, text);
  const lines = text.split('\n');
  const line = lineNumbers(text);
  const isTried = (at: number) =>
    isAsked(line(at)) && !tests.has(line(at)) && !isIdle(lines[line(at) - 1] ?? '');
  const code: Code = {
    bare,
    find: (pattern) =>
      spread(
        [...bare.matchAll(pattern)].filter(({ index }) => isTried(index)),
        MOST_PLACES,
      ),
  };
  const of = (edits: readonly Edit[]) =>
    edits.filter(({ from, to, word }) => isTried(from) && text.slice(from, to) !== word);
  const { answer } = wordsOf(path);
  const returned = of(answer === undefined ? [] : returns(code, answer));
  const bodies = of(
    answer === undefined || !SCRIPT.test(path) ? [] : [...wholeBodies(code, answer), ...arrows(code, answer)],
  );
  const whole = bodies.length > 0 ? bodies : returned;
  const kept = of(answer === undefined ? [] : assigned(code, answer));
  const handed = of(answer === undefined ? [] : handedOn(code, answer));
  const { literals, later } = matches(path, lines);
  const singly = [whole, kept, bodies.length > 0 ? returned : [], of(later), handed];
  return [
    ...[whole, spread(of(literals), MOST_PLACES)].filter(({ length }) => length > 1),
    ...turns(singly.map((edits) => spread(edits, most))).map((edit) => [edit]),
  ]
    .slice(0, most)
    .map((edits) => mutantOf(path, text, edits));
}

/** How many places of one kind are looked at: a file may have any number, and a hostile one no end of brackets. */
const MOST_PLACES = 200;

/** A text in its bare reading, with the matches of a pattern that are of any use. */
interface Code {
  readonly bare: string;
  find(pattern: RegExp): readonly RegExpExecArray[];
}

const SCRIPT = /\.[cm]?[jt]sx?$/i;
const CONTROL = /(?:^|[^\w$.])(?:if|for|while|switch|catch|with|constructor|super)\s*$/;

/** What is returned, wherever on its line. */
const returns = ({ bare, find }: Code, word: string): readonly Edit[] =>
  find(/(?<![\w$.])return[^\S\n]+(?=[^\s;}])/g).map(({ index, 0: { length } }) => ({
    from: index + length,
    to: expressionEnd(bare, index + length, false),
    word,
  }));

/** What an arrow answers without a body of statements. */
const arrows = ({ bare, find }: Code, word: string): readonly Edit[] =>
  find(/=>\s*(?=[^\s{])/g).map(({ index, 0: { length } }) => ({
    from: index + length,
    to: expressionEnd(bare, index + length, true),
    word,
  }));

/** Functions and methods that answer before they begin; a constructor that does has made nothing that can be used. */
const wholeBodies = ({ bare, find }: Code, word: string): readonly Edit[] =>
  find(/(=>|\))(?:\s*:\s*[\w<>[\]|., ]+?)?\s*\{/g).flatMap(({ index, 0: all, 1: sign }) => {
    const at = index + all.length;
    if (sign === ')' && CONTROL.test(before(bare, bracketBefore(bare, index)))) return [];
    return [{ from: at, to: at, word: ` return ${word};` }];
  });

/** Where the bracket opens that closes at `at`. */
function bracketBefore(bare: string, at: number): number {
  let depth = 0;
  for (let i = at; i >= 0; i--) {
    if (bare.charAt(i) === ')') depth++;
    else if (bare.charAt(i) === '(' && --depth === 0) return i;
  }
  return 0;
}

/** Values that are not kept. A function or a module in a variable is no value: without it nothing can be called. */
const assigned = ({ bare, find }: Code, word: string): readonly Edit[] =>
  find(/(?<=[\w$\])]\s*)(?<![=!<>+\-*/%&|^?])=(?![=>])[^\S\n]*(?=[^\s;])/g).flatMap((found) => {
    const from = found.index + found[0].length;
    const to = expressionEnd(bare, from, true);
    const value = bare.slice(from, to);
    return /=>|^(?:async|function|class|require|await import)\b/.test(value) ? [] : [{ from, to, word }];
  });

/** What is handed to a call, one at a time; functions stay. */
const handedOn = ({ bare, find }: Code, word: string): readonly Edit[] =>
  find(/[\w$](\()(?=\s*[^\s)])/g).flatMap(({ index }) => {
    const open = index + 1;
    const name = before(bare, open);
    const end = pastBracket(bare, open);
    const isHead =
      /^\s*(?:\{|=>|:[^;,)]*\{)/.test(bare.slice(end, end + 200)) || /\b(?:def|fn|func)\s+\w+$/.test(name);
    if (isHead || /(?:^|[^\w$.])(?:if|for|while|switch|catch|with|require|import)$/.test(name)) return [];
    const edits: Edit[] = [];
    for (let from = open + 1; from < end; ) {
      const to = Math.min(expressionEnd(bare, from, true), end - 1);
      const start = from + (/^\s*/.exec(bare.slice(from, to))?.[0].length ?? 0);
      if (start < to && !/=>|\bfunction\b|^\.\.\./.test(bare.slice(start, to)))
        edits.push({ from: start, to, word });
      from = to + 1;
    }
    return edits;
  });

/** Figures and texts, and whatever an operator finds on a line behind its first match. */
function matches(path: string, lines: readonly string[]) {
  const words = wordsOf(path);
  const literals: Edit[] = [];
  const later: Edit[] = [];
  let start = 0;
  for (const line of lines) {
    const { masked } = withoutLoaded(line);
    for (const [pattern, replacement] of OPERATORS) {
      const word = typeof replacement === 'string' ? replacement : replacement(words);
      const all = word === undefined ? [] : [...masked.matchAll(new RegExp(pattern, 'g'))];
      const edits = all.map(({ index, 0: found }) => ({
        from: start + index,
        to: start + index + found.length,
        word: word ?? '',
      }));
      later.push(...edits.slice(1));
      literals.push(...edits.filter((_, n) => /^(?:['"]|-?\d)/.test(all[n]?.[0] ?? '')));
    }
    start += line.length + 1;
  }
  return { literals, later };
}

/** Where an expression ends that starts at `at`: at its line's end, unless a bracket is open or the next line goes on. */
function expressionEnd(bare: string, at: number, atComma: boolean): number {
  let depth = 0;
  for (let i = at; i < bare.length; i++) {
    const char = bare.charAt(i);
    if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char) && --depth < 0) return trimmed(bare, at, i);
    if (depth > 0) continue;
    if (char === ';' || (atComma && char === ',')) return trimmed(bare, at, i);
    if (char === '\n' && !goesOn(before(bare, i), bare.slice(i, i + 200))) return trimmed(bare, at, i);
  }
  return trimmed(bare, at, bare.length);
}

const before = (text: string, at: number) => text.slice(Math.max(0, at - 80), at);

const trimmed = (bare: string, from: number, to: number) => from + bare.slice(from, to).trimEnd().length;

const goesOn = (before: string, after: string) =>
  /^\s*[.?:+*/&|]/.test(after) || /[=+*/&|?:,(]\s*$/.test(before);
