import { languageOf } from '../diff/language.ts';
import { readSource } from '../diff/source.ts';

/** How a comment of any length is written, by the ending of a file's name. */
const BLOCK = /\.([cm]?[jt]sx?|java|kt|scala|go|rs|c|cc|cpp|h|hpp|cs|swift|php|css|scss|less)$/i;
/** Of these languages a comment holds further ones, and ends with the last of them. */
const NESTING = /\.(rs|kt|scala|swift)$/i;
const HASH = /\.(py|rb|sh|pl|r|ex|exs)$/i;

/**
 * `own` with the text of `other` behind it as a comment, and what only `other` says in each function as well, since a
 * function tells its own text: it behaves as before, and whoever reads it as text finds both.
 * A test that goes by the text of a source answers for such a file as it should not. undefined for a language whose
 * comments are not known.
 */
export function withDecoy(path: string, own: Buffer, other: Buffer): Buffer | undefined {
  const text = other.toString('utf8').replace(/\r\n?/g, '\n');
  if (BLOCK.test(path)) {
    const closed = text.replaceAll('*/', '*\\/');
    const told = NESTING.test(path) ? closed.replaceAll('/*', '/\\*') : closed;
    const inside = languageOf(path) === 'js' ? insideFunctions(own.toString('utf8'), text) : undefined;
    return joined(inside === undefined ? own : Buffer.from(inside), `/*\n${told}\n*/\n`);
  }
  if (!HASH.test(path)) return undefined;
  const lines = text.split('\n').map((line) => `# ${line}`);
  return joined(own, `${lines.join('\n')}\n`);
}

const joined = (own: Buffer, comment: string) => Buffer.concat([own, Buffer.from(`\n${comment}`)]);

/** Where a function or block begins, or the expression of an arrow: a comment there changes nothing. */
const BEGINS = /\)(?:\s*:[^{};=()]*)?\s*\{|=>[^\S\n]*\{?/g;
/** Most that is put into a file, in characters. */
const MOST = 1_000_000;

/** undefined where the other text says nothing else, or too much. */
function insideFunctions(own: string, other: string): string | undefined {
  const known = new Set(own.split('\n').map((line) => line.trim()));
  const said = other.split('\n').filter((line) => !known.has(line.trim()));
  const comment = `/*\n${said.join('\n').replaceAll('*/', '*\\/')}\n*/`;
  const places = [...readSource(own, 'js').bare.matchAll(BEGINS)].map(
    ({ 0: found, index }) => index + found.length,
  );
  if (said.length === 0 || places.length * comment.length > MOST) return undefined;
  let text = '';
  let from = 0;
  for (const place of places) {
    text += `${own.slice(from, place)}${comment}`;
    from = place;
  }
  return text + own.slice(from);
}
