import { readSource } from '../diff/source.ts';
import { pastBracket } from '../diff/span.ts';

/** Most that is put into a file, in characters. */
const MOST = 1_000_000;
/** Never true, and nothing that a compiler takes out. */
const NEVER = 'if []:';

/**
 * A program of Python that does what `own` does and tells both texts to whoever reads it, however it is read: by line,
 * function by function, as a tree, or by the names and constants of its compiled code. For that it holds the other text
 * as code that is never reached, beside the comments. `own` itself where that would become too much. See PEP 263 for
 * the comments that have to stay first, and docs.python.org/3/library/inspect.html for what programs tell of themselves.
 */
export function toldInPython(own: string, other: string): string {
  const { bare, code } = readSource(other, 'python');
  const known = new Set(own.split('\n').map((line) => line.trim()));
  const isSaid = other.split('\n').map((line) => line.trim() !== '' && !known.has(line.trim()));
  const said: Said = {
    lines: other.split('\n').filter((_, i) => isSaid[i]),
    names: namesIn(bare.split('\n').filter((_, i) => isSaid[i])),
    literals: literalsIn(code.split('\n').filter((_, i) => isSaid[i])),
  };
  const words = new Set(own.match(WORD) ?? []);
  const fresh = said.names.filter((name) => !words.has(name) && !name.startsWith('__'));
  const functions = functionsIn(other);
  const places = [...placesIn(own), ...lambdasIn(own)];
  let text = '';
  let from = 0;
  for (const { at, indent, name, before, after } of places.sort((a, b) => a.at - b.at)) {
    const told =
      indent === undefined
        ? `[] and (${asConstants(said).join(', ')}) or `
        : statements(said, fresh, functions.get(name) ?? '')
            .map((line) => `${indent}${line}\n`)
            .join('');
    text += `${own.slice(from, at)}${before}${told}${after}`;
    from = at;
    if (text.length > MOST) return own;
  }
  return `${topped(text + own.slice(from))}\n${asNeverRun(other)}`;
}

/** What only the other text says. */
interface Said {
  readonly lines: readonly string[];
  readonly names: readonly string[];
  readonly literals: readonly string[];
}

const WORD = /[A-Za-z_]\w*/g;
const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

const namesIn = (lines: readonly string[]): readonly string[] => [
  ...new Set(lines.flatMap((line) => line.match(WORD) ?? []).filter((word) => !KEYWORDS.has(word))),
];

