import type { CheckContext } from '../checks/check.ts';
import type { CommandCheck, Reported } from '../checks/command.ts';
import { runReported } from '../checks/command.ts';
import type { Report } from '../report.ts';
import type { Tree } from '../trees.ts';
import type { Slots } from './slots.ts';
import type { Work } from './work.ts';

export const controls = ['canary', 'census', 'base-tests', 'red-on-base'] as const;
export type Control = (typeof controls)[number];

/** Whether any of them looks at base. */
export const comparesWithBase = (held: ReadonlySet<Control>) =>
  [...held].some((control) => control !== 'canary');

/** A test command with what it is held to. */
export interface Suite {
  readonly command: CommandCheck;
  /** Which paths are tests. */
  readonly files: readonly string[];
  readonly context: CheckContext;
  readonly work: Work;
  /** How many of its runs go on at once. */
  readonly slots: Slots;
}

/**
 * The same, ended where the honest run would have long been over: what never comes to an end is known by then, and many
 * runs are to follow. Never sooner than a machine may need that is busy with other things.
 */
export function boundedBy(suite: Suite, honestMs: number): Suite {
  const timeoutMs = Math.min(suite.command.timeoutMs, Math.max(10_000, 5 * honestMs));
  return { ...suite, command: { ...suite.command, timeoutMs } };
}

/** What a control has against the work; `open` when it could not be told. */
export interface Problem {
  readonly outcome: 'fail' | 'indeterminate';
  readonly reason: string;
  readonly explanation: string;
  /** No tree was there to run in, because the build of its source ended with a failure. */
  readonly unbuilt?: boolean;
}

export const against = (reason: string, explanation: string): Problem => ({
  outcome: 'fail',
  reason,
  explanation,
});
export const untold = (explanation: string): Problem => ({
  outcome: 'indeterminate',
  reason: 'not-told',
  explanation,
});

export const isProblem = (value: object): value is Problem => 'reason' in value && 'explanation' in value;

/**
 * Runs the command in a tree of its own, edited first. A problem where there is no such tree. One tree at a time is made
 * while others are run in, where runs go side by side and nothing is built.
 */
export const runInTree = (
  suite: Suite,
  side: 'head' | 'base',
  edit: (checkout: string) => Promise<void>,
): Promise<Reported | Problem> =>
  suite.slots.areMany && !suite.context.trees.builds
    ? suite.slots.after(
        () => treeOf(suite, side, edit),
        (tree) => runIn(suite, side, tree),
      )
    : suite.slots(async () => runIn(suite, side, await treeOf(suite, side, edit)));

async function treeOf(
  { context }: Suite,
  side: 'head' | 'base',
  edit: (checkout: string) => Promise<void>,
): Promise<Tree | Problem> {
  if (context.signal?.aborted) return untold('the run was aborted');
  const tree = await context.trees.fresh(side, edit);
  if (!('cause' in tree)) return tree;
  return { ...untold(`${side} could not be prepared: ${tree.cause}`), unbuilt: tree.unbuilt === true };
}

async function runIn(
  { command, context }: Suite,
  side: 'head' | 'base',
  tree: Tree | Problem,
): Promise<Reported | Problem> {
  if (isProblem(tree)) return tree;
  if (context.signal?.aborted) return untold('the run was aborted');
  const run = await runReported(command, { ...context, ...tree });
  if ('fault' in run) return untold(`${side}: ${run.fault}`);
  if (run.ended.aborted) return untold('the run was aborted');
  return run;
}

/** A run that left no report ran no test that could be told apart. */
export const reportOf = ({ report }: Reported): Report => report ?? { tests: [], complete: false };
