import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Report } from '../report.ts';
import { isTestFile } from '../test-files.ts';
import { type Copy, judgeCanaries, type Planted, plantCanaries, withAll } from './canary.ts';
import { named, passedIn } from './census.ts';
import type { Telling } from './decoy.ts';
import { type RenamedFile, renameTests, withOwnNames } from './renamed-tests.ts';
import { against, isProblem, type Problem, reportOf, runInTree, type Suite, untold } from './suite.ts';
import { plainCopy } from './turned-test.ts';
import { bringStructure, bringTests, plantDecoys, type Work } from './work.ts';

/** What came of the canaries: the report without them, and how many there were; 0 where none can be hosted. */
export interface CanaryRun {
  readonly report: Report;
  readonly planted: number;
  /** How many copies of tests there were that expect something else. */
  readonly copies: number;
  /** How the changed sources told the other side's text. */
  readonly telling: Telling;
  /** Tests that bore other names than their own, which the report has again. */
  readonly renamed: readonly RenamedFile[];
}

/**
 * Runs the work's tests once more in a tree where every test file holds one test that must fail, and every changed
 * source holds base's text as a comment. A program that ends the run early, patches the assertions or makes up a
 * report does not know the canaries.
 */
export async function canaryRun(suite: Suite): Promise<CanaryRun | Problem> {
  const run = await withCanaries(suite, 'head');
  if (isProblem(run)) return run;
  // A copy or a decoy that cannot be compiled, or that keeps the program from ending, is no fault of the work.
  const { reason } = judgeCanaries(run.planted, run.report).problem ?? {};
  const isPlain = run.planted.turned.length === 0 && run.decoys === 0;
  if (isPlain || reason === undefined || reason === 'canary-passed') return judgedRun(suite, run);
  const alone = await withCanaries(suite, 'head', 'comments');
  return isProblem(alone) ? alone : judgedRun(suite, alone);
}

async function judgedRun(
  suite: Suite,
  { planted: given, report, files, telling, renamed }: Canaried,
): Promise<CanaryRun | Problem> {
  const unknown = unknownFiles(suite, report, files);
  if (unknown !== undefined)
    return untold(
      `the tests come from ${unknown} that no pattern of files names: add theirs to the criteria`,
    );
  const own = { telling, renamed };
  if (given.canaries.length === 0)
    return { report: withOwnNames(report, renamed), planted: 0, copies: 0, ...own };
  const all = judgeCanaries(given, report);
  const planted = { ...given, turned: await withoutUnrepeatable(suite, given.turned, all.pleased, renamed) };
  let found = all.pleased.length === 0 ? all : judgeCanaries(planted, report);
  if (found.problem?.reason === 'canary-missing') found = await excused(suite, planted, report);
  const { tests, problem, unseen } = found;
  if (problem !== undefined) return against(problem.reason, problem.explanation);
  const idle = suite.work.freshTests.filter(({ path }) => unseen.includes(path)).map(({ path }) => path);
  if (idle.length > 0)
    return against(
      'test-not-run',
      `test files of the change were not run: ${named(idle)}; where another check runs them, this one's criteria name its own under files`,
    );
  return {
    report: withOwnNames(tests, renamed),
    planted: planted.canaries.length,
    copies: planted.turned.length,
    ...own,
  };
}

/** A copy is no witness where the test would not pass a second time as it is: one that counts its own runs, or fills a store. */
async function withoutUnrepeatable(
  suite: Suite,
  turned: readonly Copy[],
  pleased: readonly Copy[],
  renamed: readonly RenamedFile[],
) {
  if (pleased.length === 0) return turned;
  const run = await runInTree(suite, 'head', async (checkout) => {
    for (const path of new Set(turned.map(({ file }) => file))) {
      const file = join(checkout, path);
      const copies = turned.filter((copy) => copy.file === path);
      const plain = copies.map(({ at, text }) => ({ at, text: plainCopy(text) }));
      const text = renamed.find((one) => one.file === path)?.text ?? (await readFile(file, 'utf8'));
      await writeFile(file, withAll(text, plain));
    }
  });
  if (isProblem(run)) return turned;
  const passed = passedIn(reportOf(run));
  const repeats = ({ name }: Copy) => passed.some((test) => test.name.includes(name));
  return turned.filter((copy) => !pleased.includes(copy) || repeats(copy));
}

/** Tests in files that are not taken for tests are held to nothing. What Rust tests lie in is the program itself. */
function unknownFiles(
  { command, files: patterns }: Suite,
  { tests }: Report,
  files: number,
): string | undefined {
  if (command.format === 'cargo' || tests.length === 0) return undefined;
  if (files === 0) return 'files';
  const strange = tests.find(
    ({ file = '' }) => /\.\w+$/.test(file) && !file.startsWith('/') && !isTestFile(file, patterns),
  );
  return strange?.file;
}

interface Canaried {
  readonly planted: Planted;
  readonly report: Report;
  /** How many files are taken for tests. */
  readonly files: number;
  /** How many sources hold the other side's text, and how. */
  readonly decoys: number;
  readonly telling: Telling;
  readonly renamed: readonly RenamedFile[];
}

/** With copies of tests and with code as decoys, or with what cannot keep anything from being loaded. */
async function withCanaries(
  suite: Suite,
  side: 'head' | 'base',
  telling: Telling = 'code',
): Promise<Canaried | Problem> {
  const { command, context, work } = suite;
  let planted: Planted = { canaries: [], turned: [], without: [] };
  let files: readonly string[] = [];
  let decoys = 0;
  let renamed: readonly RenamedFile[] = [];
  const run = await runInTree(suite, side, async (checkout) => {
    if (side === 'head') {
      decoys = await rewritten(checkout, work, telling);
    }
    files = await testFiles(checkout, suite.files);
    if (side === 'head') renamed = await renameTests(checkout, files, command.format, randomBytes);
    const copied = telling === 'code';
    planted = await plantCanaries(checkout, files, command.format, context.secret, randomBytes, copied);
  });
  if (isProblem(run)) return run;
  return { planted, report: reportOf(run), files: files.length, decoys, telling, renamed };
}

/** All that differs from base, written once more as it is there: what goes by when, or how, a file was written finds the same. */
export async function rewritten(checkout: string, work: Work, telling: Telling): Promise<number> {
  await bringStructure(checkout, work);
  const decoys = await plantDecoys(checkout, work, 'head', telling);
  await bringTests(checkout, work);
  return decoys;
}

/** A file that looks like tests and was not run on base either is no part of the command: its canary is not missed. */
async function excused(suite: Suite, planted: Planted, report: Report) {
  const onBase = await withCanaries(suite, 'base');
  const idle = new Set(
    isProblem(onBase) ? [] : judgeCanaries(onBase.planted, onBase.report, () => true).unseen,
  );
  return judgeCanaries(planted, report, (file) => idle.has(file));
}

export async function testFiles(checkout: string, patterns: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  const walk = async (folder: string): Promise<void> => {
    for (const item of await readdir(join(checkout, folder), { withFileTypes: true })) {
      const path = folder === '' ? item.name : `${folder}/${item.name}`;
      if (item.isDirectory() && item.name !== 'node_modules') await walk(path);
      else if (item.isFile() && isTestFile(path, patterns)) found.push(path);
    }
  };
  if (existsSync(checkout)) await walk('');
  return found.sort();
}
