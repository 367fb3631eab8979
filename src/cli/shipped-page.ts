import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EngineError } from '../engine/engine-error.ts';

// In a bundle in CommonJS format there is no import.meta, in an ES module no __filename.
const here = () => (typeof __filename === 'string' ? __filename : fileURLToPath(import.meta.url));

/** A page of the documentation that the package carries, by its path below the package. Throws NOT_FOUND. */
export function shippedPage(path: string): string {
  // Source, compiled files and bundle all lie two folders below the package.
  const file = join(dirname(here()), '../..', path);
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const what = `${path} is not where this program is installed`;
    throw new EngineError('NOT_FOUND', what, 'install the package whole, with its folder docs', { cause });
  }
}

/** The part of a page below the heading that `isMeant` picks, with the heading, up to the next of its rank or above. */
export function sectionOf(page: string, isMeant: (heading: string) => boolean): string | undefined {
  const lines = page.split('\n');
  const ranks = ranksOf(lines);
  const start = lines.findIndex((line, i) => (ranks[i] ?? 0) > 0 && isMeant(line.replace(/^#+ /, '')));
  if (start < 0) return undefined;
  const rank = ranks[start] ?? 0;
  const length = ranks.slice(start + 1).findIndex((other) => other > 0 && other <= rank);
  return lines.slice(start, length < 0 ? undefined : start + 1 + length).join('\n');
}

/** The rank of each line as a heading, 0 for none: within a block of code a # begins a comment. */
function ranksOf(lines: readonly string[]): readonly number[] {
  let inCode = false;
  return lines.map((line) => {
    if (line.startsWith('```')) inCode = !inCode;
    return inCode ? 0 : (/^(#+) /.exec(line)?.[1]?.length ?? 0);
  });
}
