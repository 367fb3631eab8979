import type { Language } from './language.ts';
import { recently } from './recently.ts';

/** One text in three readings, each as long as the text itself, with the same line breaks. */
export interface Source {
  /** Comments are blanks. */
  readonly code: string;
  /** Comments and the inside of texts are blanks. */
  readonly bare: string;
  /** All but comments is blanks. */
  readonly comments: string;
}

const CODE = 0;
const TEXT = 1;
const COMMENT = 2;
/** Within a template. */
const CODE_STARTS = '\x24{';

type Mark = (from: number, to: number, kind: number) => void;

/** A token that is no plain code: where it starts, sticky, and what of it is text. */
interface Token {
  readonly pattern: RegExp;
  readonly kind: number;
  /** How long the delimiters are; they stay code. */
  readonly open: number;
  readonly close: number;
}

const token = (pattern: RegExp, kind: number, open = 0, close = 0): Token => ({ pattern, kind, open, close });
const lineComment = token(/\/\/[^\n]*/y, COMMENT);
const blockComment = token(/\/\*[\s\S]*?(?:\*\/|$)/y, COMMENT);
const hashComment = token(/#[^\n]*/y, COMMENT);
const doubled = token(/"(?:\\[\s\S]|[^"\\\n])*"?/y, TEXT, 1, 1);
const single = token(/'(?:\\[\s\S]|[^'\\\n])*'?/y, TEXT, 1, 1);

const tokens: Readonly<Record<Language, readonly Token[]>> = {
  js: [lineComment, blockComment, doubled, single],
  python: [
    hashComment,
    token(/"""[\s\S]*?(?:"""|$)/y, TEXT, 3, 3),
    token(/'''[\s\S]*?(?:'''|$)/y, TEXT, 3, 3),
    doubled,
    single,
  ],
  go: [
    lineComment,
    blockComment,
    doubled,
    token(/`[^`]*`?/y, TEXT, 1, 1),
    token(/'(?:\\.|[^'\\\n])'/y, TEXT, 1, 1),
  ],
  rust: [
    lineComment,
    blockComment,
    token(/r(#*)"[\s\S]*?(?:"\1|$)/y, TEXT, 1),
    token(/"(?:\\[\s\S]|[^"\\])*"?/y, TEXT, 1, 1),
    token(/'(?:\\[^\n']+|[^'\\\n])'/y, TEXT, 1, 1),
  ],
  c: [lineComment, blockComment, doubled, single],
  shell: [hashComment, doubled, single],
  plain: [],
};

const recent = recently((key: string) => {
  const at = key.indexOf(':');
  return readNew(key.slice(at + 1), key.slice(0, at) as Language);
});

/** Tells comments, texts and code apart, well enough for looking at tests and stubs; never throws on any text. */
export const readSource = (text: string, language: Language): Source => recent(`${language}:${text}`);

function readNew(text: string, language: Language): Source {
  const kinds = new Uint8Array(text.length);
  const mark: Mark = (from, to, kind) => kinds.fill(kind, from, Math.max(from, to));
  if (language === 'js') readScript(text, mark);
  else readPlain(text, tokens[language], mark);
  const runs = runsOf(kinds);
  const keep = (...wanted: number[]) =>
    runs
      .map(({ from, to, kind }) => {
        const part = text.slice(from, to);
        return wanted.includes(kind) ? part : part.replace(/[^\n]/g, ' ');
      })
      .join('');
  return { code: keep(CODE, TEXT), bare: keep(CODE), comments: keep(COMMENT) };
}

/** Where neighbours of one kind lie together. */
function runsOf(kinds: Uint8Array) {
  const runs: { readonly from: number; readonly to: number; readonly kind: number }[] = [];
  let from = 0;
  for (let to = 1; to <= kinds.length; to++) {
    const kind = kinds[from] ?? CODE;
    if (kinds[to] === kind) continue;
    runs.push({ from, to, kind });
    from = to;
  }
  return runs;
}

/** The end of the token that starts here; undefined where none does. */
function take(text: string, at: number, of: readonly Token[], mark: Mark): number | undefined {
  for (const { pattern, kind, open, close } of of) {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found === undefined) continue;
    mark(at + open, at + found.length - close, kind);
    return at + found.length;
  }
  return undefined;
}

function readPlain(text: string, of: readonly Token[], mark: Mark): void {
  let at = 0;
  while (at < text.length) at = take(text, at, of, mark) ?? at + 1;
}

const regex = /\/(?:\\[^\n]|\[(?:\\[^\n]|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
const templatePart = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*/y;
// A slash after one of these starts a regular expression; after a name or a bracket it divides.
const beforeRegex =
  /(?:^|[=(,:;!&|?{}[+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|throw|await|yield|void|delete))$/;

/** What a reader of a script remembers of what came before. */
interface Memory {
  /** For each template that is open, how many braces of its code are. */
  readonly open: number[];
  /** The last characters that are no comment. */
  last: string;
}

/** Templates hold code that holds templates, and a slash may divide. */
function readScript(text: string, mark: Mark): void {
  const memory: Memory = { open: [], last: '' };
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    // Comments and texts of a script start with one of these.
    const end = char === '/' || char === '"' || char === "'" ? take(text, at, tokens.js, mark) : undefined;
    at = end ?? step(text, at, memory, mark);
    if (end === undefined) memory.last = remembered(memory.last, char);
    else if (char !== '/') memory.last = '"';
  }
}

const remembered = (last: string, char: string) =>
  /[\w\s]/.test(char) ? `${last.slice(-12)}${char.trim() === '' ? ' ' : char}`.trimStart() : char;

/** Past one character, or the template or the regular expression that starts there. */
function step(text: string, at: number, memory: Memory, mark: Mark): number {
  const char = text.charAt(at);
  const { open } = memory;
  const inTemplate = char === '}' && open.at(-1) === 0;
  if (inTemplate) open.pop();
  if (inTemplate || char === '`') return pastTemplate(text, at + 1, open, mark);
  if (char === '/' && beforeRegex.test(memory.last.trimEnd())) return pastRegex(text, at, mark);
  const braces = open.pop();
  if (braces !== undefined) open.push(braces + (char === '{' ? 1 : char === '}' ? -1 : 0));
  return at + 1;
}

/** To the end of the template, or into the code that it holds. */
function pastTemplate(text: string, at: number, open: number[], mark: Mark): number {
  templatePart.lastIndex = at;
  const end = at + (templatePart.exec(text)?.[0].length ?? 0);
  mark(at, end, TEXT);
  if (!text.startsWith(CODE_STARTS, end)) return end + 1;
  open.push(0);
  return end + 2;
}

function pastRegex(text: string, at: number, mark: Mark): number {
  regex.lastIndex = at;
  const found = regex.exec(text)?.[0];
  if (found === undefined) return at + 1;
  mark(at + 1, at + found.length - 1, TEXT);
  return at + found.length;
}
