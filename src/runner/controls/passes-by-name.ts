import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { literalPattern } from '../../kernel/literal-pattern.ts';
import type { Change } from '../change.ts';
import { insideCheckout } from '../checks/inside.ts';
import { isForPeople } from '../diff/documents.ts';
import { isProgram } from '../diff/listing.ts';
import { isProtectedPath } from '../diff/protected.ts';
import type { Report, TestCase } from '../report.ts';
import type { BaseRun } from './base-run.ts';
import { type CanaryRun, testFiles } from './canary-run.ts';
import { failedIn, named, passedIn } from './census.ts';
import type { TextTests } from './reads-source.ts';
import { type RenamedFile, renameTests, withOwnNames } from './renamed-tests.ts';
import { against, isProblem, type Problem, reportOf, runInTree, type Suite } from './suite.ts';

/**
 * Tests that pass on the work, and do not where they are called otherwise: something in the run knows them and lets them
 * pass. What failed beside the canaries may have failed for those, so it is asked once more with the names alone. Honest
 * tests keep snapshots and recordings by their names: those of base are let be where base does not pass them by another
 * name either, new ones where base has such tests, and new and changed ones where a file bears their name without
 * which they do not pass. `byText` are known to have failed for the text of sources.
 */
export async function passesByName(
  suite: Suite,
  plain: Report,
  { report, renamed }: Pick<CanaryRun, 'report' | 'renamed'>,
  byText: TextTests,
  base: () => Promise<BaseRun | Problem>,
): Promise<Problem | undefined> {
  const passing = idsOf(passedIn(plain));
  const turned = failedIn(report).filter(({ id }) => passing.has(id) && !byText.has(id));
  if (renamed.length === 0 || turned.length === 0) return undefined;
  const onHead = await underOtherNames(suite, 'head');
  if (isProblem(onHead)) return onHead;
  const failing = idsOf(failedIn(onHead));
  const left = turned.filter(({ id }) => failing.has(id));
  if (left.length === 0) return undefined;
  const others = passedIn(onHead).filter(({ id }) => passing.has(id));
  const [asItIs, otherwise] = [await base(), await underOtherNames(suite, 'base')];
  if (isProblem(asItIs)) return asItIs;
  if (isProblem(otherwise)) return otherwise;
  const known = await knownByName(suite, { tests: left, others }, renamed, asItIs.report, otherwise);
  if (known.length === 0) return undefined;
  return against(
    'base-test-failed',
    `${known.length} tests pass on the work by their names alone, and fail where they are called otherwise: ${named(known.map(({ name }) => name))}; where one has a recording, let a file that it alone reads bear its name`,
  );
}

const idsOf = (tests: readonly TestCase[]): ReadonlySet<string> => new Set(tests.map(({ id }) => id));

interface Asked {
  /** Those that do not pass by another name. */
  readonly tests: readonly TestCase[];
  /** Those that pass by any. */
  readonly others: readonly TestCase[];
}

/** Those for which their names do no honest work. */
async function knownByName(
  suite: Suite,
  { tests, others }: Asked,
  renamed: readonly RenamedFile[],
  asItIs: Report,
  otherwise: Report,
): Promise<readonly TestCase[]> {
  const [passed, kept] = [idsOf(passedIn(asItIs)), idsOf(passedIn(otherwise))];
  const goesByNames = failedIn(otherwise).some(({ id }) => passed.has(id));
  const fresh = new Set(suite.work.freshTests.map(({ path }) => path));
  const left = tests.filter(({ id }) => (passed.has(id) ? kept.has(id) : !goesByNames));
  // What reads as on base has got no recording since.
  const titles = left.map((test) => {
    const own = titlesOf(test, renamed);
    const mayBeRecorded = own.some(({ file }) => fresh.has(file)) || !passed.has(test.id);
    return { test, titles: mayBeRecorded ? own.map(({ title }) => title) : [] };
  });
  const records = titles.some((one) => one.titles.length > 0) ? await recordsOf(suite.work.change) : [];
  const bearing = titles.map((one) => ({
    test: one.test,
    files: records.filter((record) => one.titles.some((title) => bears(record, title))),
  }));
  const unread = await withoutFiles(
    suite,
    { tests, others },
    bearing.flatMap(({ files }) => files.map(({ path }) => path)),
  );
  return bearing.flatMap(({ test, files }) => (files.length === 0 || unread.has(test.id) ? test : []));
}

/**
 * Ids of tests that pass under their own names where these files are not there: none of these is their recording. Nor is
 * any of them where tests do not pass any more that no name is asked of: something else reads it then, as the product may.
 */
async function withoutFiles(
  suite: Suite,
  { tests, others }: Asked,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const run = await runInTree(suite, 'head', async (checkout) => {
    for (const path of new Set(paths)) {
      const found = insideCheckout(checkout, path);
      if (found?.stat.isFile() === true) await rm(found.path);
    }
  });
  if (isProblem(run)) return new Set();
  const passed = idsOf(passedIn(reportOf(run)));
  return others.every(({ id }) => passed.has(id)) ? passed : idsOf(tests);
}

/** The names as they stand in test files that may be the one of a test in a report. */
const titlesOf = ({ id }: TestCase, renamed: readonly RenamedFile[]) =>
  renamed.flatMap(({ file, names }) =>
    [...names.values()].filter((title) => id.includes(title)).map((title) => ({ file, title })),
  );

async function underOtherNames(suite: Suite, side: 'head' | 'base'): Promise<Report | Problem> {
  const { command, files } = suite;
  let renamed: readonly RenamedFile[] = [];
  const run = await runInTree(suite, side, async (checkout) => {
    renamed = await renameTests(checkout, await testFiles(checkout, files), command.format, randomBytes);
  });
  return isProblem(run) ? run : withOwnNames(reportOf(run), renamed);
}

/** A file that may be kept for a test: no program, no manifest or setting, and nothing for people. */
interface Stored {
  readonly path: string;
  readonly text: string;
}

/** Larger ones are not read. */
const LARGEST = 2_000_000;

/** Of the work as it is claimed: what its runs left in a folder, their reports above all, names every test. */
async function recordsOf({ base, files, after }: Change): Promise<readonly Stored[]> {
  const changed = new Set(files.map(({ path }) => path));
  const mayRecord = (path: string) => !(isProgram(path) || isForPeople(path) || isProtectedPath(path));
  const kept = (await base.paths()).filter((path) => !changed.has(path) && mayRecord(path));
  const records: Stored[] = [];
  for (let at = 0; at < kept.length; at += PORTION)
    for (const [path, bytes] of await base.read(kept.slice(at, at + PORTION)))
      records.push({ path, text: textOf(bytes) });
  for (const { path, status } of files)
    if (status !== 'deleted' && mayRecord(path)) records.push({ path, text: textOf(await after(path)) });
  return records;
}

/** How many files are read at once; of what is large or no text the name alone is kept. */
const PORTION = 200;
const textOf = (bytes: Buffer | undefined): string =>
  bytes === undefined || bytes.length > LARGEST || bytes.includes(0) ? '' : bytes.toString('utf8');

const bare = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, '');

/** As its name, however that is written in a path, or as it stands in its text. */
function bears({ path, text }: Stored, title: string): boolean {
  const short = bare(title);
  if (short.length > 3 && bare(path).includes(short)) return true;
  return new RegExp(`(?<!\\w)${literalPattern(title)}(?!\\w)`).test(text);
}
