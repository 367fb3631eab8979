import { failedIn, named, passedIn } from '../controls/census.ts';
import { isCode } from '../controls/code-files.ts';
import { revertedHunks } from '../controls/hunks.ts';
import { type Mutant, mutantsOfWork } from '../controls/mutants.ts';
import { type Tried, tryMutants } from '../controls/notice.ts';
import { productAside } from '../controls/product-aside.ts';
import { slotsFor } from '../controls/slots.ts';
import {
  against,
  boundedBy,
  isProblem,
  type Problem,
  reportOf,
  runInTree,
  type Suite,
  untold,
} from '../controls/suite.ts';
import { testSupport } from '../controls/test-support.ts';
import { plantDecoys, workOf } from '../controls/work.ts';
import type { Fields } from '../fields.ts';
import type { TestCase } from '../report.ts';
import { startedBy } from '../started-by.ts';
import { type CheckContext, type CheckResult, plainResult } from './check.ts';
import type { TestsCheck } from './tests.ts';

/** Changes the changed lines a little, one at a time: the tests have to notice. */
export interface MutationCheck {
  readonly id: string;
  readonly kind: 'mutation';
  /** The id of the tests check whose command has to notice. */
  readonly of: string;
  readonly max: number;
  /** Part of the operator mutants that must be noticed, 0 to 100. */
  readonly minNoticed: number;
  /** The check that `of` names; found when the criteria are whole. */
  readonly target: TestsCheck | undefined;
}

/** Reads it from criteria; problems go to the fields. */
export function readMutationCheck(id: string, fields: Fields): MutationCheck {
  const minNoticed = fields.integer('min_noticed', 50);
  if (minNoticed > 100) fields.problem('min_noticed', 'is a percentage: at most 100');
  const max = fields.integer('max', 20);
  if (max < 1 || max > 500) fields.problem('max', 'must be 1 to 500');
  return { id, kind: 'mutation', of: fields.text('of'), max, minNoticed, target: undefined };
}

/**
 * Takes each hunk of the work back, then turns operators on changed lines. At least one hunk must be missed by a test,
 * or nothing shows the change; and enough of the operators, or the tests only touch the code.
 */
export async function runMutationCheck(check: MutationCheck, context: CheckContext): Promise<CheckResult> {
  const { change, item } = context;
  if (check.target === undefined || change === undefined)
    return told(check, untold('the run knows no base to compare with'));
  if (item.noChange || item.kind !== 'code') {
    const why = item.noChange
      ? 'the claim says that no change is needed'
      : `the item is of kind ${item.kind}`;
    return told(check, passed(`nothing to try: ${why}`));
  }
  const work = workOf(
    change,
    check.target.files,
    await testSupport(change, check.target.files, [
      startedBy(check.target.command, check.target.controls.includes('base-tests')),
    ]),
    new Set(),
    await productAside(change, check.target.files),
  );
  const { command, files } = check.target;
  const suite: Suite = { command, files, context, work, slots: slotsFor(context.isolation) };
  const honest = await runInTree(suite, 'head', async () => {});
  if (isProblem(honest)) return told(check, honest);
  const report = reportOf(honest);
  if (failedIn(report).length > 0 || passedIn(report).length === 0)
    return told(check, untold('the tests do not pass by themselves: there is nothing to notice with'));
  const bounded = boundedBy(suite, honest.ended.durationMs);
  const witnesses = await withoutReaders(bounded, passedIn(report));
  if (isProblem(witnesses)) return told(check, witnesses);
  const tried = await tryAll(check, bounded, witnesses);
  return isProblem(tried) ? told(check, tried) : judged(check, tried);
}

