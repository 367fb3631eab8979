import { countOf, described, guarded, numbered, type TestCase } from '../report.ts';
import { asMapping, asMappings, asText, type Json, parseMapping } from './json.ts';

const outcomes: Readonly<Record<string, TestCase['outcome']>> = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  pending: 'skipped',
  // Whatever "other" means, it is not a pass.
  other: 'failed',
};

/** Common Test Report Format (ctrf.io). The summary must agree with the tests. */
export const parse = guarded((text) => {
  const results = asMapping(parseMapping(text)?.results);
  const summary = asMapping(results?.summary);
  const listed = asMappings(results?.tests);
  if (summary === undefined || listed === undefined) return undefined;
  const tests = listed.flatMap((test) => caseOf(test) ?? []);
  if (tests.length !== listed.length) return undefined;
  const complete =
    summary.tests === tests.length &&
    summary.passed === countOf(tests, 'passed') &&
    Number(summary.failed ?? 0) + Number(summary.other ?? 0) === countOf(tests, 'failed');
  return { tests: numbered(tests), complete };
});

function caseOf(test: Json): TestCase | undefined {
  const name = asText(test.name);
  const status = asText(test.status) ?? '';
  const outcome = Object.hasOwn(outcomes, status) ? outcomes[status] : undefined;
  if (name === undefined || outcome === undefined) return undefined;
  const suite = Array.isArray(test.suite) ? test.suite.map(String) : [String(test.suite ?? '')];
  const file = asText(test.filePath) ?? '';
  const way = [file, ...suite].filter((part) => part !== '');
  const id = [...way, name].join(' > ');
  return described({ id, name, outcome }, asText(test.message) ?? '', file);
}
