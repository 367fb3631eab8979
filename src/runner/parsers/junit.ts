import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { described, guarded, numbered, type TestCase } from '../report.ts';
import { asMapping, isText, type Json } from './json.ts';

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseAttributeValue: false,
  parseTagValue: false,
  alwaysCreateTextNode: false,
  isArray: (name) => ['testsuite', 'testcase', 'failure', 'error', 'skipped'].includes(name),
});

/**
 * JUnit XML. Suites may nest; a suite that states another number of tests than it has, or holds text of its
 * own, is incomplete. pytest 9 counts subtests as well, and names none of those that passed.
 */
export const parse = guarded((text) => {
  // A document type could define entities; no test program needs one.
  if (/<!DOCTYPE/i.test(text.slice(0, text.search(/<testsuite/)))) return undefined;
  if (XMLValidator.validate(text) !== true) return undefined;
  const document = asMapping(parser.parse(text));
  const roots = document?.testsuites === undefined ? mappings(document?.testsuite) : [document.testsuites];
  const root = roots.length === 1 ? roots[0] : undefined;
  if (root === '') return { tests: [], complete: true };
  const suite = asMapping(root);
  if (suite === undefined) return undefined;
  const { tests, complete } = suiteOf(suite);
  return { tests: numbered(tests), complete };
});

function suiteOf(suite: Json): { tests: readonly TestCase[]; complete: boolean } {
  const inner = mappings(suite.testsuite).map(suiteOf);
  const own = mappings(suite.testcase).map(caseOf);
  const broken = has(suite, 'error') || has(suite, 'failure');
  const name = String(suite['@name'] ?? '(suite)');
  const failure: readonly TestCase[] = broken ? [{ id: name, name, outcome: 'failed' }] : [];
  const tests = [...inner.flatMap((one) => one.tests), ...own];
  const told = (key: string) => (suite[key] === undefined ? undefined : Number(suite[key]));
  const failing = tests.some(({ outcome }) => outcome === 'failed') || broken;
  const unnamed = (told('@tests') ?? tests.length) - tests.length;
  const agrees =
    !isText(suite['#text']) &&
    (unnamed === 0 || (unnamed > 0 && name === 'pytest' && own.length > 0)) &&
    (failing || ((told('@failures') ?? 0) === 0 && (told('@errors') ?? 0) === 0));
  return { tests: [...tests, ...failure], complete: agrees && inner.every(({ complete }) => complete) };
}

function caseOf(test: Json): TestCase {
  const name = String(test['@name'] ?? '(test)');
  const group = String(test['@classname'] ?? test['@file'] ?? '');
  const own: TestCase = { id: group === '' ? name : `${group} > ${name}`, name, outcome: outcomeOf(test) };
  return described(own, failureOf(test), String(test['@file'] ?? ''));
}

/** The first failure's message and text; an element without attributes comes as its text alone. */
function failureOf(test: Json): string {
  const [first]: readonly unknown[] = [test.failure, test.error].flatMap((found) => found ?? []);
  const failure = asMapping(first);
  const parts = failure === undefined ? [first] : [failure['@message'], failure['#text']];
  return parts.filter(isText).join('\n');
}

function outcomeOf(test: Json): TestCase['outcome'] {
  const status = `${String(test['@status'] ?? '')} ${String(test['@result'] ?? '')}`.toLowerCase();
  if (has(test, 'failure') || has(test, 'error') || /\b(failed|error)\b/.test(status)) return 'failed';
  return has(test, 'skipped') || /\b(skipped|notrun|disabled|suppressed)\b/.test(status)
    ? 'skipped'
    : 'passed';
}

const has = (node: Json, key: string) => Object.hasOwn(node, key);

/** An element without attributes and content comes as an empty text. */
function mappings(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map((item) => asMapping(item) ?? {}) : [];
}
