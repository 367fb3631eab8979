import type { Report } from '../report.ts';
import { named, passedIn } from './census.ts';
import { against, isProblem, type Problem, reportOf, runInTree, type Suite } from './suite.ts';
import { bring } from './work.ts';

/**
 * Base's own tests, as they were, on the work: whoever edits or removes a test does not get rid of what it asked.
 * Only files whose change somebody else signed off stay as the work has them. Undefined when every test that passed on
 * base passes still, or when no other test of base was touched.
 */
export async function baseTests(
  suite: Suite,
  onBase: Report,
  excused: ReadonlySet<string>,
): Promise<Problem | undefined> {
  const { change } = suite.work;
  const restored = suite.work.touchedTests.filter(({ path }) => !suite.context.signed.has(path));
  if (restored.length === 0) return undefined;
  const run = await runInTree(suite, 'head', (checkout) =>
    bring(checkout, (path) => change.before(path), restored),
  );
  if (isProblem(run)) return run;
  const passed = new Set(passedIn(reportOf(run)).map(({ id }) => id));
  const broken = passedIn(onBase).filter(({ id }) => !passed.has(id) && !excused.has(id));
  if (broken.length === 0) return undefined;
  const names = named(broken.map(({ name }) => name));
  return against(
    'base-test-failed',
    `${broken.length} tests of base, as they were, do not pass on the work: ${names}`,
  );
}
