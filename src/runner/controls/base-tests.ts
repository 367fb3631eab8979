import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChangedFile } from '../change.ts';
import { isProgram } from '../diff/listing.ts';
import { inlineTests } from '../inline-tests.ts';
import type { Report, TestCase } from '../report.ts';
import { failedIn, named, passedIn, ran } from './census.ts';
import { type InlineChange, inlineChanges, withBaseTests } from './inline-change.ts';
import { against, isProblem, type Problem, reportOf, runInTree, type Suite } from './suite.ts';
import { bring } from './work.ts';

/** Decided beforehand: what fails now and then is not laid at the door of the work. */
const ATTEMPTS = 2;

/**
 * Base's own tests, as they were, on the work: whoever edits or removes a test does not get rid of what it asked.
 * That holds for tests inside of sources too. Only files whose change somebody else signed off stay as the work has
 * them. Asked is every test that passed on base, and every one that failed there and passes on the work: the test that
 * defines a task does not pass by being rewritten. Undefined when all of them pass in one of two attempts, or when no
 * other test of base was touched. `first` is the first attempt where it was started before.
 */
export async function baseTests(
  suite: Suite,
  base: Report,
  head: Report,
  excused: ReadonlySet<string>,
  notes: string[],
  first?: Promise<Report | Problem>,
): Promise<Problem | undefined> {
  const tests = (await restoredTests(suite)) ?? withoutNewPrograms(suite);
  if (tests === undefined) return undefined;
  const isRepaired = isFailedIn(base);
  const all = asked(base, head).filter(({ id }) => !excused.has(id));
  let broken = tests.isForRepaired === true ? all.filter(isRepaired) : all;
  for (let attempt = 1; attempt <= ATTEMPTS && broken.length > 0; attempt++) {
    const run = await (attempt === 1 && first !== undefined ? first : restoredRun(suite, tests));
    if (isProblem(run)) return run;
    const passed = new Set(passedIn(run).map(({ id }) => id));
    const left = broken.filter(({ id }) => !passed.has(id));
    if (attempt > 1)
      notes.push(`tests of base, as they were: ${broken.length} failed, ${left.length} of them twice`);
    broken = left;
  }
  if (broken.length === 0) return undefined;
  const names = named(broken.map(({ name }) => name));
  return against(
    'base-test-failed',
    `${broken.length} tests of base, as they were, do not pass on the work: ${names}; where the work has to change them, somebody outside its lineage signs that off (countersign sign-off ITEM)`,
  );
}

/** What base's tests are brought back by: whole files, and the parts of sources that are tests. */
interface RestoredTests {
  readonly files: readonly ChangedFile[];
  readonly inside: readonly InlineChange[];
  /** No test of base was touched: asked are those alone that failed there. */
  readonly isForRepaired?: boolean;
}

/** Undefined when the work touches no test of base, or only such as were signed off. */
export async function restoredTests({ work, context }: Suite): Promise<RestoredTests | undefined> {
  const isOpen = ({ path }: { readonly path: string }) => !context.signed.has(path);
  const { touchedTests, freshTests } = work;
  const restored = touchedTests.filter(isOpen);
  // A test of the same name in a new file would answer for the one of base; what was signed off may need new files.
  const added = freshTests.filter(({ status }) => status === 'added');
  const files = restored.length === touchedTests.length ? [...restored, ...added] : restored;
  const inside = (await inlineChanges(work)).filter((source) => hadTests(source) && isOpen(source));
  return restored.length + inside.length === 0 ? undefined : { files, inside };
}

/**
 * New programs among the tests, where no test of base was touched: a test that failed on base has to pass by what the
 * program does, and not by what another file of tests, or one that is loaded before all of them, puts in its place.
 */
function withoutNewPrograms({ work, context }: Suite): RestoredTests | undefined {
  const files = work.freshTests.filter(
    (file) => file.status === 'added' && isProgram(file.path) && !context.signed.has(file.path),
  );
  // What was signed off may need new files.
  return files.length === 0 || work.touchedTests.length > 0
    ? undefined
    : { files, inside: [], isForRepaired: true };
}

const isFailedIn = (base: Report) => {
  const failed = new Set(failedIn(base).map(({ id }) => id));
  return ({ id }: TestCase) => failed.has(id);
};

export async function restoredRun(suite: Suite, { files, inside }: RestoredTests): Promise<Report | Problem> {
  const run = await runInTree(suite, 'head', async (checkout) => {
    await bring(checkout, suite.work.change, 'before', files);
    for (const source of inside) await writeFile(join(checkout, source.path), withBaseTests(source));
  });
  return isProblem(run) ? run : reportOf(run);
}

/** Of a source that is gone the tests are gone as well: the census misses them. */
const hadTests = ({ path, before, after }: InlineChange) => after !== '' && inlineTests(path, before) !== '';

function asked(base: Report, head: Report): readonly TestCase[] {
  const passing = passedIn(head);
  const known = new Set(passing.flatMap(({ id, name }) => [id, name]));
  const isAsked = ({ outcome, id, name }: TestCase) =>
    outcome === 'passed' || known.has(id) || known.has(name);
  return base.tests.filter((test) => ran(test) && isAsked(test));
}
