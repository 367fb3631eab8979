import type { Report, TestCase } from '../report.ts';
import { against, type Problem } from './suite.ts';

/** A test ran when it has a result of its own: what was skipped counts for nothing. */
export const ran = ({ outcome }: TestCase): boolean => outcome === 'passed' || outcome === 'failed';

export const passedIn = ({ tests }: Report): readonly TestCase[] =>
  tests.filter(({ outcome }) => outcome === 'passed');

export const failedIn = ({ tests }: Report): readonly TestCase[] =>
  tests.filter(({ outcome }) => outcome === 'failed');

/**
 * Tests that ran on base and did not on head, by name. An id that is gone counts as there when head has one more test
 * of its name than base had: a file that was renamed or moved takes its tests along.
 */
export function missingTests(base: Report, head: Report): readonly TestCase[] {
  const onBase = base.tests.filter(ran);
  const onHead = head.tests.filter(ran);
  const headIds = new Set(onHead.map(({ id }) => id));
  const baseIds = new Set(onBase.map(({ id }) => id));
  const moved = new Map<string, number>();
  for (const { id, name } of onHead) if (!baseIds.has(id)) moved.set(name, (moved.get(name) ?? 0) + 1);
  return onBase.filter(({ id, name }) => {
    if (headIds.has(id)) return false;
    const left = moved.get(name) ?? 0;
    moved.set(name, left - 1);
    return left <= 0;
  });
}

/** At most five names, and how many more there are. */
export function named(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => JSON.stringify(name.slice(0, 120)));
  return `${shown.join(', ')}${names.length > 5 ? `, and ${names.length - 5} more` : ''}`;
}

/** Where the work runs less than base did; undefined where it does not. The ids of `excused` may be gone. */
export function censusProblem(
  base: { readonly report: Report; readonly durationMs: number },
  head: { readonly report: Report; readonly durationMs: number },
  excused: ReadonlySet<string>,
): Problem | undefined {
  const missing = missingTests(base.report, head.report).filter(({ id }) => !excused.has(id));
  if (missing.length > 0) {
    const names = named(missing.map(({ name }) => name));
    return against(
      'test-missing',
      `${missing.length} tests that ran on base did not run: ${names}; where they had to go, somebody outside the lineage of the work signs that off (countersign sign-off ITEM)`,
    );
  }
  // A run that took seconds and now takes next to nothing did not do what it did.
  if (base.durationMs >= 5_000 && head.durationMs < base.durationMs / 50) {
    const [before, now] = [base.durationMs, head.durationMs].map((ms) => `${(ms / 1000).toFixed(1)} s`);
    return against('duration-band', `the same tests took ${before} on base and ${now} on the work`);
  }
  return undefined;
}
