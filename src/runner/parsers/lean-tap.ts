/** Deeper than any program nests; indentation costs the library the square of its length. */
const MOST_INDENTATION = 400;
/** What a diagnosis may come to, and all of them together: YAML costs the square of its length as well. */
const LONGEST_DIAGNOSIS = 16_000;
const ALL_DIAGNOSES = 1_000_000;

export const SAYS_SOMETHING = /^\s*((not )?ok\b|\d+\.\.\d|bail out!|pragma )/i;

/**
 * A TAP text without what is not needed to judge it and would take too long to read: diagnoses and indentation beyond
 * measure. Throws a RangeError where anything left out could be a result.
 */
export function leanTap(text: string): string {
  const lines = text.split('\n');
  const kept: string[] = [];
  let diagnosed = 0;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (indentationOf(line) > MOST_INDENTATION) {
      leaveOut([line]);
      continue;
    }
    const end = startsDiagnosis(line) ? endOfDiagnosis(lines, at, indentationOf(line)) : at;
    const block = lines.slice(at, end + 1);
    const length = end === at ? 0 : block.reduce((sum, one) => sum + one.length + 1, 0);
    diagnosed += length;
    if (isTooLong(length, diagnosed)) kept.push(...shortened(block));
    else kept.push(...(end === at ? block.map(withOneDirective) : block));
    at = end;
  }
  return kept.join('\n');
}

const isTooLong = (length: number, diagnosed: number) =>
  length > LONGEST_DIAGNOSIS || (length > 0 && diagnosed > ALL_DIAGNOSES);

const POINT = /^\s*(not )?ok\b/;
const DIRECTIVE = /\s#\s*(?:skip|todo)\b/i;

/** The library takes the first sign for the directive's: others before it, which tape does not escape, are escaped. */
function withOneDirective(line: string): string {
  const at = POINT.test(line) ? line.search(DIRECTIVE) : -1;
  if (at < 0) return line;
  return line.slice(0, at).replace(/\\.|#/g, (sign) => (sign === '#' ? '\\#' : sign)) + line.slice(at);
}

/** Whether a diagnosis begins with this line: after a test point, that is. */
export const startsDiagnosis = (line: string): boolean => /^ +---\s*$/.test(line);

/** The index of the line that ends a diagnosis, or of the last line before one that stands further left. */
export function endOfDiagnosis(lines: readonly string[], start: number, indentation: number): number {
  const indent = ' '.repeat(indentation);
  let at = start + 1;
  while (at < lines.length && lines[at]?.startsWith(indent)) {
    if (lines[at]?.trimEnd() === `${indent}...`) return at;
    at += 1;
  }
  return at - 1;
}

/** With how many spaces or tabs a line begins. */
export function indentationOf(line: string): number {
  let at = 0;
  while (line[at] === ' ' || line[at] === '\t') at += 1;
  return at;
}

/** Of a whole diagnosis, that its test point is a suite: without it the counts of node could not be checked. */
function shortened(block: readonly string[]): readonly string[] {
  leaveOut(block);
  const [first = '', last = ''] = [block[0], block.at(-1)];
  const suite = block.slice(1, 4).find((line) => /^ +type: 'suite'\s*$/.test(line));
  return suite !== undefined && last.trim() === '...' ? [first, suite, last] : [];
}

function leaveOut(lines: readonly string[]): void {
  if (lines.some((line) => SAYS_SOMETHING.test(line))) throw new RangeError('too long to be read');
}
