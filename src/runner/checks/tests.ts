import { didYouMean } from '../../kernel/nearest.ts';
import { emptyBase } from '../change.ts';
import { type BaseRun, baseRun } from '../controls/base-run.ts';
import { baseTests } from '../controls/base-tests.ts';
import { type CanaryRun, canaryRun, readsSource } from '../controls/canary-run.ts';
import { censusProblem } from '../controls/census.ts';
import { evidenceOfChange } from '../controls/evidence-of-change.ts';
import { inPairs } from '../controls/in-pairs.ts';
import { knownFailures } from '../controls/known-failures.ts';
import { type Plain, plainRuns } from '../controls/plain-runs.ts';
import { excusedTests } from '../controls/signed-tests.ts';
import { type Control, controls, isProblem, type Problem, reportOf, type Suite } from '../controls/suite.ts';
import { testSupport } from '../controls/test-support.ts';
import { workOf } from '../controls/work.ts';
import { type Fields, textsOrNone } from '../fields.ts';
import { startedBy } from '../started-by.ts';
import { testPatterns } from '../test-files.ts';
import { type CheckContext, type CheckResult, plainResult, type Shown } from './check.ts';
import { type CommandCheck, commandStrength, readCommandCheck } from './command.ts';
import { countsOf } from './judge.ts';

/** A test command, and what it is held to: see docs/verification.md. */
export interface TestsCheck {
  readonly id: string;
  readonly kind: 'tests';
  readonly command: CommandCheck;
  /** Patterns of the paths that are tests. */
  readonly files: readonly string[];
  readonly controls: readonly Control[];
  /** Whether tests may fail that failed on base already. */
  readonly tolerateKnown: boolean;
  /** How often the command runs, decided beforehand. */
  readonly attempts: number;
}

/** Reads it from criteria; problems go to the fields. */
export function readTestsCheck(id: string, fields: Fields): TestsCheck {
  const command = readCommandCheck(id, fields);
  if (fields.has('inputs')) fields.problem('inputs', 'has no use here: tests run every time');
  if (fields.has('apart')) fields.problem('apart', 'has no use here: the controls have trees of their own');
  if (command.format === 'exit') fields.problem('report', 'must name a format that tells tests apart');
  const asked = textsOrNone(fields, 'controls', controls);
  const strange = asked.filter((name) => !controls.some((known) => known === name));
  if (strange.length > 0)
    fields.problem(
      'controls',
      `knows ${controls.join(', ')}, not ${strange.join(', ')}${didYouMean(strange[0] ?? '', controls)}`,
    );
  const attempts = fields.integer('attempts', 1);
  if (attempts < 1 || attempts > 10) fields.problem('attempts', 'must be 1 to 10');
  return {
    id,
    kind: 'tests',
    command,
    files: fields.has('files') ? fields.texts('files') : testPatterns,
    controls: controls.filter((name) => asked.includes(name)),
    tolerateKnown: fields.choice('known_failures', ['refuse', 'tolerate'], 'refuse') === 'tolerate',
    attempts,
  };
}

/** What a kind of item is held to, out of what the criteria ask. Without a change there is nothing to compare. */
function controlsFor({ controls: asked }: TestsCheck, { item, change }: CheckContext): ReadonlySet<Control> {
  const all = new Set(asked);
  if (change === undefined) return new Set();
  if (item.noChange || !COMPARED.has(item.kind)) return new Set(asked.filter((name) => name === 'canary'));
  if (item.kind === 'refactor' || item.kind === 'chore') all.delete('red-on-base');
  return all;
}

const COMPARED = new Set(['code', 'refactor', 'chore', 'tests']);

/** Runs the tests as claimed and, as far as asked, in the other trees; any one finding fails it. */
export async function runTestsCheck(check: TestsCheck, context: CheckContext): Promise<CheckResult> {
  const { change } = context;
  if (change === undefined && check.controls.length > 0) {
    return told(check, undefined, {
      outcome: 'indeterminate',
      reason: 'not-told',
      explanation: 'the run knows no base to compare with',
    });
  }
  const none = {
    baseTree: '',
    files: [],
    base: emptyBase,
    before: async () => undefined,
    after: async () => undefined,
  };
  const work = workOf(
    change ?? none,
    check.files,
    await testSupport(change ?? none, check.files, [
      startedBy(check.command, check.controls.includes('base-tests')),
    ]),
  );
  const suite: Suite = { command: check.command, files: check.files, context, work };
  const held = controlsFor(check, context);
  const [plain, canaried] = await inPairs<Plain | CanaryRun | Problem>([
    () => plainRuns(suite, check.attempts),
    async () =>
      held.has('canary') ? canaryRun(suite) : { report: { tests: [], complete: true }, planted: 0 },
  ]);
  if (plain === undefined || canaried === undefined || !('run' in plain))
    return told(check, undefined, plain as Problem);
  const findings = await judged(check, suite, held, plain, canaried as CanaryRun | Problem);
  return told(check, plain, findings.problem, findings.notes, findings.shows);
}