const TEXT = /'(?:\\[nrt\\'"0]|[^'\\\n])*'|"(?:\\[nrt\\'"0]|[^"\\\n])*"/.source;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?![\w.])/.source;
const ONE = `(?:${TEXT}|${NUMBER})`;
const LITERAL = new RegExp(`(?<![\\w.'"])(?:${TEXT}|${NUMBER})`, 'g');
const GROUP = new RegExp(`[([{]\\s*${ONE}(?:\\s*,\\s*${ONE})*\\s*,?\\s*[)\\]}]`, 'g');

const literalsIn = (lines: readonly string[]): readonly string[] => [
  ...new Set(lines.flatMap((line) => [...(line.match(LITERAL) ?? []), ...(line.match(GROUP) ?? [])])),
];

/** Expressions that put the constants and names of the other text among those of whatever they stand in. */
const asConstants = ({ names, literals }: Said): readonly string[] => [
  '[] == 7919',
  ...literals.map((literal) => `[] ${/^[[({]/.test(literal) ? 'in' : '=='} ${literal}`),
  ...names.map((name) => `[].${name}`),
];

/** What stands first in a function: comments, and code that is never reached. Names that are nobody's are variables. */
function statements(said: Said, fresh: readonly string[], inner: string): readonly string[] {
  return [
    ...said.lines.map((line) => `# ${line}`),
    NEVER,
    ' v7919 = 0',
    ...fresh.map((name) => ` ${name} = 0`),
    ...asConstants(said).map((expression) => ` ${expression}`),
    ...inner.split('\n').flatMap((line) => (line.trim() === '' ? [] : [` ${line}`])),
  ];
}

const DEFINED = /^([ \t]*)((?:async[ \t]+)?def[ \t]+)(\w+)[ \t]*(?=[([])/gm;

/** Where the head of a function ends, behind its colon; undefined for what is none. */
function headEnd(bare: string, at: number): number | undefined {
  let open = at;
  if (bare.charAt(open) === '[') open = pastBracket(bare, open);
  const end = pastBracket(bare, open);
  const colon = /^\s*(?:->[^:\n]*)?:/.exec(bare.slice(end, end + 1000))?.[0];
  return colon === undefined ? undefined : end + colon.length;
}

/** The functions of a text by their names, as functions of another name. One that reaches into others has no place elsewhere. */
function functionsIn(text: string): ReadonlyMap<string, string> {
  const { bare } = readSource(text, 'python');
  const found = new Map<string, string>();
  for (const { 0: whole, 1: indent = '', 2: def = '', 3: name = '', index } of bare.matchAll(DEFINED)) {
    const end = headEnd(bare, index + whole.length);
    if (end === undefined) continue;
    const own = text.slice(index, blockEnd(bare, end, indent));
    if (/\bnonlocal\b|__class__/.test(own)) continue;
    const renamed = `${def}v7919${own.slice(indent.length + def.length + name.length)}`;
    const lines = renamed
      .split('\n')
      .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
    // The first line has lost its indentation with its name.
    found.set(name, [renamed.split('\n')[0] ?? '', ...lines.slice(1)].join('\n'));
  }
  return found;
}

/** The first line behind the head of a block that is not indented further. */
function blockEnd(bare: string, from: number, indent: string): number {
  const line = /\n([ \t]*)\S/g;
  line.lastIndex = from;
  for (let next = line.exec(bare); next !== null; next = line.exec(bare)) {
    if ((next[1] ?? '').length <= indent.length) return next.index;
    line.lastIndex = next.index + 1;
  }
  return bare.length;
}

/** Where something may be put in. Without an indentation it is the expression of a lambda. */
interface Place {
  readonly at: number;
  readonly indent: string | undefined;
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** Where the statements of functions begin, behind the text that documents them. */
function placesIn(own: string): readonly Place[] {
  const { bare } = readSource(own, 'python');
  return [...bare.matchAll(DEFINED)].flatMap(({ 0: whole, 1: indent = '', 3: name = '', index }) => {
    const end = headEnd(bare, index + whole.length);
    const place = end === undefined ? undefined : placeOf(bare, end, indent);
    return place === undefined ? [] : [{ ...place, name }];
  });
}

/** Behind the head of a function; undefined where a body has no place for more. */
function placeOf(bare: string, end: number, indent: string): Omit<Place, 'name'> | undefined {
  const from = end + (/^[ \t]*/.exec(bare.slice(end))?.[0].length ?? 0);
  const onLine = bare.charAt(from);
  if (/^["']?$/.test(onLine)) return undefined;
  if (onLine !== '\n') return { at: from, indent: `${indent} `, before: '\n', after: `${indent} ` };
  const [blank = '', inner = ''] = /^(?:[ \t]*\n)*([ \t]*)(?=\S)/.exec(bare.slice(from + 1)) ?? [];
  const body = from + 1 + blank.length;
  const at = inner.length > indent.length ? behindText(bare, body) : undefined;
  if (at === undefined) return undefined;
  return { at: at === body ? body - inner.length : at, indent: inner, before: '', after: '' };
}

/** The start of the line behind the text that opens a body; `at` itself where none does; undefined where a line goes on. */
function behindText(bare: string, at: number): number | undefined {
  const quote = /^[rRuUbB]{0,2}("""|'''|"|')/.exec(bare.slice(at, at + 5));
  if (quote === null) return at;
  const [opening = '', mark = ''] = quote;
  const close = bare.indexOf(mark, at + opening.length);
  const line = /^[ \t]*\n/.exec(bare.slice(close + mark.length))?.[0];
  return close < 0 || line === undefined ? undefined : close + mark.length + line.length;
}

/** Lambdas, behind their colons. A lambda in a lambda would need brackets. */
function lambdasIn(own: string): readonly Place[] {
  const { bare } = readSource(own, 'python');
  return [
    ...bare.matchAll(
      /(?<![\w.])lambda\b[ \t]*([\w \t,*=/]*):[ \t]*(?=[\w('"[{-])(?!lambda\b|await\b|yield\b)/g,
    ),
  ].map(({ 0: whole, index }) => ({
    at: index + whole.length,
    indent: undefined,
    name: '',
    before: '',
    after: '',
  }));
}

/** With a line more at the top, so that no line stands where it stood. */
function topped(text: string): string {
  const first = /^(?:#[^\n]*\n)*/.exec(text)?.[0] ?? '';
  return text.startsWith('\ufeff') ? text : `${first}#\n${text.slice(first.length)}`;
}

const FUTURE = /^([ \t]*)from[ \t]+__future__[ \t]+import[ \t]*(?:\([^)]*\)|[^\n;]*)/gm;

const asNeverRun = (other: string): string => {
  const lines = other.replace(FUTURE, '$1pass').split('\n');
  return [NEVER, ' pass', ...lines.map((line) => (line.trim() === '' ? line : ` ${line}`)), ''].join('\n');
};
