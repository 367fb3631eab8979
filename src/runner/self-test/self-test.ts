import { randomBytes } from 'node:crypto';
import type { Change } from '../change.ts';
import type { CheckResult } from '../checks/check.ts';
import type { CheckSpec } from '../checks/index.ts';
import type { Criteria } from '../criteria.ts';
import { type BadFile, type KnownBad, knownBadFor } from './known-bad.ts';

/** Runs criteria on one commit, in a checkout that is edited before anything is put in place. */
export interface Bench {
  /** Hex id of the commit's tree. */
  readonly tree: string;
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
    const results = await bench.run({ ...criteria, checks: standing }, async () => {}, noChange(bench.tree));
    for (const result of results) onHead.set(result.id, result);
  }
  const told: SelfTested[] = [];
  for (const check of checks) told.push(await tried(check, criteria, bench, onHead.get(check.id), told));
  return told;
}

/** Kinds that look at a change, at other checks or at what somebody said: a commit alone tells them nothing. */
const JUDGES_MORE: ReadonlySet<string> = new Set(['diff', 'mutation', 'review', 'approval', 'artifact']);

/** Without a word they stay open, and that is no pass. */
const NEEDS_WORD: ReadonlySet<string> = new Set(['review', 'approval']);

const withoutControls = (check: CheckSpec): CheckSpec =>
  check.kind === 'tests' ? { ...check, controls: [], attempts: 1 } : check;

async function tried(
  check: CheckSpec,
  criteria: Criteria,
  bench: Bench,
  head: CheckResult | undefined,
  before: readonly SelfTested[],
): Promise<SelfTested> {
  const { id, kind } = check;
  const end = (canFail: SelfTested['canFail'], because: string): SelfTested => ({
    id,
    kind,
    onHead: JUDGES_MORE.has(kind) ? 'not-run' : (head?.outcome ?? 'indeterminate'),
    canFail,
    because,
  });
  if (!JUDGES_MORE.has(kind) && head?.outcome !== 'pass')
    return end('not-told', `on the commit as it is: ${head?.explanation ?? 'it did not run'}`);
  if (check.kind === 'mutation') return byItsTests(check.of, before, end);
  const passed: string[] = [];
  for (const bad of knownBadFor(check)) {
    bench.onProgress(`${id}: with ${bad.what}`);
    const result = await onBad(check, criteria, bench, bad);
    if (result === undefined) continue;
    if (result.outcome === 'fail') return end('yes', `fails with ${bad.what}${weaker(passed)}`);
    if (result.outcome === 'indeterminate')
      return end(NEEDS_WORD.has(kind) ? 'yes' : 'not-told', open(bad, result));
    passed.push(bad.what);
  }
  if (passed.length > 0) return end('no', `passes with ${passed.join(', and with ')}`);
  return end('not-told', 'there is nothing here that could be made bad for it');
}

const weaker = (passed: readonly string[]) =>
  passed.length === 0 ? '' : `, though it passes with ${passed.join(' and with ')}`;
const open = (bad: KnownBad, { explanation }: CheckResult) =>
  `stays open with ${bad.what}: ${explanation.slice(0, 200)}`;

function byItsTests(
  of: string,
  before: readonly SelfTested[],
  end: (canFail: SelfTested['canFail'], because: string) => SelfTested,
): SelfTested {
  const tests = before.find(({ id }) => id === of);
  return end(tests?.canFail ?? 'not-told', `goes by what ${of} notices`);
}

/** The check alone on bad work; undefined when that could not be made. */
async function onBad(
  check: CheckSpec,
  criteria: Criteria,
  bench: Bench,
  bad: KnownBad,
): Promise<CheckResult | undefined> {
  let made = false;
  const setup: Criteria['setup'] = bad.setup ? criteria.setup : { install: 'none', build: [] };
  const alone: Criteria = { ...criteria, checks: [check], setup, allowChanges: true };
  const secret = randomBytes(16).toString('hex');
  const edit = async (checkout: string) => {
    made = await bad.edit(checkout, secret);
  };
  const results = await bench.run(alone, edit, changeOf(bad.change, bench.tree));
  return made ? results.find(({ id }) => id === check.id) : undefined;
}

const noChange = (tree: string): Change => changeOf([], tree);

function changeOf(files: readonly BadFile[], baseTree: string): Change {
  const content = (side: 'before' | 'after') => async (path: string) => {
    const text = files.find((file) => file.path === path)?.[side];
    return text === undefined ? undefined : Buffer.from(text);
  };
  return {
    baseTree,
    files: files.map(({ path, before, after }) => ({
      path,
      status: before === undefined ? 'added' : after === undefined ? 'deleted' : 'modified',
    })),
    before: content('before'),
    after: content('after'),
  };
}
