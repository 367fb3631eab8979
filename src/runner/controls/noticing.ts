import type { TestCase } from '../report.ts';
import { type BesideCode, besideCode } from './beside-code.ts';
import { isCompiled } from './code-files.ts';
import { allAtOnce, type Mutant, spread } from './mutants.ts';
import { isNoticed, type Targets, type Tried, targets, tryMutants, type Where } from './notice.ts';
import { against, isProblem, type Problem, type Suite } from './suite.ts';

/** How many changes of the code the tests get to see. */
const MOST = 6;
/** The same with those that a compiler turns down, which no test sees. */
const MOST_COMPILED = 18;
/** How many files of what tests alone are about. */
const MOST_AT_ONCE = 12;
/** How many others are tried where all of those went unnoticed. */
const MOST_FURTHER = 10;

/** Whether one of the witnesses notices that the code of the change, or of its new files, is another one. */
export async function noticing(
  suite: Suite,
  witnesses: readonly TestCase[],
  who: string,
  notes: string[],
  where: Where = 'anywhere',
): Promise<{ readonly noticed: boolean } | Problem> {
  const found = await targets(suite, where);
  if (found.mutants.length === 0 && where === 'added')
    return against(
      'no-red-on-base',
      `${who} ask for nothing else than they did, and no new code is there to ask for`,
    );
  const beside = suite.context.item.kind === 'tests' ? await besideCode(suite) : NOTHING;
  if (found.isNothing === true && beside.mutants.length === 0)
    return against('no-red-on-base', `${found.because}: let ${who} call it`);
  const tried = await tryAll(suite, found, beside, witnesses);
  if (isProblem(tried)) return tried;
  const noticed = tried.all.find(tried.counts);
  if (noticed !== undefined) {
    notes.push(
      `noticed by ${JSON.stringify(noticed.noticedBy)}: ${noticed.mutant.path}:${noticed.mutant.line} ${noticed.mutant.what}`,
    );
    return { noticed: true };
  }
  const untried = untriedOf(found, beside, tried.all);
  if (untried === '') return against('no-red-on-base', objection(who, tried.all));
  notes.push(`whether the tests notice a change of the code could not be tried: ${untried}`);
  return { noticed: false };
}

const NOTHING: BesideCode = { mutants: [], untried: '' };

/** Why nobody can say that the tests ask for nothing; '' where all that they name was tried. */
function untriedOf(found: Targets, beside: BesideCode, tried: readonly Tried[]): string {
  if (found.mutants.length === 0 && found.isNothing !== true) return found.because;
  const unloaded = beside.mutants.find(({ path }) => tried.some((t) => t.mutant.path === path && !t.loaded));
  const asked = beside.untried !== '' ? beside.untried : unloaded?.path;
  return asked === undefined ? '' : `they may ask for something else, such as ${asked}`;
}

interface AllTried {
  readonly all: readonly Tried[];
  /** Whether one shows that the tests ask for something. */
  counts(tried: Tried): boolean;
}

/** Changes of the code, of what is named beside it, and more of the code, each where those before went unnoticed. */
async function tryAll(
  suite: Suite,
  found: Targets,
  beside: BesideCode,
  witnesses: readonly TestCase[],
): Promise<AllTried | Problem> {
  const usual = found.mutants.length === 0 ? [] : await tryUsual(suite, found, witnesses);
  if (isProblem(usual)) return usual;
  // What only broke off was good enough for a turned operator, and is not for a value that was taken away.
  const counts = (tried: Tried) => isNoticed(tried) && !(tried.crashed && !usual.includes(tried));
  const data = usual.some(counts) ? [] : await tryBeside(suite, beside, witnesses, counts);
  if (isProblem(data)) return data;
  const isOver = found.mutants.length === 0 || [...usual, ...data].some(counts);
  const further = isOver ? [] : await tryFurther(suite, found, witnesses);
  return isProblem(further) ? further : { all: [...usual, ...data, ...further], counts };
}

const tryBeside = async (
  suite: Suite,
  { mutants }: BesideCode,
  witnesses: readonly TestCase[],
  counts: (tried: Tried) => boolean,
) => (mutants.length === 0 ? [] : tryMutants(suite, mutants, witnesses, (all) => all.some(counts)));

function tryUsual(suite: Suite, { mutants }: Targets, witnesses: readonly TestCase[]) {
  const most = mutants.some(({ path }) => isCompiled(path)) ? MOST_COMPILED : MOST;
  // What tests that are the whole work are about can lie anywhere in a file.
  const first = suite.context.item.kind === 'tests' ? allAtOnce(mutants).slice(0, MOST_AT_ONCE) : [];
  return tryMutants(
    suite,
    [...first, ...spread(mutants, most)],
    witnesses,
    (all) => all.some(isNoticed) || all.filter((t) => t.loaded).length >= MOST + first.length,
  );
}

/** A mutant may never come to an end: all of them together get the time that one run of the tests has. */
async function tryFurther(suite: Suite, { further }: Targets, witnesses: readonly TestCase[]) {
  const mutants = (await further()).slice(0, MOST_FURTHER);
  if (mutants.length === 0) return [];
  const start = performance.now();
  return tryMutants(
    suite,
    mutants,
    witnesses,
    (all) =>
      all.some((tried) => isNoticed(tried) && !tried.crashed) ||
      performance.now() - start > suite.command.timeoutMs,
  );
}

/** Says what was tried and what would help: the reader has to see that the test asks for nothing that was changed. */
function objection(who: string, tried: readonly Tried[]): string {
  const places = tried.slice(0, 4).map(({ mutant }) => placeOf(mutant));
  const more = tried.length > places.length ? '; …' : '';
  return `${who} do not notice any of ${tried.length} changes to the code they are about (${places.join('; ')}${more}): let a test compare what the new code answers with the exact value it should be`;
}

function placeOf({ path, line, what, brief = what }: Mutant): string {
  const short = brief.length > 100 ? `${brief.slice(0, 99)}…` : brief;
  return `${path}:${line} ${short}`;
}
