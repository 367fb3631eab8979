import { countOf, described, guarded, numbered, type Report, type TestCase } from '../report.ts';
import { asMappings, asText, isText, type Json, parseMapping } from './json.ts';

const outcomes: Readonly<Record<string, TestCase['outcome']>> = {
  passed: 'passed',
  failed: 'failed',
  pending: 'skipped',
  skipped: 'skipped',
  disabled: 'skipped',
  todo: 'todo',
};

/**
 * The JSON of `jest --json`. A file that could not be loaded counts as a failed test; a run that calls itself
 * unsuccessful has a failed test. The totals must agree with the tests.
 */
export const parse = guarded((text) => {
  const document = parseMapping(text);
  const files = asMappings(document?.testResults);
  if (document === undefined || files === undefined) return undefined;
  const read = files.map(fileOf);
  if (read.some((file) => file === undefined)) return undefined;
  const listed = read.flatMap((file) => file?.listed ?? []);
  const broken = read.flatMap((file) => file?.broken ?? []);
  return {
    tests: numbered([...listed, ...broken, ...unexplained(document, [...listed, ...broken])]),
    complete: agrees(document, listed),
  };
});

function fileOf(file: Json): { listed: readonly TestCase[]; broken: readonly TestCase[] } | undefined {
  const path = asText(file.name) ?? '';
  const results = asMappings(file.assertionResults);
  if (results === undefined) return undefined;
  const listed = results.flatMap((result) => caseOf(path, result) ?? []);
  if (listed.length !== results.length) return undefined;
  const silent = file.status === 'failed' && countOf(listed, 'failed') === 0;
  const failure: TestCase = { id: path, name: `${path} (file)`, outcome: 'failed' };
  return { listed, broken: silent ? [described(failure, asText(file.message) ?? '', path)] : [] };
}

function caseOf(path: string, result: Json): TestCase | undefined {
  const status = asText(result.status) ?? '';
  const outcome = Object.hasOwn(outcomes, status) ? outcomes[status] : undefined;
  const name = asText(result.fullName) ?? asText(result.title);
  if (outcome === undefined || name === undefined) return undefined;
  const messages = Array.isArray(result.failureMessages) ? result.failureMessages : [];
  return described({ id: `${path} > ${name}`, name, outcome }, messages.filter(isText).join('\n'), path);
}

function unexplained(document: Json, tests: Report['tests']): readonly TestCase[] {
  if (document.success === true || countOf(tests, 'failed') > 0) return [];
  return [{ id: '(run)', name: '(the run as a whole)', outcome: 'failed' }];
}

const agrees = (document: Json, listed: Report['tests']) =>
  document.numTotalTests === listed.length &&
  document.numPassedTests === countOf(listed, 'passed') &&
  document.numFailedTests === countOf(listed, 'failed') &&
  document.wasInterrupted !== true;
