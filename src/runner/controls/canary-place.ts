import type { Host } from './canary-hosts.ts';
import type { Random } from './neutral-name.ts';

/**
 * Where canaries go in a file, last place first: always at its end, so that what a test did to the assertions is seen,
 * and in every second file also behind its first imports. Places are offsets at the start of a line.
 */
export function placesFor(text: string, host: Host, random: Random): readonly number[] {
  const top = host === 'pytest' ? undefined : behindImports(text);
  return top !== undefined && isEven(random(1)) ? [text.length, top] : [text.length];
}

const SKIPPED = /^(\s*|\s*\/\/.*|#!.*|\s*\/\*((?!\*\/).)*\*\/\s*|\s*(['"])use strict\3;?\s*)$/;
/** Whole statements on one line. An import ends with its module; anything else needs its semicolon. */
const IMPORT =
  /^import\s+(?:[\w*{][^'"`;()]*\sfrom\s+)?(['"])[^'"]+\1\s*;?\s*$|^(?:const|let|var)\s[^'"`;()=]*=\s*require\((['"])[^'"]+\2\)[\w.]*;\s*$/;

const isEven = ([byte = 0]: Uint8Array) => byte % 2 === 0;

/** Behind the last of the one-line imports that open a file; undefined for a file that opens otherwise. */
function behindImports(text: string): number | undefined {
  let offset = 0;
  let place: number | undefined;
  for (const line of text.split('\n')) {
    const isImport = IMPORT.test(line);
    if (!isImport && !SKIPPED.test(line)) break;
    offset += line.length + 1;
    if (isImport && offset <= text.length) place = offset;
  }
  return place;
}