/** A test that goes by the text of sources fails whatever is changed in them: it notices nothing of what they do. */
async function withoutReaders(
  suite: Suite,
  witnesses: readonly TestCase[],
): Promise<readonly TestCase[] | Problem> {
  const run = await runInTree(suite, 'head', async (checkout) => {
    await plantDecoys(checkout, suite.work, 'head');
  });
  if (isProblem(run)) return run;
  const failed = new Set(failedIn(reportOf(run)).map(({ id }) => id));
  return witnesses.filter(({ id }) => !failed.has(id));
}

interface TriedAll {
  readonly hunks: readonly Tried[];
  readonly operators: readonly Tried[];
}

async function tryAll(
  { max }: MutationCheck,
  suite: Suite,
  witnesses: readonly TestCase[],
): Promise<TriedAll | Problem> {
  const { change, freshTests } = suite.work;
  const sources = change.files.filter((file) => isCode(file) && !freshTests.includes(file));
  const of = (status: string) => sources.filter((file) => file.status === status);
  const hunks = await tryMutants(suite, await revertedHunks(change, of('modified'), max), witnesses, never);
  if (isProblem(hunks)) return hunks;
  const mutants = (await mutantsOfWork(suite.work, of('added'))).slice(0, max);
  const operators = await tryMutants(suite, mutants, witnesses, never);
  return isProblem(operators) ? operators : { hunks, operators };
}

const never = () => false;

function judged(check: MutationCheck, { hunks, operators }: TriedAll): CheckResult {
  const notes = [...hunks, ...operators].map(line);
  // What a compiler turns down, or never comes to an end of its own, no test has judged.
  const seen = operators.filter(({ loaded }) => loaded);
  const figures = `${noticed(hunks)} of ${hunks.length} hunks and ${noticed(operators)} of ${seen.length} changed operators were noticed`;
  if (notes.length === 0) return told(check, passed('no changed line could be altered'));
  const [because, survived] = objection(check, hunks, seen, figures);
  if (because === '') return { ...told(check, passed(figures), notes), shows: ['mutation'] };
  return told(check, against('mutant-survived', `${because}: ${survivors(survived)}`), notes);
}

/** What there is to say against the tests, and the changes that they did not notice. */
function objection(
  { minNoticed }: MutationCheck,
  hunks: readonly Tried[],
  operators: readonly Tried[],
  figures: string,
): readonly [string, readonly Tried[]] {
  // Without new code the tests about it often cannot even be loaded: that shows nothing, and the operators decide.
  const isOpen = hunks.some(({ loaded }) => !loaded) && noticed(operators) > 0;
  if (hunks.length > 0 && noticed(hunks) === 0 && !isOpen)
    return ['the change can be taken back without a test failing', hunks];
  if (noticed(operators) * 100 < minNoticed * operators.length)
    return [`${figures}, ${minNoticed} % is required`, operators];
  if (noticed(hunks) + noticed(operators) === 0) return ['no changed line could be tried', hunks];
  return ['', []];
}

const passed = (explanation: string) => ({ outcome: 'pass' as const, reason: '', explanation });

const told = (
  { id, kind }: MutationCheck,
  found: Pick<CheckResult, 'outcome' | 'reason' | 'explanation'>,
  notes: readonly string[] = [],
): CheckResult => ({ ...plainResult, id, kind, strength: 'tests', ...found, notes });

const noticed = (tried: readonly Tried[]) => tried.filter(({ noticedBy }) => noticedBy !== '').length;
const place = ({ path, line: at, what }: Mutant) => `${path}:${at} ${what}`;
const survivors = (tried: readonly Tried[]) =>
  named(tried.filter(({ noticedBy }) => noticedBy === '').map(({ mutant }) => place(mutant)));
function fateOf({ noticedBy, loaded }: Tried): string {
  if (noticedBy !== '') return `noticed by ${JSON.stringify(noticedBy.slice(0, 100))}`;
  return loaded ? 'survived' : 'the tests could not be loaded';
}
const line = (tried: Tried) => `${fateOf(tried)}: ${place(tried.mutant).slice(0, 300)}`;
