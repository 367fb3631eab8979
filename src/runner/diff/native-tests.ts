import type { Source } from './source.ts';
import { entriesOf, pastBracket, type Span } from './span.ts';

/** Tests of pytest and unittest: functions and methods whose name starts with `test`, with the rows of a table. */
export function pythonTests({ bare }: Source): readonly Span[] {
  const found = [...bare.matchAll(/^([ \t]*)(?:async[ \t]+)?def[ \t]+(test\w*)[ \t]*\(/gm)];
  return found.map(({ 0: whole, 1: indent = '', 2: name = '', index }) => {
    const start = pastBracket(bare, index + whole.length - 1);
    const above = decoratorsAbove(bare, index);
    return {
      name,
      weight: rowsOf(above),
      head: index - above.length,
      start,
      end: endOfBlock(bare, start, indent),
    };
  });
}

/** The first line behind the head of a block that is not indented further than the block. */
function endOfBlock(bare: string, start: number, indent: string): number {
  const line = /\n([ \t]*)\S/g;
  line.lastIndex = start;
  for (let next = line.exec(bare); next !== null; next = line.exec(bare)) {
    if ((next[1] ?? '').length <= indent.length) return next.index;
    line.lastIndex = next.index + 1;
  }
  return bare.length;
}

/** The lines of decorators right above a function, with the lines that they run over. */
function decoratorsAbove(bare: string, at: number): string {
  const lines = bare.slice(Math.max(0, at - 5000), at).split('\n');
  lines.pop();
  let taken = 0;
  for (let n = lines.length - 1; n >= 0; n--) {
    const line = lines[n] ?? '';
    if (/^\s*@/.test(line)) taken = lines.length - n;
    else if (/^\s*$|^\s*(?:def|class|async)\b|^\S.*[^,([{]$/.test(line) && !/^\s*[)\]},]/.test(line)) break;
  }
  return taken === 0 ? '' : `${lines.slice(-taken).join('\n')}\n`;
}

function rowsOf(decorators: string): number {
  const marks = [...decorators.matchAll(/parametrize\s*\([^[\]()]*,\s*(?=\[)/g)];
  return marks.reduce((rows, { 0: whole, index }) => rows * entriesOf(decorators, index + whole.length), 1);
}

/** Tests of Go: functions named `Test…` that take a *testing.T, and named sub-tests are part of them. */
export function goTests({ bare }: Source): readonly Span[] {
  return [...bare.matchAll(/^func[ \t]+((?:Test|Fuzz|Example)\w*)[ \t]*\(/gm)].map((found) => {
    const start = pastBracket(bare, found.index + found[0].length - 1);
    const brace = bare.indexOf('{', start);
    const end = brace < 0 ? bare.length : pastBracket(bare, brace);
    return {
      name: found[1] ?? '',
      weight: 1,
      head: found.index,
      start: brace < 0 ? start : brace + 1,
      end: end - 1,
    };
  });
}

/** Tests of Rust: functions under an attribute such as `#[test]` or `#[tokio::test]`. */
export function rustTests({ bare }: Source): readonly Span[] {
  const declared = /#\[(?:\w+::)*test\b[^\]\n]*\](?:\s*#\[[^\]\n]*\])*\s*(?:pub\s+)?(?:async\s+)?fn\s+(\w+)/g;
  return [...bare.matchAll(declared)].map((found) => {
    const brace = bare.indexOf('{', found.index + found[0].length);
    const end = brace < 0 ? bare.length : pastBracket(bare, brace);
    return {
      name: found[1] ?? '',
      weight: 1,
      head: found.index,
      start: brace < 0 ? end : brace + 1,
      end: end - 1,
    };
  });
}
