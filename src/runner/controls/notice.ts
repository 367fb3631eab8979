import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runReported } from '../checks/command.ts';
import { languageOf } from '../diff/language.ts';
import type { Report, TestCase } from '../report.ts';
import { failedIn } from './census.ts';
import { isCode } from './code-files.ts';
import { withDecoy } from './decoy.ts';
import { furtherMutants } from './further-mutants.ts';
import { revertedHunks } from './hunks.ts';
import { type Mutant, mutantsOf, mutantsOfWork, onChangedLines, turns } from './mutants.ts';
import { mayNameSubjects, subjectsOf } from './subjects.ts';
import { isProblem, type Problem, reportOf, runInTree, type Suite, untold } from './suite.ts';
import { tellingFor, type Work } from './work.ts';

/** A mutant and what became of it: noticed by a test that fails, or not. */
export interface Tried {
  readonly mutant: Mutant;
  /** Name of a test that failed because of it; '' when none did. */
  readonly noticedBy: string;
  /** All that noticed only broke off, by an error that nobody asked for: whoever calls the code notices that much. */
  readonly crashed: boolean;
  /** False when tests that passed on the work came to no result: then it shows nothing. */
  readonly loaded: boolean;
}

/**
 * Runs the tests on one mutant after the other in a tree of its own, until `enough` says so. Only a witness, a test that
 * passed on the work, notices by failing with a result of its own: a mutant that cannot be loaded shows nothing. What
 * was noticed last is tried once more in a tree where nothing ran before; where it is not noticed there, a program that
 * remembers its runs could have failed by itself, and each mutant gets a tree of its own. Who fails as well where the
 * work is as it was, and only the text of the mutant stands beside it, is no witness.
 */
export async function tryMutants(
  suite: Suite,
  mutants: readonly Mutant[],
  witnesses: readonly TestCase[],
  enough: (tried: readonly Tried[]) => boolean,
): Promise<readonly Tried[] | Problem> {
  let asked = witnesses;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const tried = await tryInOne(suite, mutants, asked, enough);
    if (isProblem(tried)) return tried;
    const readers = await thoseWhoReadText(suite, tried);
    const left = asked.filter(({ id }) => !readers.has(id));
    if (left.length === asked.length) return tried;
    asked = left;
  }
  return tryInOne(suite, mutants, [], enough);
}

/** What is left of the witnesses after that is none: others would only go by something else that is written there. */
const MOST_ROUNDS = 3;

async function tryInOne(
  suite: Suite,
  mutants: readonly Mutant[],
  witnesses: readonly TestCase[],
  enough: (tried: readonly Tried[]) => boolean,
): Promise<readonly Tried[] | Problem> {
  const apart = builtAnew(suite);
  if (suite.context.trees.builds) return tryEach(suite, mutants, witnesses, enough, apart);
  const run = await edited(suite);
  if (isProblem(run)) return run;
  const tried = await tryEach(suite, mutants, witnesses, enough, run);
  const last = tried.findLast(isNoticed);
  if (last === undefined) return tried;
  const again = await tryEach(suite, [last.mutant], witnesses, () => false, apart);
  return again.every(isNoticed) ? tried : tryEach(suite, mutants, witnesses, enough, apart);
}

/** Ids of tests that fail where each noticed file is as in the work, and the text of its mutant stands beside it. */
async function thoseWhoReadText(suite: Suite, tried: readonly Tried[]): Promise<ReadonlySet<string>> {
  const lastOf = new Map(tried.filter(isNoticed).map(({ mutant }) => [mutant.path, mutant]));
  const reports = await Promise.all(
    [...lastOf.values()].map(async ({ path, content }) => {
      const after = await suite.work.change.after(path);
      return after === undefined
        ? NOTHING
        : runFile(suite, path, await told(suite.work, path, after, Buffer.from(content)));
    }),
  );
  return new Set(reports.flatMap(failedIn).map(({ id }) => id));
}

export const isNoticed = ({ noticedBy }: Tried) => noticedBy !== '';

async function tryEach(
  suite: Suite,
  mutants: readonly Mutant[],
  witnesses: readonly TestCase[],
  enough: (tried: readonly Tried[]) => boolean,
  run: RunMutant,
): Promise<readonly Tried[]> {
  const passed = new Map(witnesses.map(({ id, name }) => [id, name]));
  // node always says why, but what it writes of an error that an assertion caught is no YAML and cannot be read.
  const silence = suite.command.format === 'node' ? 'unwanted exception' : '';
  const tried: Tried[] = [];
  for (const mutant of mutants) {
    if (enough(tried) || suite.context.signal?.aborted) break;
    const report = await run(mutant);
    const noticing = failedIn(report).filter(({ id }) => passed.has(id));
    const asking = noticing.find(({ message = silence }) => !CRASH.test(message));
    const noticedBy = passed.get((asking ?? noticing[0])?.id ?? '') ?? '';
    const told = new Set(report.tests.map(({ id }) => id));
    const loaded = noticing.length > 0 || witnesses.every(({ id }) => told.has(id));
    tried.push({ mutant, noticedBy, crashed: noticing.length > 0 && asking === undefined, loaded });
  }
  return tried;
}

