import { assertionsOf } from '../diff/assertion.ts';
import { languageOf } from '../diff/language.ts';
import { readSource } from '../diff/source.ts';

/** Folders and files that are named for helping tests. */
const HELPING =
  /(?:^|[/._-])(?:tests?|testing|testlib|mocks?|fakes?|stubs?|golden|expected|matchers?|assertions?|harness)(?=[/._-]|$)/i;
/** The same of folders whose names products use as well: not below sources. */
const AMBIGUOUS = /(?:^|[/._-])(?:support|helpers?|utils|cases|checks?)\//i;
const PRODUCT = /(?:^|\/)(?:src|lib|app|source|pkg|internal)\//;

const FRAMEWORK =
  /["'](?:vitest|@jest\/globals|chai|sinon|should|expect|unexpected|power-assert|node:test|tape|tap|ava|uvu\/assert|@playwright\/test|@testing-library\/[\w-]+|supertest|nock)["']|^\s*(?:import|from)\s+(?:pytest|unittest|hypothesis|nose)\b|numpy\.testing|"testing"|testify/m;
const WORDS = /\b(?:assert|expect|should)/;

/**
 * Whether a program looks like one that tests are built from: it lies where such programs lie, uses a test library, or
 * compares with an assertion. A check of its own arguments alone makes none.
 */
export function asserts(path: string, text: string): boolean {
  if (HELPING.test(path) || (AMBIGUOUS.test(path) && !PRODUCT.test(path)) || FRAMEWORK.test(text))
    return true;
  const language = languageOf(path);
  // Elsewhere an assertion is a statement of the language, and programs make them about themselves.
  if (language !== 'js' || !WORDS.test(text)) return false;
  return assertionsOf(language, readSource(text, language)).some(
    ({ strength, at }) => strength === 'specific' && isCall(text.slice(at)),
  );
}

/** `assert(a > b)` is what a program says about itself; `assert.equal(a, b)` and `expect(a)` are what tests say. */
const isCall = (text: string) =>
  /^(?:(?:chai\.)?assert(?:\.strict)?\.\w|expect)/.test(text) || /^\.should/.test(text);
