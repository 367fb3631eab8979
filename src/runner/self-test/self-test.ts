import { randomBytes } from 'node:crypto';
import type { Change } from '../change.ts';
import type { CheckResult } from '../checks/check.ts';
import type { CheckSpec } from '../checks/index.ts';
import type { Criteria } from '../criteria.ts';
import type { BadFile, KnownBad } from './bad-work.ts';
import { knownBadFor } from './known-bad.ts';
import { lastLines, onOneLine } from './last-lines.ts';
import { changeOf } from './said-change.ts';

/** Runs criteria on one commit, in a checkout that is edited before anything is put in place. */
export interface Bench {
  /** Hex id of the commit's tree. */
  readonly tree: string;
  /** A file of the commit; undefined where it has none. */
  read(path: string): Promise<Buffer | undefined>;
  /** The change is looked at after the checkout was edited, not before. */
  run(
    criteria: Criteria,
    edit: (checkout: string) => Promise<void>,
    change: Change,
  ): Promise<readonly CheckResult[]>;
  readonly onProgress: (line: string) => void;
}

/** What the self-test of one check came to. */
export interface SelfTested {
  readonly id: string;
  readonly kind: string;
  /** How it ends on the commit as it is; `not-run` for what judges a change or somebody's word. */
  readonly onHead: CheckResult['outcome'] | 'not-run';
  readonly canFail: 'yes' | 'no' | 'not-told';
  /** One line for people. */
  readonly because: string;
  /** The end of what its program wrote, where it does not pass on the commit as it is. */
  readonly output: readonly string[];
}

/**
 * Shows of each check that it passes on the commit as it is, and that it turns down work that is known to be bad: a
 * gate that nothing fails checks nothing. The controls of a tests check are the runner's own and have no part in this.
 */
export async function selfTest(criteria: Criteria, bench: Bench): Promise<readonly SelfTested[]> {
  const checks = criteria.checks.map(withoutControls);
  const standing = checks.filter(({ kind }) => !JUDGES_MORE.has(kind));
  const onHead = new Map<string, CheckResult>();
  bench.onProgress('the commit as it is');
  if (standing.length > 0) {
    const results = await bench.run(
      { ...criteria, checks: standing },
      async () => {},
      changeOf(bench, () => []),
    );
    for (const result of results) onHead.set(result.id, result);
  }
  const told: SelfTested[] = [];
  // Mutants go by their tests, wherever these stand in the file.
  for (const check of [...checks].sort((a, b) => Number(isMutation(a)) - Number(isMutation(b)))) {
    const { id, kind } = check;
    const head = JUDGES_MORE.has(kind) ? NOT_RUN : withOutput(onHead.get(id));
    const { canFail, because } = await tried(check, { ...criteria, checks }, bench, head, told);
    told.push({ id, kind, onHead: head.outcome, canFail, because: onOneLine(because), output: head.output });
  }
  return checks.flatMap((check) => told.find(({ id }) => id === check.id) ?? []);
}

const isMutation = ({ kind }: CheckSpec) => kind === 'mutation';

/** Kinds that look at a change, at other checks or at what somebody said: a commit alone tells them nothing. */
const JUDGES_MORE: ReadonlySet<string> = new Set(['diff', 'mutation', 'review', 'approval', 'artifact']);

const withoutControls = (check: CheckSpec): CheckSpec =>
  check.kind === 'tests' ? { ...check, controls: [], attempts: 1 } : check;

interface OnHead {
  readonly outcome: SelfTested['onHead'];
  readonly explanation: string;
  readonly output: readonly string[];
}

const NOT_RUN: OnHead = { outcome: 'not-run', explanation: '', output: [] };

function withOutput(result: CheckResult | undefined): OnHead {
  if (result === undefined) return { outcome: 'indeterminate', explanation: 'it did not run', output: [] };
  const { outcome, explanation, output } = result;
  return { outcome, explanation, output: outcome === 'pass' ? [] : lastLines(output) };
}

type Told = Pick<SelfTested, 'canFail' | 'because'>;

