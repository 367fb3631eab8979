import { described, guarded, numbered, type TestCase } from '../report.ts';
import { asMapping, asMappings, asText, type Json, parseMapping } from './json.ts';

/** The JSON reporter of mocha. Failed hooks count as failed tests; the statistics must agree with the lists. */
export const parse = guarded((text) => {
  const document = parseMapping(text);
  const stats = asMapping(document?.stats);
  const lists = (['passes', 'failures', 'pending'] as const).map((key) => asMappings(document?.[key]));
  const [passes, failures, pending] = lists;
  if (stats === undefined || passes === undefined || failures === undefined || pending === undefined)
    return undefined;
  const tests = [...cases(passes, 'passed'), ...cases(failures, 'failed'), ...cases(pending, 'skipped')];
  const complete =
    stats.passes === passes.length && stats.failures === failures.length && stats.pending === pending.length;
  return { tests: numbered(tests), complete };
});

const cases = (list: readonly Json[], outcome: TestCase['outcome']): readonly TestCase[] =>
  list.map((test) => {
    const name = asText(test.fullTitle) ?? asText(test.title) ?? '(test)';
    const file = asText(test.file) ?? '';
    const id = file === '' ? name : `${file} > ${name}`;
    return described({ id, name, outcome }, asText(asMapping(test.err)?.message) ?? '', file);
  });
