import { writeFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { runReported } from '../checks/command.ts';
import type { Report, TestCase } from '../report.ts';
import { failedIn } from './census.ts';
import { revertedHunks } from './hunks.ts';
import { inlineChanges } from './inline-change.ts';
import { isCode, type Mutant, mutantsOf, mutantsOfWork, turns } from './mutants.ts';
import { isProblem, type Problem, reportOf, runInTree, type Suite, untold } from './suite.ts';

/** A mutant and what became of it: noticed by a test that fails, or not. */
export interface Tried {
  readonly mutant: Mutant;
  /** Name of a test that failed because of it; '' when none did. */
  readonly noticedBy: string;
  /** False when tests that passed on the work came to no result: then it shows nothing. */
  readonly loaded: boolean;
}

/**
 * Runs the tests on one mutant after the other in a tree of its own, until `enough` says so. Only a witness, a test that
 * passed on the work, notices by failing with a result of its own: a mutant that cannot be loaded shows nothing.
 */
export async function tryMutants(
  suite: Suite,
  mutants: readonly Mutant[],
  witnesses: readonly TestCase[],
  enough: (tried: readonly Tried[]) => boolean,
): Promise<readonly Tried[] | Problem> {
  const { context } = suite;
  const run = context.trees.builds ? builtAnew(suite) : await edited(suite);
  if (isProblem(run)) return run;
  const passed = new Map(witnesses.map(({ id, name }) => [id, name]));
  const tried: Tried[] = [];
  for (const mutant of mutants) {
    if (enough(tried) || context.signal?.aborted) break;
    const report = await run(mutant);
    const noticedBy = failedIn(report).flatMap(({ id }) => passed.get(id) ?? [])[0] ?? '';
    const told = new Set(report.tests.map(({ id }) => id));
    tried.push({ mutant, noticedBy, loaded: noticedBy !== '' || witnesses.every(({ id }) => told.has(id)) });
  }
  return tried;
}

type RunMutant = (mutant: Mutant) => Promise<Report>;

const NOTHING: Report = { tests: [], complete: false };

/** One tree for all of them, in which a file is changed and put back. */
async function edited({ command, context, work }: Suite): Promise<RunMutant | Problem> {
  const tree = await context.trees.fresh('head', async () => {});
  if ('cause' in tree) return untold(`head could not be prepared: ${tree.cause}`);
  return async ({ path, content }) => {
    await writeFile(join(tree.checkout, path), content);
    const run = await runReported(command, { ...context, ...tree });
    const original = await work.change.after(path);
    if (original !== undefined) await writeFile(join(tree.checkout, path), original);
    return 'fault' in run ? NOTHING : reportOf(run);
  };
}

/** A tree for each, since tests may look at what is built. One that cannot be built shows nothing. */
const builtAnew =
  (suite: Suite): RunMutant =>
  async ({ path, content }) => {
    const run = await runInTree(suite, 'head', (checkout) => writeFile(join(checkout, path), content));
    return isProblem(run) ? NOTHING : reportOf(run);
  };

/** What is tried, and why it is nothing where it is nothing. */
export interface Targets {
  readonly mutants: readonly Mutant[];
  readonly because: string;
}

/**
 * Mutants of the lines that the work adds or changes; where those have no place for one, the work with a hunk taken
 * back. For work that only changes tests they are of what these tests are about.
 */
export async function targets(suite: Suite): Promise<Targets> {
  const { work, context } = suite;
  const sources = work.change.files.filter(
    (file) => file.status !== 'deleted' && isCode(file) && !work.freshTests.includes(file),
  );
  const added = sources.filter(({ status }) => status === 'added');
  const ofWork = await mutantsOfWork(work, added, 'every');
  if (ofWork.length > 0) return { mutants: ofWork, because: '' };
  const hunks = await revertedHunks(work.change, work.changedSources.filter(isCode), MOST_HUNKS);
  if (hunks.length > 0) return { mutants: hunks, because: '' };
  if (context.item.kind !== 'tests')
    return {
      mutants: [],
      because:
        sources.length === 0
          ? 'no changed file is code of a known language'
          : 'no place to change was found in the changed lines',
    };
  const lists: (readonly Mutant[])[] = [];
  for (const path of await subjects(suite)) {
    const content = await work.change.after(path);
    if (content !== undefined) lists.push(mutantsOf(path, content.toString('utf8'), () => true, 'every'));
  }
  return { mutants: turns(lists), because: 'no code of the project was found that the tests are about' };
}

const MOST_HUNKS = 6;

/** What tests are about that are the whole work: what they import, and the sources that they stand in. */
async function subjects(suite: Suite): Promise<readonly string[]> {
  const inside = (await inlineChanges(suite.work)).map(({ path }) => path);
  return [...inside, ...(await imported(suite))];
}

const SPECIFIER = /(?:from|import|require)\s*\(?\s*['"](\.{1,2}\/[^'"]*|\.{1,2})['"]/g;
const ENDINGS = ['', '.ts', '.js', '.mjs', '.cjs', '.tsx', '.jsx', '/index.ts', '/index.js'];

/** The files of the project that the fresh tests name in their imports. */
async function imported({ work }: Suite): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const { path } of work.freshTests) {
    const text = (await work.change.after(path))?.toString('utf8') ?? '';
    for (const name of [...text.matchAll(SPECIFIER)].flatMap(([, word = '']) => candidates(path, word)))
      if (!found.has(name) && (await work.change.after(name)) !== undefined) found.add(name);
  }
  for (const { path } of work.freshTests) found.delete(path);
  return [...found];
}

/** What a relative import may mean, as far as it can be code. */
function candidates(from: string, specifier: string): readonly string[] {
  const stem = normalize(join(dirname(from), specifier)).replace(/\/$/, '');
  const names = [...ENDINGS.map((ending) => `${stem}${ending}`), stem.replace(/\.js$/, '.ts')];
  return names.filter((path) => isCode({ path, status: 'modified' }));
}
