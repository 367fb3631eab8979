import { didYouMean } from '../../kernel/nearest.ts';
import { type Change, emptyBase } from '../change.ts';
import { startAhead } from '../controls/ahead.ts';
import { knownBaseRun } from '../controls/base-run.ts';
import { canaryRun } from '../controls/canary-run.ts';
import { findingsOf } from '../controls/findings.ts';
import { type Plain, plainRuns } from '../controls/plain-runs.ts';
import { productAside } from '../controls/product-aside.ts';
import { slotsFor } from '../controls/slots.ts';
import { strayData } from '../controls/stray-files.ts';
import { type Control, controls, type Problem, type Suite } from '../controls/suite.ts';
import { testSupport } from '../controls/test-support.ts';
import { type Work, workOf } from '../controls/work.ts';
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
  const held = controlsFor(check, context);
  const work =
    change === undefined || held.size === 0
      ? workOf(change ?? none, check.files, new Set())
      : await workOfChange(check, change, held);
  const over = new AbortController();
  const runs: Promise<unknown>[] = [];
  // One that breaks before anybody waits for it is no accident of the whole program.
  const started = <T>(run: Promise<T>) => {
    runs.push(run.catch(() => {}));
    return run;
  };
  const { suite, known } = await suiteOf(check, endedBy(context, over.signal), work, held.size > 0);
  try {
    const plainRun = started(plainRuns(suite, check.attempts));
    const canaries = held.has('canary') ? started(canaryRun(suite)) : NO_CANARIES;
    const ahead = await startAhead(suite, held, known, started);
    const [plain, canaried] = await Promise.all([plainRun, canaries]);
    if (!('run' in plain)) return told(check, undefined, plain);
    const findings = await findingsOf(check, suite, held, { plain, canaried, ahead });
    return told(check, plain, findings.problem, findings.notes, findings.shows);
  } finally {
    over.abort();
    await Promise.all(runs);
  }
}

async function workOfChange(
  { files, command, controls: asked }: TestsCheck,
  change: Change,
  held: ReadonlySet<Control>,
): Promise<Work> {
  const support = await testSupport(change, files, [startedBy(command, asked.includes('base-tests'))]);
  const stray = held.has('red-on-base') ? await strayData(change, files) : new Set<string>();
  return workOf(change, files, support, stray, await productAside(change, files));
}

const NO_CANARIES = {
  report: { tests: [], complete: true },
  planted: 0,
  copies: 0,
  telling: 'code' as const,
  renamed: [],
};

/** Runs that are still under way when the check is judged end by `over`. */
const endedBy = (context: CheckContext, over: AbortSignal): CheckContext => ({
  ...context,
  signal: AbortSignal.any([...(context.signal === undefined ? [] : [context.signal]), over]),
});

/** How long base took says how many runs may go side by side: a check without controls has one. */
async function suiteOf(
  { command, files }: TestsCheck,
  context: CheckContext,
  work: Work,
  controlled: boolean,
) {
  const bare = { command, files, context, work };
  const known = controlled ? await knownBaseRun(bare) : undefined;
  const suite: Suite = { ...bare, slots: slotsFor(context.isolation, known?.durationMs) };
  return { suite, known };
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
