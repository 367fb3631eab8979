import type { CheckResult } from './checks/check.ts';

/** The version of the rules by which results are judged; it is part of every result's environment. */
export const runnerVersion = '10';

/** The outcome of a whole run, and the reason in one line. */
export interface RunVerdict {
  readonly verdict: 'pass' | 'fail' | 'indeterminate';
  readonly cause: string;
}

/** Any failure fails; else anything that could not be told leaves it open; only then, and with a check, it passes. */
export function verdictOf(checks: readonly CheckResult[]): RunVerdict {
  const failed = checks.filter(({ outcome }) => outcome === 'fail');
  if (failed.length > 0) return { verdict: 'fail', cause: causeOf(failed) };
  const open = checks.filter(({ outcome }) => outcome !== 'pass');
  if (open.length > 0) return { verdict: 'indeterminate', cause: causeOf(open) };
  if (checks.length === 0) return { verdict: 'indeterminate', cause: 'no check ran' };
  return {
    verdict: 'pass',
    cause: checks.length === 1 ? 'the check passed' : `all ${checks.length} checks passed`,
  };
}

const causeOf = (checks: readonly CheckResult[]) =>
  [
    ...checks.slice(0, 3).map(({ id, explanation }) => `${id}: ${explanation}`),
    ...(checks.length > 3 ? ['…'] : []),
  ].join('; ');
