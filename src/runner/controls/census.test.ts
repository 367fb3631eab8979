import { expect, test } from 'vitest';
import type { Report, TestCase } from '../report.ts';
import { censusProblem, missingTests, named } from './census.ts';

const report = (
  ...tests: readonly (readonly [id: string, outcome?: TestCase['outcome'], name?: string])[]
): Report => ({
  tests: tests.map(([id, outcome = 'passed', name = id]) => ({ id, name, outcome })),
  complete: true,
});

const missing = (base: Report, head: Report) => missingTests(base, head).map(({ name }) => name);

test('a test that ran on base and did not on head is missing, skipped or gone', () => {
  expect(missing(report(['a'], ['b', 'failed'], ['c', 'skipped']), report(['a', 'skipped']))).toEqual([
    'a',
    'b',
  ]);
  expect(missing(report(['a'], ['b']), report(['b'], ['a', 'failed'], ['new']))).toEqual([]);
});

test('a test that moved to another file is there, one for one', () => {
  const base = report(['x.js > t', 'passed', 't'], ['y.js > t', 'passed', 't']);
  expect(missing(base, report(['z.js > t', 'passed', 't'], ['w.js > t', 'passed', 't']))).toEqual([]);
  expect(missing(base, report(['z.js > t', 'passed', 't']))).toEqual(['t']);
});

test('a run that took seconds and now takes nothing is out of its band; a quick one is not', () => {
  const none = new Set<string>();
  const at = (durationMs: number) => ({ report: report(['a']), durationMs });
  expect(censusProblem(at(10_000), at(100), none)).toMatchObject({
    outcome: 'fail',
    reason: 'duration-band',
  });
  expect(censusProblem(at(10_000), at(1_000), none)).toBeUndefined();
  expect(censusProblem(at(3_000), at(10), none)).toBeUndefined();
  expect(censusProblem({ report: report(['a'], ['b']), durationMs: 1 }, at(1), none)).toMatchObject({
    reason: 'test-missing',
  });
});

test('what is excused may be gone, nothing else', () => {
  const at = (...ids: readonly string[]) => ({
    report: report(...ids.map((id) => [id] as const)),
    durationMs: 1,
  });
  expect(censusProblem(at('a', 'b'), at('b'), new Set(['a']))).toBeUndefined();
  expect(censusProblem(at('a', 'b'), at(), new Set(['a']))?.explanation).toContain('"b"');
});

test('long lists of names are cut', () => {
  expect(named(['a', 'b', 'c', 'd', 'e', 'f'])).toBe('"a", "b", "c", "d", "e", and 1 more');
});
