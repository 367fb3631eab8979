import { expect, test } from 'vitest';
import { plainResult } from './checks/check.ts';
import { withSetupToldOnce } from './guarded-check.ts';
import type { SetupResult } from './setup.ts';

test('why the set-up failed is told once, and what has another cause is left alone', () => {
  const setup: SetupResult = { outcome: 'indeterminate', cause: 'npm ci ended with 1', cached: false };
  const left = (id: string, explanation: string) =>
    ({
      ...plainResult,
      id,
      kind: 'command',
      outcome: 'indeterminate',
      explanation,
      strength: 'tests',
    }) as const;
  const why = `the set-up failed: ${setup.cause}`;
  const checks = [left('image', 'the run was aborted'), left('tests', why), left('lint', why)];
  expect(withSetupToldOnce(checks, setup).map(({ explanation }) => explanation)).toEqual([
    'the run was aborted',
    why,
    'the set-up failed, see tests',
  ]);
});
