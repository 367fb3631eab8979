/** Deeper than any program nests; indentation costs the library the square of its length. */
const MOST_INDENTATION = 400;
/** What a diagnosis may come to, and all of them together: YAML costs the square of its length as well. */
const LONGEST_DIAGNOSIS = 16_000;
const ALL_DIAGNOSES = 1_000_000;

const SAYS_SOMETHING = /^\s*((not )?ok\b|\d+\.\.\d|bail out!|pragma )/i;

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
    const end = /^ +---\s*$/.test(line) ? endOfDiagnosis(lines, at, indentationOf(line)) : at;
    const block = lines.slice(at, end + 1);
    const length = end === at ? 0 : block.reduce((sum, one) => sum + one.length + 1, 0);
    diagnosed += length;
    if (isTooLong(length, diagnosed)) leaveOut(block);
    else for (const one of block) kept.push(one);
    at = end;
  }
  return kept.join('\n');
}

const isTooLong = (length: number, diagnosed: number) =>
  length > LONGEST_DIAGNOSIS || (length > 0 && diagnosed > ALL_DIAGNOSES);

/** The index of the line that ends a diagnosis, or of the last line before one that stands further left. */
function endOfDiagnosis(lines: readonly string[], start: number, indentation: number): number {
  const indent = ' '.repeat(indentation);
  let at = start + 1;
  while (at < lines.length && lines[at]?.startsWith(indent)) {
    if (lines[at]?.trimEnd() === `${indent}...`) return at;
    at += 1;
  }
  return at - 1;
}

function indentationOf(line: string): number {
  let at = 0;
  while (line[at] === ' ' || line[at] === '\t') at += 1;
  return at;
}

function leaveOut(lines: readonly string[]): void {
  if (lines.some((line) => SAYS_SOMETHING.test(line))) throw new RangeError('too long to be read');
}
