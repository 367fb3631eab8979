import type { Source } from './source.ts';
import { entriesOf, pastBracket, type Span } from './span.ts';

// `it(…)`, `test.concurrent(…)`, `t.test(…)`, `it.each([…])(…)`, and the crossed-out forms, which still declare a test.
const declared =
  /(?<![\w$.])(?:t\.|suite\.)?(?:it|test|specify|bench|xit|xtest|xspecify|fit|tap\.test|Deno\.test|QUnit\.test)((?:\.\w+)*)\s*([(`])/g;
const notTests =
  /\.(describe|suite|before\w*|after\w*|extend|use|step|expect|setTimeout|plan|end|comment|skipIf|runIf|mock)\b/;

/** Tests of JavaScript and TypeScript, by the calls that declare them. */
export function scriptTests({ code, bare }: Source): readonly Span[] {
  return [...bare.matchAll(declared)].flatMap((found): readonly Span[] => {
    const [whole, members = '', opening] = found;
    const conditional = /\.(skipIf|runIf)$/.test(members);
    if (notTests.test(members) && !conditional) return [];
    const at = found.index + whole.length - 1;
    const table = /\.(each|for)$/.test(members);
    if (!table && !conditional) return opening === '(' ? [spanOf(code, bare, found.index, at, 1)] : [];
    const call = pastTable(bare, at);
    if (bare.charAt(call) !== '(') return [];
    return [spanOf(code, bare, found.index, call, table ? rowsOf(bare, at) : 1)];
  });
}

/** Where the call behind a table or a condition starts. */
export function pastTable(bare: string, at: number): number {
  const end = bare.charAt(at) === '`' ? bare.indexOf('`', at + 1) + 1 : pastBracket(bare, at);
  return end + (/^\s*/.exec(bare.slice(end, end + 200))?.[0].length ?? 0);
}

function rowsOf(bare: string, at: number): number {
  if (bare.charAt(at) === '`') {
    const rows = bare
      .slice(at, bare.indexOf('`', at + 1))
      .split('\n')
      .filter((line) => line.includes('${'));
    return Math.max(1, rows.length);
  }
  const list = at + 1 + (/^\s*/.exec(bare.slice(at + 1, at + 200))?.[0].length ?? 0);
  return entriesOf(bare, list);
}

function spanOf(code: string, bare: string, head: number, at: number, weight: number): Span {
  const end = pastBracket(bare, at);
  const first = /^\s*(?:\w+\s*,\s*)?(['"`])/.exec(code.slice(at + 1, Math.min(end, at + 300)));
  const quote = first?.[1] ?? '';
  const from = at + 1 + (first?.[0].length ?? 0);
  const close = first === null ? -1 : closing(bare, from, quote);
  const name =
    close > from && close < end
      ? code.slice(from, close)
      : `(${
          code
            .slice(at + 1, at + 60)
            .split(',')[0]
            ?.trim() ?? ''
        })`;
  return { name, weight, head, start: close > from ? close + 1 : at + 1, end: end - 1 };
}

/** In the bare reading the inside of a text is blank, so the next quote is the one that closes it. */
const closing = (bare: string, from: number, quote: string) => bare.indexOf(quote, from);
