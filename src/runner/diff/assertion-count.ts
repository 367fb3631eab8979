import { assertionsOf } from './assertion.ts';
import type { Assertion, Searched } from './judge-assertion.ts';
import type { Language } from './language.ts';
import type { TestText } from './read-tests.ts';
import { pastBracket } from './span.ts';

/** How many assertions a test makes; what cannot fail does not count. */
export interface AssertionCount {
  readonly total: number;
  readonly specific: number;
  /** Places where any value will do. */
  readonly loose: number;
}

/** Functions of test files that assert for others, by name. */
export type Asserting = ReadonlyMap<string, AssertionCount>;

const declared: Readonly<Partial<Record<Language, RegExp>>> = {
  js: /\bfunction\s+(\w+)\s*(?=\()|\b(?:const|let)\s+(\w+)\s*=\s*(?:async\s*)?(?:function\s*)?(?=\()/g,
  python: /\bdef\s+((?!test)\w+)\s*(?=\()/g,
  go: /^func\s+((?!Test)\w+)\s*(?=\()/gm,
  rust: /\bfn\s+(\w+)\s*(?=\()/g,
};

/** The functions in these texts that assert; a call of one is worth what it asserts. */
export function assertingIn(texts: readonly TestText[]): Asserting {
  const found = new Map<string, AssertionCount>();
  for (const { language, source } of texts) {
    for (const match of source.bare.matchAll(declared[language] ?? /(?!)/g)) {
      const body = bodyOf(language, source.bare, match.index + match[0].length);
      const count = countIn(language, sliced(source, body), new Map());
      if (count.total > 0) found.set(match[1] ?? match[2] ?? '', count);
    }
  }
  return found;
}

function bodyOf(language: Language, bare: string, at: number): { start: number; end: number } {
  const start = pastBracket(bare, at);
  if (language === 'python') {
    const end = /\n(?=\S)/.exec(bare.slice(start))?.index ?? bare.length;
    return { start, end: start + end };
  }
  const brace = /^[^;{]{0,200}\{/.exec(bare.slice(start))?.[0].length;
  return brace === undefined ? { start, end: start } : { start, end: pastBracket(bare, start + brace - 1) };
}

const sliced = ({ code, bare }: Searched, { start, end }: { start: number; end: number }): Searched => ({
  code: code.slice(start, end),
  bare: bare.slice(start, end),
});

/** The assertions of a text, with those of the functions that it calls. */
export function countIn(language: Language, searched: Searched, asserting: Asserting): AssertionCount {
  const own = assertionsOf(language, searched).filter(({ strength }: Assertion) => strength !== 'empty');
  let [total, specific] = [own.length, own.filter(({ strength }) => strength === 'specific').length];
  let loose = [...searched.bare.matchAll(/\bexpect\.(?:any|anything)\s*\(|\bmock\.ANY\b/g)].length;
  for (const [, name = ''] of searched.bare.matchAll(/(?<![\w$.])([A-Za-z_]\w*)\s*\(/g)) {
    const known =
      asserting.get(name) ?? (speaking.test(name) ? { total: 1, specific: 1, loose: 0 } : undefined);
    total += known?.total ?? 0;
    specific += known?.specific ?? 0;
    loose += known?.loose ?? 0;
  }
  return { total, specific, loose };
}

/** A function of another file whose name says that it asserts. */
const speaking = /^(?:assert|expect|check|verify)(?:_|[A-Z])\w+$/;
