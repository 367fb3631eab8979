import type { Shown } from '../checks/check.ts';
import type { Report, TestCase } from '../report.ts';
import { passedIn } from './census.ts';
import { targets, tryMutants } from './notice.ts';
import { redOnBase, repaired } from './red-on-base.ts';
import { against, isProblem, type Problem, type Suite } from './suite.ts';

const MOST = 6;

/**
 * Whether the tests show the change: red on base and green on head. Tests that could not even be loaded on base, and
 * tests that are the whole change, have to notice a change of the code instead: anything is red where it cannot run.
 */
export async function evidenceOfChange(
  suite: Suite,
  onBase: Report,
  onHead: Report,
  notes: string[],
  shows: Shown[],
): Promise<Problem | undefined> {
  const { work, context } = suite;
  const testsOnly = context.item.kind === 'tests';
  let witnesses = passedIn(onHead).filter((test) => isFresh(suite, onBase, test));
  if (!testsOnly) {
    const found = work.freshTests.length > 0 ? await redOnBase(suite, onHead) : repaired(onBase, onHead);
    if (isProblem(found)) return found;
    notes.push(
      `red on base, green on head: ${found.failed.length} tests, and ${found.absent.length} that base could not load`,
    );
    if (found.failed.length > 0) {
      shows.push('red-green');
      return undefined;
    }
    witnesses = passedIn(onHead).filter(({ id }) => found.absent.includes(id));
  } else if (work.freshTests.length === 0) return against('no-new-test', 'no test is new or changed');
  const mutants = await targets(suite);
  if (mutants.length === 0) {
    notes.push(
      'whether the tests notice a change of the code could not be tried: no code of a known language',
    );
    return undefined;
  }
  const tried = await tryMutants(suite, mutants.slice(0, MOST), witnesses, (all) =>
    all.some((t) => t.noticedBy !== ''),
  );
  if (isProblem(tried)) return tried;
  const noticed = tried.find(({ noticedBy }) => noticedBy !== '');
  if (noticed === undefined) {
    const why = testsOnly ? 'the new tests' : 'tests that base could not load, and which';
    return against(
      'no-red-on-base',
      `${why} do not notice any of ${tried.length} changes to the code they are about`,
    );
  }
  notes.push(
    `noticed by ${JSON.stringify(noticed.noticedBy)}: ${noticed.mutant.path}:${noticed.mutant.line} ${noticed.mutant.what}`,
  );
  if (!testsOnly) shows.push('red-green');
  return undefined;
}

/** A test of a file that the work touched; where reports name no files, one that base does not have. */
function isFresh({ work }: Suite, onBase: Report, { id, file }: TestCase): boolean {
  if (file !== undefined) return work.freshTests.some(({ path }) => path === file);
  return !onBase.tests.some((test) => test.id === id);
}
