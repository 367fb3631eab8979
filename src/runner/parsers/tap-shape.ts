import { endOfDiagnosis, indentationOf, startsDiagnosis } from './lean-tap.ts';

const POINT = /^\s*(not )?ok\b/;
const STANDS_ALONE = /^\s*((not )?ok\b|\d+\.\.\d|TAP version )/i;
/** How a test point ends whose subtests follow in braces; before a directive it may also be the name's last sign. */
const OPENS = /\{\s*$/;
const MAY_OPEN = /\{\s+#/;
const INDENT = 4;

/** A brace that is open: where its test point stands, and whether anything stands in it so far. */
interface Block {
  readonly indentation: number;
  readonly certain: boolean;
  empty: boolean;
}

/**
 * Whether a TAP text breaks off in a test point or a diagnosis, leaves subtests in braces open, or closes braces with
 * nothing in them. A name may end in a brace: nothing that is indented follows it then.
 */
export function breaksOff(text: string): boolean {
  const lines = withoutDiagnoses(text.split('\n'));
  // A test point without the end of its line may have lost its name, or the word that says that it was skipped.
  if (lines === undefined || POINT.test(lines.at(-1) ?? '')) return true;
  const open: Block[] = [];
  let before = '';
  for (const line of lines.filter((one) => one.trim() !== '')) {
    if (line !== DIAGNOSED && !isKept(open, line, indentationOf(line))) return true;
    const block = openedBy(line, before);
    if (block !== undefined) open.push(block);
    before = line;
  }
  const last = open.at(-1);
  if (last?.empty === true && !last.certain) open.pop();
  return open.length > 0;
}

/** In the place of a diagnosis. */
const DIAGNOSED = '\0...';

/** Undefined when the text breaks off in a diagnosis. */
function withoutDiagnoses(lines: readonly string[]): readonly string[] | undefined {
  const kept: string[] = [];
  const last = lines.findLastIndex((line) => line.trim() !== '');
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (!startsDiagnosis(line)) {
      kept.push(line);
      continue;
    }
    at = endOfDiagnosis(lines, at, indentationOf(line));
    if (lines[at]?.trim() === '...') kept.push(DIAGNOSED);
    else if (at >= last) return undefined;
  }
  return kept;
}

/** Closes what the line closes; false when it cannot stand where it does. */
function isKept(open: Block[], line: string, indentation: number): boolean {
  for (let block = open.at(-1); block !== undefined; block = open.at(-1)) {
    if (indentation >= block.indentation + INDENT) block.empty = false;
    if (indentation > block.indentation) return true;
    const closes = line.trim() === '}';
    if (closes && indentation === block.indentation) {
      open.pop();
      return !block.empty;
    }
    // What a program prints in between is no part of the report.
    if (!closes && !STANDS_ALONE.test(line)) return true;
    if (!block.empty) return false;
    open.pop();
  }
  return true;
}

function openedBy(line: string, before: string): Block | undefined {
  const indentation = indentationOf(line);
  if (before === DIAGNOSED && line.trim() === '{') return { indentation, certain: true, empty: true };
  if (!POINT.test(line) || !(OPENS.test(line) || MAY_OPEN.test(line))) return undefined;
  return { indentation, certain: OPENS.test(line), empty: true };
}
