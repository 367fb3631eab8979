import type { Report } from '../report.ts';
import { type CanaryRun, rewritten } from './canary-run.ts';
import { failedIn, named, passedIn } from './census.ts';
import { inlineChanges, withFreshTests } from './inline-change.ts';
import { onBaseSource } from './red-on-base.ts';
import { against, isProblem, type Problem, reportOf, runInTree, type Suite } from './suite.ts';

/** Ids of tests that go by the text of sources and find nothing else there than on base: they show nothing. */
export type TextTests = ReadonlySet<string>;

export const NONE: TextTests = new Set();

/**
 * Tests that pass as claimed and fail where base's text stands in a comment: they look for what is no longer written. A
 * problem where they tell the work from its base: such as ask for a mark, and not those that ask every source for the
 * same, which pass on base too. Seen once more without canaries before it is said: a test that fails now and then is
 * another matter.
 */
export async function readsSource(
  suite: Suite,
  plain: Report,
  { report: canaried, telling }: Pick<CanaryRun, 'report' | 'telling'>,
): Promise<TextTests | Problem> {
  const { work } = suite;
  const fresh = new Set(work.freshTests.map(({ path }) => path));
  if (fresh.size === 0 || work.changedSources.length + work.addedSources.length === 0) return NONE;
  const known = new Set(passedIn(plain).map(({ id }) => id));
  const turned = failedIn(canaried).filter(({ id }) => known.has(id));
  if (turned.length === 0) return NONE;
  const again = await runInTree(suite, 'head', async (checkout) => {
    await rewritten(checkout, work, telling);
  });
  if (isProblem(again)) return again;
  const failing = new Set(failedIn(reportOf(again)).map(({ id }) => id));
  const byText = turned.filter(({ id }) => failing.has(id));
  if (byText.length === 0) return NONE;
  const onBase = await onBaseSource(suite, withFreshTests(await inlineChanges(work)), false);
  if (isProblem(onBase)) return onBase;
  const passing = new Set(passedIn(onBase).map(({ id }) => id));
  const names = byText
    .filter(({ id, file }) => !passing.has(id) && (file === undefined || fresh.has(file)))
    .map(({ name }) => name);
  if (names.length > 0)
    return against(
      'reads-source',
      `these tests go by the text of the source, not by what it does: ${named(names)}`,
    );
  return new Set(byText.flatMap(({ id }) => (passing.has(id) ? id : [])));
}