/** What the languages themselves say of a value that cannot be used so, and assertions that ask for no more than that. */
const CRASH = new RegExp(
  [
    /^\s*(?:Uncaught )?(?:E\s+)?(?:Type|Reference|Range|Syntax|Attribute|Name|Index|Key|UnboundLocal|NoMethod)Error\b/,
    /Cannot (?:read|set) propert|Cannot destructure|Cannot access '|is not (?:a function|iterable|defined|a constructor)/,
    /Must call super|argument must be |NoneType|unwanted exception|to not throw|not\.toThrow|not to throw/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'm',
);

/** With another text beside it: a test that only looks for the words of the source finds both. */
async function told({ change }: Work, path: string, own: Buffer, other: Buffer): Promise<Buffer> {
  const before = await change.before(path);
  const telling = before === undefined ? 'code' : tellingFor(before, 'code');
  return withDecoy(path, own, other, telling) ?? own;
}

async function mutated(work: Work, { path, content }: Mutant): Promise<Buffer> {
  const [own, after] = [Buffer.from(content), await work.change.after(path)];
  return after === undefined ? own : told(work, path, own, after);
}

type RunMutant = (mutant: Mutant) => Promise<Report>;

const NOTHING: Report = { tests: [], complete: false };

/** One tree for all of them, in which a file is changed and put back. */
async function edited({ command, context, work }: Suite): Promise<RunMutant | Problem> {
  const tree = await context.trees.fresh('head', async () => {});
  if ('cause' in tree) return untold(`head could not be prepared: ${tree.cause}`);
  return async (mutant) => {
    const { path } = mutant;
    await writeFile(join(tree.checkout, path), await mutated(work, mutant));
    const run = await runReported(command, { ...context, ...tree });
    const original = await work.change.after(path);
    if (original !== undefined) await writeFile(join(tree.checkout, path), original);
    return 'fault' in run ? NOTHING : reportOf(run);
  };
}

/** A tree for each, since tests may look at what is built. */
const builtAnew =
  (suite: Suite): RunMutant =>
  async (mutant) =>
    runFile(suite, mutant.path, await mutated(suite.work, mutant));

/** The tests in a tree of their own with one file as it is here. One that cannot be built shows nothing. */
async function runFile(suite: Suite, path: string, content: Buffer): Promise<Report> {
  const run = await runInTree(suite, 'head', (checkout) => writeFile(join(checkout, path), content));
  return isProblem(run) ? NOTHING : reportOf(run);
}

/** What is tried, and why it is nothing where it is nothing. */
export interface Targets {
  readonly mutants: readonly Mutant[];
  readonly because: string;
  /** True where the tests name nothing of the project in a language that is read. */
  readonly isNothing?: boolean;
  /** Others in the same places, for where those go unnoticed. */
  further(): Promise<readonly Mutant[]>;
}

/** Whether the code of new files alone is changed. */
export type Where = 'anywhere' | 'added';

/**
 * Mutants of the lines that the work adds or changes; where those have no place for one, the work with a hunk taken
 * back. For work that only changes tests they are of what these tests are about.
 */
export async function targets(suite: Suite, where: Where = 'anywhere'): Promise<Targets> {
  const { context } = suite;
  const work = where === 'added' ? { ...suite.work, changedSources: [] } : suite.work;
  const sources = work.change.files.filter(
    (file) => file.status !== 'deleted' && isCode(file) && !work.freshTests.includes(file),
  );
  const added = sources.filter(({ status }) => status === 'added');
  const ofWork = await mutantsOfWork(work, added, 'every');
  const further = () => onChangedLines(work, added, furtherMutants);
  if (ofWork.length > 0) return { mutants: ofWork, because: '', further };
  const hunks = await revertedHunks(work.change, work.changedSources.filter(isCode), MOST_HUNKS);
  if (hunks.length > 0) return { mutants: hunks, because: '', further };
  if (context.item.kind !== 'tests')
    return {
      mutants: [],
      because:
        sources.length === 0
          ? 'no changed file is code of a known language'
          : 'no place to change was found in the changed lines',
      further,
    };
  return ofTestsAlone(suite);
}

/** What tests are about that are the whole work, the nearest first. */
async function ofTestsAlone(suite: Suite): Promise<Targets> {
  const { work } = suite;
  const steps = await subjectsOf(suite);
  const all = async (of: (path: string, text: string) => readonly Mutant[]) => {
    const lists = await Promise.all(steps.map((paths) => ofSubjects(work, paths, of)));
    return lists.flat();
  };
  const mutants = await all((path, text) => mutantsOf(path, text, () => true, 'every'));
  return {
    mutants,
    because: 'no code of the project was found that the tests are about',
    isNothing:
      mutants.length === 0 &&
      work.freshTests.every(({ path }) => ['js', 'python'].includes(languageOf(path))) &&
      !(await mayNameSubjects(suite)),
    further: () => all((path, text) => furtherMutants(path, text, () => true)),
  };
}

async function ofSubjects(
  { change }: Work,
  paths: readonly string[],
  of: (path: string, text: string) => readonly Mutant[],
): Promise<readonly Mutant[]> {
  const lists: (readonly Mutant[])[] = [];
  for (const path of paths) {
    const content = await change.after(path);
    if (content !== undefined) lists.push(of(path, content.toString('utf8')));
  }
  return turns(lists);
}

const MOST_HUNKS = 6;
