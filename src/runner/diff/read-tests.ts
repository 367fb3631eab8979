import { type Language, languageOf } from './language.ts';
import { goTests, pythonTests, rustTests } from './native-tests.ts';
import { recently } from './recently.ts';
import { scriptTests } from './script-tests.ts';
import { readSource, type Source } from './source.ts';
import type { Span } from './span.ts';

/** One test as its text declares it. */
export interface TestDeclaration {
  readonly name: string;
  /** How many tests it makes: rows of a table that stands there, else one. */
  readonly weight: number;
  /** Where its declaration starts in the text, with what stands above it, and where its body starts. */
  readonly head: number;
  readonly start: number;
  /** What runs; comments are blanks. */
  readonly code: string;
  /** The same with the inside of texts blank. */
  readonly bare: string;
}

/** A test file as far as its text tells. */
export interface TestText {
  readonly language: Language;
  readonly source: Source;
  readonly tests: readonly TestDeclaration[];
}

const recent = recently((key: string) => {
  const at = key.indexOf(':');
  return readNew(key.slice(0, at) as Language, key.slice(at + 1));
});

/** Finds the tests that a text declares; a language that is not known has none. */
export const readTests = (path: string, text: string): TestText => recent(`${languageOf(path)}:${text}`);

function readNew(language: Language, text: string): TestText {
  const source = readSource(text, language);
  const spans = spansOf(language, source);
  const tests = spans.map((span) => ({
    name: span.name,
    weight: span.weight,
    head: span.head,
    start: span.start,
    code: ownText(source.code, span, spans),
    bare: ownText(source.bare, span, spans),
  }));
  return { language, source, tests };
}

function spansOf(language: Language, source: Source): readonly Span[] {
  switch (language) {
    case 'js':
      return scriptTests(source);
    case 'python':
      return pythonTests(source);
    case 'go':
      return goTests(source);
    case 'rust':
      return rustTests(source);
    default:
      return [];
  }
}

/** The body of a test without the tests that stand inside it: what those assert is theirs. */
function ownText(text: string, { start, end }: Span, spans: readonly Span[]): string {
  const own: string[] = [];
  let at = start;
  for (const inner of spans) {
    // One within another that was left out already adds nothing.
    if (inner.head < start || inner.end > end || inner.end <= at) continue;
    const from = Math.max(at, inner.head);
    own.push(text.slice(at, from), text.slice(from, inner.end).replace(/[^\n]/g, ' '));
    at = inner.end;
  }
  return [...own, text.slice(at, end)].join('');
}