interface Findings {
  readonly problem: Problem | undefined;
  readonly notes: readonly string[];
  readonly shows: readonly Shown[];
}

async function judged(
  check: TestsCheck,
  suite: Suite,
  held: ReadonlySet<Control>,
  plain: Plain,
  canaried: CanaryRun | Problem,
): Promise<Findings> {
  const notes: string[] = [...plain.notes];
  const shows: Shown[] = ['tests'];
  let known: ReturnType<OnBase> | undefined;
  const onBase: OnBase = () => {
    known ??= baseRun(suite);
    return known;
  };
  const problem =
    (await ofFailures(check, onBase, held, plain, notes)) ??
    (held.has('canary') ? await ofCanaries(suite, plain, canaried, notes, shows) : undefined) ??
    (comparesWithBase(held) ? await compared(suite, onBase, held, plain, notes, shows) : undefined);
  return { problem, notes, shows };
}

/** The run of base, made when somebody first asks for it. */
type OnBase = () => ReturnType<typeof baseRun>;

const comparesWithBase = (held: ReadonlySet<Control>) => [...held].some((control) => control !== 'canary');

/** A run that failed: base tells which failures are new. */
async function ofFailures(
  check: TestsCheck,
  onBase: OnBase,
  held: ReadonlySet<Control>,
  plain: Plain,
  notes: string[],
): Promise<Problem | undefined> {
  if (plain.judgement.outcome === 'pass') return undefined;
  const base = comparesWithBase(held) || check.tolerateKnown ? await onBase() : undefined;
  const { problem, note } = knownFailures(plain, base, check.tolerateKnown);
  notes.push(...note);
  return problem;
}

async function ofCanaries(
  suite: Suite,
  plain: Plain,
  canaried: CanaryRun | Problem,
  notes: string[],
  shows: Shown[],
): Promise<Problem | undefined> {
  if (isProblem(canaried)) return canaried;
  if (canaried.planted > 0) {
    shows.push('canary');
    notes.push(`${canaried.planted} canaries failed, as they must`);
  } else notes.push('no canary: the report format can host none, or no file that defines tests was found');
  return readsSource(suite, reportOf(plain.run), canaried.report);
}

const phrase = ({ report, reused }: BaseRun) =>
  `base: ${report.tests.length} tests${reused ? ', from an earlier run of the same tree and command' : ''}`;

/** What only a look at base can tell; the notes and what is shown are filled in on the way. */
async function compared(
  suite: Suite,
  onBase: OnBase,
  held: ReadonlySet<Control>,
  plain: Plain,
  notes: string[],
  shows: Shown[],
): Promise<Problem | undefined> {
  const base = await onBase();
  if (isProblem(base)) return base;
  notes.push(phrase(base));
  const head = { report: reportOf(plain.run), durationMs: plain.run.ended.durationMs };
  const [ofBase, ofChange] = await inPairs<Problem | undefined>([
    () => lessThanBase(suite, base, held, head, notes),
    async () =>
      held.has('red-on-base') ? evidenceOfChange(suite, base.report, head.report, notes, shows) : undefined,
  ]);
  return ofBase ?? ofChange;
}

/** What base had and the work has not; a signed change of a test file is somebody else's to agree to, and excuses that file. */
async function lessThanBase(
  suite: Suite,
  base: BaseRun,
  held: ReadonlySet<Control>,
  head: Parameters<typeof censusProblem>[1],
  notes: string[],
): Promise<Problem | undefined> {
  const excused = await excusedTests(suite, base.report);
  if (isProblem(excused)) return excused;
  const signed = suite.work.touchedTests.filter(({ path }) => suite.context.signed.has(path)).length;
  if (signed > 0)
    notes.push(`${signed} changed test files of base were signed off; ${excused.size} tests went with them`);
  const census = held.has('census') ? censusProblem(base, head, excused) : undefined;
  return (
    census ??
    (held.has('base-tests') ? baseTests(suite, base.report, head.report, excused, notes) : undefined)
  );
}

function told(
  check: TestsCheck,
  plain: Plain | undefined,
  problem: Problem | undefined,
  notes: readonly string[] = [],
  shows: readonly Shown[] = [],
): CheckResult {
  const found = problem ?? { ...plain?.judgement, outcome: 'pass' as const, reason: '' };
  const report = plain?.run.report;
  return {
    ...plainResult,
    id: check.id,
    kind: check.kind,
    strength: commandStrength(check.command),
    durationMs: plain?.run.ended.durationMs ?? 0,
    exitCode: plain?.run.ended.exitCode ?? null,
    tests: report === undefined ? null : countsOf(report),
    output: plain?.run.ended.output ?? Buffer.alloc(0),
    outputTruncated: plain?.run.ended.overflowed ?? false,
    outcome: found.outcome,
    reason: found.reason ?? '',
    explanation: found.explanation ?? '',
    shows: found.outcome === 'pass' ? shows : [],
    notes,
  };
}
