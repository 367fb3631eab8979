import { languageOf } from '../diff/language.ts';
import { readSource } from '../diff/source.ts';
import { pastBracket } from '../diff/span.ts';
import { toldInPython } from './decoy-python.ts';

/** How a comment of any length is written, by the ending of a file's name. */
const BLOCK = /\.([cm]?[jt]sx?|java|kt|scala|go|rs|c|cc|cpp|h|hpp|cs|swift|php|css|scss|less)$/i;
/** Of these languages a comment holds further ones, and ends with the last of them. */
const NESTING = /\.(rs|kt|scala|swift)$/i;
const HASH = /\.(py|rb|sh|pl|r|ex|exs)$/i;

/** `code`: also as code that is never reached, which those find who leave comments out or read what was compiled. */
export type Telling = 'comments' | 'code';

/**
 * `own` with the text of `other` behind it as a comment, and what only `other` says in each function as well, since a
 * function tells its own text, and all of it a line further down: it behaves as before, and whoever reads it as text finds both.
 * A test that goes by the text of a source answers for such a file as it should not. undefined for a language whose
 * comments are not known.
 */
export function withDecoy(
  path: string,
  own: Buffer,
  other: Buffer,
  telling: Telling = 'comments',
): Buffer | undefined {
  const text = other.toString('utf8').replace(/\r\n?/g, '\n');
  if (BLOCK.test(path)) {
    const closed = text.replaceAll('*/', '*\\/');
    const told = NESTING.test(path) ? closed.replaceAll('/*', '/\\*') : closed;
    if (languageOf(path) !== 'js') return joined(topped(path, own), `/*\n${told}\n*/\n`);
    const inside = insideFunctions(path, own.toString('utf8'), text, telling);
    const behind = telling === 'code' ? `;\n${asCode(text.split('\n'))}\n` : '';
    return joined(
      topped(path, inside === undefined ? own : Buffer.from(inside)),
      `/*\n${told}\n*/\n${behind}`,
    );
  }
  if (!HASH.test(path)) return undefined;
  const lines = text.split('\n').map((line) => `# ${line}`);
  const told =
    telling === 'code' && /\.py$/i.test(path) ? toldInPython(own.toString('utf8'), text) : undefined;
  return joined(told === undefined ? topped(path, own) : Buffer.from(told), `${lines.join('\n')}\n`);
}

const joined = (own: Buffer, comment: string) => Buffer.concat([own, Buffer.from(`\n${comment}`)]);

/** What has to stand first where it stands at all: a mark of the encoding, a line for the shell, comments that say how to read the rest. */
const FIRST = { block: /^\ufeff?(?:#![^[\n][^\n]*\n)?/, hash: /^\ufeff?(?:#[^\n]*\n)*/ };
/** Here an empty line would be written to whoever reads, or is not allowed. */
const KEPT = /\.(php|css|scss|less)$/i;

/** With a line more at the top, so that no line stands where it stood: a test that goes by its number misses it. */
function topped(path: string, own: Buffer): Buffer {
  if (KEPT.test(path)) return own;
  const text = own.toString('utf8');
  const first = (HASH.test(path) ? FIRST.hash : FIRST.block).exec(text)?.[0] ?? '';
  // Bytes that are no UTF-8 stay as they are.
  const at = Buffer.byteLength(first);
  return Buffer.concat([own.subarray(0, at), Buffer.from('\n'), own.subarray(at)]);
}

/** Where a function or block begins, or the expression of an arrow: a comment there changes nothing. */
const BEGINS = /\)(?:\s*:[^{};=()]*)?\s*\{|=>[^\S\n]*\{?/g;
/** Most that is put into a file, in characters. */
const MOST = 1_000_000;

/** undefined where the other text says nothing else, or too much. */
function insideFunctions(path: string, own: string, other: string, telling: Telling): string | undefined {
  const known = new Set(own.split('\n').map((line) => line.trim()));
  const said = other.split('\n').filter((line) => !known.has(line.trim()));
  const comment = `/*\n${said.join('\n').replaceAll('*/', '*\\/')}\n*/`;
  const { bare } = readSource(own, 'js');
  const places = [...bare.matchAll(BEGINS)].map(({ 0: found, index }) => ({
    found,
    at: index + found.length,
  }));
  if (said.length === 0 || places.length * comment.length > MOST) return undefined;
  const code = telling === 'code' ? asCode(said) : '';
  let text = '';
  let from = 0;
  for (const { found, at } of places) {
    text += `${own.slice(from, at)}${comment}${code !== '' && isBody(path, { own, bare }, found, at) ? code : ''}`;
    from = at;
  }
  return text + own.slice(from);
}

/** Whether statements may stand here that change nothing: a body of a function that opens by no directive. */
function isBody(
  path: string,
  { own, bare }: { readonly own: string; readonly bare: string },
  found: string,
  at: number,
): boolean {
  if (!found.endsWith('{') || /^\s*['"]use /.test(own.slice(at, at + 200))) return false;
  // In a type, an arrow may stand before a list of members.
  if (found.startsWith('=>')) return /\.[cm]?jsx?$/i.test(path);
  if (!/^\)\s*\{$/.test(found)) return false;
  const head = bare.slice(Math.max(0, at - 2000), at - found.length);
  const opening = [...head.matchAll(/\bfunction\b\s*\*?\s*[\w$]*\s*(?=\()/g)].at(-1);
  return (
    opening !== undefined && pastBracket(head + found, opening.index + opening[0].length) === head.length + 1
  );
}

/** Lines as values that nobody keeps, each written as it stands where that is possible. */
const asCode = (lines: readonly string[]): string => `void [${lines.map(quoted).join(',\n')}];`;

function quoted(line: string): string {
  if (!/["\\]/.test(line)) return `"${line}"`;
  if (!/['\\]/.test(line)) return `'${line}'`;
  return /`|\$\{|\\(?:[xu\d]|$)/.test(line) ? JSON.stringify(line) : `\`${line}\``;
}
