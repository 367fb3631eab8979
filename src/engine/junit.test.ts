import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect, it } from 'vitest';
import { VERDICT } from '../../tests/fixtures/sample-pack.ts';
import type { CheckResult } from '../attestation/verdict.ts';
import { junitOf } from './junit.ts';

const [sample] = VERDICT.checks;
const check = (more: Partial<CheckResult>): CheckResult => ({ ...(sample as CheckResult), ...more });
const read = (checks: readonly CheckResult[]) => {
  const xml = junitOf({ ...VERDICT, checks, members: [] });
  expect(XMLValidator.validate(xml)).toBe(true);
  const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' });
  return { xml, suite: parser.parse(xml).testsuites.testsuite };
};

it('a failed check is a failure, one that was not judged an error, a waived one skipped: none looks green', () => {
  const { suite } = read([
    check({ id: 'a' }),
    check({ id: 'b', outcome: 'fail', reason: 'test-removed', explanation: 'one is gone' }),
    check({ id: 'c', outcome: 'indeterminate', explanation: 'it did not start' }),
    check({ id: 'd', outcome: 'fail', waivedBy: 'ada', waiverReason: 'later' }),
  ]);
  expect(suite).toMatchObject({ tests: '4', failures: '1', errors: '1', skipped: '1' });
  expect(suite.testcase).toMatchObject([
    { name: 'a' },
    { failure: { type: 'test-removed', message: 'one is gone' } },
    { error: { message: 'it did not start' } },
    { skipped: { message: expect.stringContaining('waived by ada: later') } },
  ]);
  expect(suite.testcase[0]).not.toHaveProperty('failure');
});

it('whatever a check says stays text: markup, quotes, line ends, control characters, broken surrogates', () => {
  const explanation = '</failure><testcase name="x"/> & "quoted" \u0000\u001b[31m\ud800 ]]> ünï\nnext';
  const { xml, suite } = read([check({ outcome: 'fail', explanation, notes: ['<b>', '\u0008'] })]);
  expect([suite.tests, Array.isArray(suite.testcase)]).toEqual(['1', false]);
  expect(xml).not.toMatch(/(?!\n)\p{Cc}/u);
  expect(suite.testcase['system-out']).toBe('<b>\n\uFFFD');
});
