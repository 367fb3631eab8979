import type { Report } from '../report.ts';
import { missingTests } from './census.ts';
import { isProblem, type Problem, reportOf, runInTree, type Suite } from './suite.ts';
import { bring } from './work.ts';

/**
 * The ids of base's tests that are gone because of test files whose change was signed off, and of nothing else: those
 * that base no longer runs when it is given these files as the work has them. Base itself runs nothing of the work then.
 */
export async function excusedTests(suite: Suite, onBase: Report): Promise<ReadonlySet<string> | Problem> {
  const { touchedTests, change } = suite.work;
  const signed = touchedTests.filter(({ path }) => suite.context.signed.has(path));
  if (signed.length === 0) return new Set();
  const run = await runInTree(suite, 'base', (checkout) =>
    bring(checkout, (path) => change.after(path), signed),
  );
  if (isProblem(run)) return run;
  return new Set(missingTests(onBase, reportOf(run)).map(({ id }) => id));
}
