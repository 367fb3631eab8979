/** How a comment of any length is written, by the ending of a file's name. */
const BLOCK = /\.([cm]?[jt]sx?|java|kt|scala|go|rs|c|cc|cpp|h|hpp|cs|swift|php|css|scss|less)$/i;
/** Of these languages a comment holds further ones, and ends with the last of them. */
const NESTING = /\.(rs|kt|scala|swift)$/i;
const HASH = /\.(py|rb|sh|pl|r|ex|exs)$/i;

/**
 * `own` with the text of `other` behind it as a comment: it behaves as before, and whoever reads it as text finds both.
 * A test that goes by the text of a source answers for such a file as it should not. undefined for a language whose
 * comments are not known.
 */
export function withDecoy(path: string, own: Buffer, other: Buffer): Buffer | undefined {
  const text = other.toString('utf8').replace(/\r\n?/g, '\n');
  if (BLOCK.test(path)) {
    const closed = text.replaceAll('*/', '*\\/');
    const told = NESTING.test(path) ? closed.replaceAll('/*', '/\\*') : closed;
    return joined(own, `/*\n${told}\n*/\n`);
  }
  if (!HASH.test(path)) return undefined;
  const lines = text.split('\n').map((line) => `# ${line}`);
  return joined(own, `${lines.join('\n')}\n`);
}

const joined = (own: Buffer, comment: string) => Buffer.concat([own, Buffer.from(`\n${comment}`)]);