async function tried(
  check: CheckSpec,
  criteria: Criteria,
  bench: Bench,
  head: OnHead,
  before: readonly SelfTested[],
): Promise<Told> {
  if (head.outcome === 'fail' || head.outcome === 'indeterminate')
    return {
      canFail: 'not-told',
      because: `on the commit as it is: ${head.explanation}${wayOn(check, head)}`,
    };
  const tests = check.kind === 'mutation' ? byItsTests(check.of, before) : undefined;
  // Tests that notice nothing never let a mutant be noticed, whatever the mutation check finds.
  if (tests !== undefined && tests.canFail !== 'yes') return tests;
  return (await onKnownBad(check, criteria, bench)) ?? tests ?? NOTHING_BAD;
}

/** Tests that fail now would hold up all work that comes. */
const wayOn = (check: CheckSpec, { outcome }: OnHead) =>
  check.kind === 'tests' && outcome === 'fail' && !check.tolerateKnown
    ? '; where this cannot be mended first, known_failures: tolerate in this check lets fail what failed before'
    : '';

const NOTHING_BAD: Told = {
  canFail: 'not-told',
  because: 'there is nothing here that could be made bad for it',
};

/** Until one fails, or nothing is left to try; undefined when none of it told anything. */
async function onKnownBad(check: CheckSpec, criteria: Criteria, bench: Bench): Promise<Told | undefined> {
  const passed: string[] = [];
  const open: string[] = [];
  for (const bad of knownBadFor(check, criteria.setup.build.length > 0)) {
    bench.onProgress(`${check.id}: with ${bad.what}`);
    const result = await onBad(check, criteria, bench, bad);
    if (result === undefined || !bad.tells(result)) continue;
    if (result.outcome === 'fail')
      return { canFail: 'yes', because: `fails with ${bad.what}${weaker(passed)}` };
    if (result.outcome === 'pass') passed.push(bad.what);
    else open.push(`stays open with ${bad.what}: ${result.explanation.slice(0, 200)}`);
    if (bad.decides && result.outcome === 'pass') break;
  }
  const [first] = open;
  if (first !== undefined) return { canFail: 'not-told', because: `${first}${weaker(passed)}` };
  return passed.length > 0
    ? { canFail: 'no', because: `passes with ${passed.join(', and with ')}` }
    : undefined;
}

const weaker = (passed: readonly string[]) =>
  passed.length === 0 ? '' : `, though it passes with ${passed.join(' and with ')}`;

function byItsTests(of: string, before: readonly SelfTested[]): Told {
  const tests = before.find(({ id }) => id === of);
  return { canFail: tests?.canFail ?? 'not-told', because: `goes by what ${of} notices` };
}

/** The check on bad work, alone or behind the commands before it; undefined when the work could not be made. */
async function onBad(
  check: CheckSpec,
  criteria: Criteria,
  bench: Bench,
  bad: KnownBad,
): Promise<CheckResult | undefined> {
  let made: readonly BadFile[] | undefined;
  const secret = randomBytes(16).toString('hex');
  const edit = async (checkout: string) => {
    made = await bad.edit(checkout, secret);
  };
  const checks = [...(bad.withCommands ? commandsBefore(check, criteria) : []), check];
  const alone: Criteria = { ...criteria, checks, setup: setupFor(bad, criteria), allowChanges: true };
  const results = await bench.run(
    alone,
    edit,
    changeOf(bench, () => made ?? []),
  );
  return made === undefined ? undefined : results.find(({ id }) => id === check.id);
}

const commandsBefore = (check: CheckSpec, { checks }: Criteria) =>
  checks
    .slice(
      0,
      checks.findIndex(({ id }) => id === check.id),
    )
    .filter(({ kind }) => kind === 'command' || kind === 'tests');

function setupFor({ setup }: KnownBad, criteria: Criteria): Criteria['setup'] {
  if (setup === 'all') return criteria.setup;
  return setup === 'install' ? { ...criteria.setup, build: [] } : { install: 'none', build: [] };
}
