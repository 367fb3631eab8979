import { lineDiff, linesOf } from './diff/line-diff.ts';
import { readSource } from './diff/source.ts';
import { pastBracket } from './diff/span.ts';

/** Whether sources of this language hold their own tests, in parts that only a build for tests contains. */
export const mayHoldTests = (path: string): boolean => /\.rs$/.test(path);

/** The lines of a source, parted; each with where it stands, counted from 0. */
interface Parted {
  readonly program: readonly Line[];
  readonly tests: readonly TestPart[];
}

interface Line {
  readonly at: number;
  readonly text: string;
}

/** A run of whole lines that is compiled for tests only. */
interface TestPart {
  readonly start: number;
  /** The line behind it. */
  readonly end: number;
  /** In no module or block of the program. */
  readonly atTop: boolean;
  readonly lines: readonly string[];
}

/** The lines, counted from 1, that belong to tests which stand in a source; none for other languages. */
export function inlineTestLines(path: string, text: string): ReadonlySet<number> {
  if (!mayHoldTests(path)) return new Set();
  return new Set(testParts(text).flatMap(({ start, lines }) => lines.map((_, i) => start + i + 1)));
}

/** The tests of a source as one text; '' where it holds none. */
export const inlineTests = (path: string, text: string): string =>
  mayHoldTests(path) ? joined(testParts(text).flatMap(({ lines }) => lines)) : '';

/** What is left of a source without its tests. */
export const withoutInlineTests = (path: string, text: string): string =>
  mayHoldTests(path) ? joined(parted(text).program.map((line) => line.text)) : text;

/**
 * The program of one source with the tests of another version of it: base's behaviour with the work's tests, or the
 * other way round. The order of items means nothing to the language, so tests at the top go to the end; those inside
 * of a module go behind the line that stands before them in both versions.
 */
export function withTestsOf(program: string, tests: string): string {
  const [own, other] = [parted(program), parted(tests)];
  const lines = own.program.map(({ text }) => text);
  const after = placesFor(lines, other);
  const behind = (place: number) => other.tests.flatMap((part, i) => (after[i] === place ? part.lines : []));
  const mixed = lines.flatMap((line, i) => [line, ...behind(i + 1)]);
  return joined([...behind(0), ...mixed, ...other.tests.flatMap((part) => (part.atTop ? part.lines : []))]);
}

/** Behind how many lines of the program each part goes; undefined for those that go to the end. */
function placesFor(lines: readonly string[], { program, tests }: Parted): readonly (number | undefined)[] {
  const { added, removed } = lineDiff(
    lines,
    program.map(({ text }) => text),
  );
  const kept = lines.flatMap((_, i) => (removed.has(i) ? [] : [i]));
  const keptThere = program.filter((_, i) => !added.has(i));
  return tests.map(({ start, atTop }) => {
    if (atTop) return undefined;
    const before = keptThere.filter(({ at }) => at < start).length;
    return before === 0 ? 0 : (kept[before - 1] ?? 0) + 1;
  });
}

function parted(text: string): Parted {
  const tests = testParts(text);
  const inside = new Set(tests.flatMap(({ start, lines }) => lines.map((_, i) => start + i)));
  const program = linesOf(text).flatMap((line, at) => (inside.has(at) ? [] : [{ at, text: line }]));
  return { program, tests };
}

const WHOLE = /^\s*#!\[cfg\(test\)\]/m;
const MARK = /#\[(?:cfg\(\s*(?:test|all\(\s*test\s*,[^\]\n]*\))\s*\)|(?:\w+::)*test\b[^\]\n]*)\]/g;
/** More attributes, then the word that an item starts with. What follows otherwise is part of the program. */
const ITEM =
  /(?:\s*#\[[^\]\n]*\])*\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:async|unsafe|const|extern)\s+)*((?:use|mod|fn|const|static|struct|enum|union|trait|impl|type|extern)\b|macro_rules!)/y;
const LEADS = /^\s*(?:#\[.*\]|\/\/\/.*)\s*$/;

/** Items under `#[cfg(test)]` and functions under `#[test]`, as whole lines; what shares a line with the program stays. */
function testParts(text: string): readonly TestPart[] {
  const lines = linesOf(text);
  const { bare } = readSource(text, 'rust');
  if (WHOLE.test(bare)) return [{ start: 0, end: lines.length, atTop: true, lines }];
  const parts: TestPart[] = [];
  for (const { index, 0: mark } of bare.matchAll(MARK)) {
    const end = endOfItem(bare, index + mark.length);
    let start = lineAt(bare, index);
    if (end === undefined || start < (parts.at(-1)?.end ?? 0)) continue;
    const last = lineAt(bare, end - 1) + 1;
    if (!isBlank(lineRest(bare, end)) || !isBlank(lineStart(bare, index))) continue;
    while (start > 0 && LEADS.test(lines[start - 1] ?? '')) start--;
    parts.push({ start, end: last, atTop: depthAt(bare, index) === 0, lines: lines.slice(start, last) });
  }
  return parts;
}

/** Behind the block of an item, or behind its semicolon; undefined where none starts here. */
function endOfItem(bare: string, from: number): number | undefined {
  ITEM.lastIndex = from;
  const word = ITEM.exec(bare)?.[1];
  if (word === undefined) return undefined;
  const bySemicolon = /^(use|const|static|type)$/.test(word);
  let at = ITEM.lastIndex;
  while (at < bare.length) {
    const char = bare.charAt(at);
    if (char === ';') return at + 1;
    if (char === '{' && !bySemicolon) return pastBracket(bare, at);
    at = '([{'.includes(char) ? pastBracket(bare, at) : at + 1;
  }
  return undefined;
}

const lineAt = (text: string, at: number) => text.slice(0, at).split('\n').length - 1;
const lineStart = (text: string, at: number) => text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
const lineRest = (text: string, at: number) => text.slice(at).split('\n', 1)[0] ?? '';
const isBlank = (text: string) => /^(\s|#\[[^\]\n]*\])*$/.test(text);

function depthAt(bare: string, at: number): number {
  let depth = 0;
  for (const char of bare.slice(0, at)) depth += char === '{' ? 1 : char === '}' ? -1 : 0;
  return depth;
}

const joined = (lines: readonly string[]) => (lines.length === 0 ? '' : `${lines.join('\n')}\n`);
