import type { ChangedFile } from '../change.ts';
import { readTests } from '../diff/read-tests.ts';
import type { Report, TestCase } from '../report.ts';
import { isTestFile } from '../test-files.ts';
import { failedIn, missingTests, ran } from './census.ts';
import { inlineChanges } from './inline-change.ts';
import { isProblem, type Problem, reportOf, runInTree, type Suite } from './suite.ts';
import { isNamed } from './told-tests.ts';
import { bring } from './work.ts';

/**
 * The ids of base's tests that are gone because of test files whose change was signed off, and of nothing else: those
 * that base no longer runs when it is given these files as the work has them. Base itself runs nothing of the work then.
 */
export async function excusedTests(suite: Suite, onBase: Report): Promise<ReadonlySet<string> | Problem> {
  const { touchedTests, change } = suite.work;
  const signed = touchedTests.filter(({ path }) => suite.context.signed.has(path));
  const inside = await goneInside(suite, onBase);
  if (signed.length === 0) return inside;
  const run = await runInTree(suite, 'base', (checkout) => bring(checkout, change, 'after', signed));
  if (isProblem(run)) return run;
  const report = reportOf(run);
  const gone =
    report.complete && !breaksOthers(report, signed)
      ? missingTests(onBase, report).filter(isFrom(report, signed))
      : await byName(suite, signed, onBase);
  return new Set([...inside, ...gone.map(({ id }) => id)]);
}

/**
 * Of reports that tell the file of a test: one of the signed files, or one that still runs and lost what it made of them,
 * such as a test for each file of a folder. A file that cannot be loaded any more nobody agreed to.
 */
function isFrom({ tests }: Report, signed: readonly ChangedFile[]) {
  const running = new Set(tests.flatMap((test) => (ran(test) && test.file !== undefined ? test.file : [])));
  return ({ file }: TestCase) =>
    file === undefined || running.has(file) || signed.some(({ path }) => path === file);
}

/** Of other reports: whether a file of tests that is not one of these is told to have failed as a whole. */
const breaksOthers = (report: Report, signed: readonly ChangedFile[]): boolean =>
  failedIn(report).some(
    ({ name, file }) =>
      file === undefined &&
      /^[^\s:]+\.\w+$/.test(name) &&
      isTestFile(name) &&
      !signed.some(({ path }) => name === path || name.endsWith(`/${path}`)),
  );

/** Where base cannot end with the signed files, only what stands in them is excused: by its file, else by its name. */
async function byName({ work }: Suite, signed: readonly ChangedFile[], onBase: Report) {
  const texts: string[] = [];
  for (const { path } of signed) texts.push((await work.change.before(path))?.toString('utf8') ?? '');
  const isIn = ({ file, name }: TestCase) =>
    file === undefined
      ? texts.some((text) => isWritten(text, name.split(' > ').at(-1) ?? name))
      : signed.some(({ path }) => path === file);
  return onBase.tests.filter(isIn);
}

/** As a text of its own: a name that is also a word of the program would be found anywhere. */
const isWritten = (text: string, name: string) =>
  ["'", '"', '`'].some((quote) => text.includes(`${quote}${name}${quote}`));

/** Of sources that hold their own tests: those by whose names base has tests and the work declares none. */
async function goneInside({ work, context }: Suite, onBase: Report): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const { path, before, after } of await inlineChanges(work)) {
    if (!context.signed.has(path)) continue;
    const left = new Set(readTests(path, after).tests.map(({ name }) => name));
    const gone = readTests(path, before).tests.filter(({ name }) => !left.has(name));
    for (const { id } of onBase.tests) if (gone.some(({ name }) => isNamed(id, name))) ids.add(id);
  }
  return ids;
}
