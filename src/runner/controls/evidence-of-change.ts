import type { Shown } from '../checks/check.ts';
import type { Report } from '../report.ts';
import { isTestFile } from '../test-files.ts';
import { named, passedIn } from './census.ts';
import { type FreshTests, freshTestsOf, isFresh, thoseThatMayBeFresh } from './fresh-tests.ts';
import { noticing } from './noticing.ts';
import { type RedGreen, redOnBase, repaired } from './red-on-base.ts';
import { redWithFiles } from './red-with-files.ts';
import { looseModules } from './stray-files.ts';
import { against, boundedBy, isProblem, type Problem, type Suite } from './suite.ts';
import { hasStructure } from './work.ts';

/**
 * Whether the tests show the change: red on base and green on head. Tests that could not even be loaded on base, and
 * tests that are the whole change, have to notice a change of the code instead: anything is red where it cannot run.
 */
export async function evidenceOfChange(
  suite: Suite,
  onBase: Report,
  head: { readonly report: Report; readonly durationMs: number },
  notes: string[],
  shows: Shown[],
  red?: Promise<Report | Problem>,
): Promise<Problem | undefined> {
  const onHead = head.report;
  const bounded = boundedBy(suite, head.durationMs);
  const fresh = await freshTestsOf(suite, onBase, onHead);
  if (suite.context.item.kind === 'tests') {
    if (fresh.where === 'nowhere') return against('no-new-test', 'no test is new or changed');
    const witnesses = passedIn(onHead).filter((test) => isFresh(fresh, test));
    const said = await noticing(bounded, witnesses, 'the new tests', notes);
    return isProblem(said) ? said : undefined;
  }
  const found = await redAndGreen(suite, fresh, onBase, onHead, red);
  if (isProblem(found)) return found;
  notes.push(
    `red on base, green on head: ${found.failed.length} tests, and ${found.absent.length} that base could not load`,
  );
  const { change, addedSources } = suite.work;
  const loose = await looseModules(change, addedSources, ({ path }) => isTestFile(path, suite.files));
  if (loose.length > 0)
    notes.push(
      `no changed program of the product names ${named(loose)}: as far as this shows, the tests alone load it`,
    );
  if (found.failed.length === 0) {
    const absent = passedIn(onHead).filter(({ id }) => found.absent.includes(id));
    const witnesses = await thoseThatMayBeFresh(suite, fresh, absent);
    const said = await noticing(bounded, witnesses, 'tests that base could not load, and which', notes);
    if (isProblem(said)) return said;
    if (!said.noticed) return undefined;
  }
  shows.push('red-green');
  return undefined;
}

/** Which tests miss the work where it is not. New examples of the documentation have no source that base could have. */
async function redAndGreen(
  suite: Suite,
  fresh: FreshTests,
  onBase: Report,
  onHead: Report,
  red: Promise<Report | Problem> | undefined,
): Promise<RedGreen | Problem> {
  if (fresh.where === 'tests') {
    const asked = hasStructure(suite.work) ? redWithFiles : redOnBase;
    return asked(suite, fresh.inline, onHead, red);
  }
  if (fresh.where === 'documentation') return { failed: [], absent: [...fresh.ids] };
  return repaired(onBase, onHead);
}
