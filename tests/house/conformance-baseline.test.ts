import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

interface Check {
  readonly id: string;
  readonly status: string;
}
interface Baseline {
  unexpected(revision: string, scenario: string, checks: readonly Check[]): readonly Check[];
  stale(): readonly string[];
}

const file = resolve(import.meta.dirname, '../../scripts/conformance-baseline.mjs');
const { baselineOf } = (await import(pathToFileURL(file).href)) as { baselineOf(server: string): Baseline };

const MISSING = 'sep-2575-server-rejects-undeclared-capability';
const failing = (id: string, status = 'FAILURE') => [
  { id, status },
  { id: 'another', status: 'SUCCESS' },
];

test('a check that fails is expected where the baseline names it, and nowhere else', () => {
  const baseline = baselineOf('served');
  const found = (revision: string, scenario: string, checks: readonly Check[]) =>
    baseline.unexpected(revision, scenario, checks).map(({ id }) => id);
  expect(found('2026-07-28', 'server-stateless', failing(MISSING))).toEqual([]);
  expect(found('2026-07-28', 'server-stateless', failing('of-another-kind'))).toEqual(['of-another-kind']);
  expect(found('2026-07-28', 'tools-list', failing(MISSING))).toEqual([MISSING]);
  expect(found('2025-11-25', 'server-stateless', failing(MISSING))).toEqual([MISSING]);
  expect(found('2026-07-28', 'caching', failing('hints', 'WARNING'))).toEqual(['hints']);
});

test('an entry that fails no more is stale', () => {
  const baseline = baselineOf('served');
  baseline.unexpected('2026-07-28', 'server-stateless', [{ id: MISSING, status: 'SUCCESS' }]);
  expect(baseline.stale()).toContain(`2026-07-28/server-stateless:${MISSING}`);
  baseline.unexpected('2026-07-28', 'server-stateless', failing(MISSING));
  expect(baseline.stale()).not.toContain(`2026-07-28/server-stateless:${MISSING}`);
});

test('a scenario that fails as a whole is expected in each of its checks', () => {
  const baseline = baselineOf('fixture');
  expect(baseline.unexpected('2026-07-28', 'tasks-lifecycle', failing('any'))).toEqual([]);
  expect(baseline.stale()).not.toContain('2026-07-28/tasks-lifecycle');
});
