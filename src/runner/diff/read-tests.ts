import { type Language, languageOf } from './language.ts';
import { goTests, pythonTests, rustTests } from './native-tests.ts';
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

/** Finds the tests that a text declares; a language that is not known has none. */
export function readTests(path: string, text: string): TestText {
  const language = languageOf(path);
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
  let own = text.slice(start, end);
  for (const inner of spans) {
    if (inner.head < start || inner.end > end) continue;
    const [from, to] = [inner.head - start, inner.end - start];
    own = own.slice(0, from) + own.slice(from, to).replaceAll(/[^\n]/g, ' ') + own.slice(to);
  }
  return own;
}
