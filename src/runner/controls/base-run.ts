import { sha256Hex } from '../../attestation/digest.ts';
import type { Report } from '../report.ts';
import { runnerVersion } from '../verdict.ts';
import { isProblem, type Problem, reportOf, runInTree, type Suite } from './suite.ts';

/** How the tests of the base commit end on the base commit. */
export interface BaseRun {
  readonly report: Report;
  readonly durationMs: number;
  /** True when an earlier run on this machine is what is told. */
  readonly reused: boolean;
}

/**
 * The run of the unchanged base: what ran there, and what failed there already. It depends on the tree, the command
 * and the machine alone, so it is run once and kept.
 */
export async function baseRun(suite: Suite): Promise<BaseRun | Problem> {
  const known = await knownBaseRun(suite);
  if (known !== undefined) return known;
  const run = await runInTree(suite, 'base', async () => {});
  if (isProblem(run)) return run;
  const found = { report: reportOf(run), durationMs: run.ended.durationMs };
  // One that was ended from outside, or whose report broke off, says nothing about the next.
  if (run.ended.exitCode !== null && found.report.complete)
    await suite.context.memory.keep(keyOf(suite), JSON.stringify(found));
  return { ...found, reused: false };
}

type Unslotted = Omit<Suite, 'slots'>;

/** What an earlier run on this machine left of it. */
export async function knownBaseRun(suite: Unslotted): Promise<BaseRun | undefined> {
  const kept = parsed(await suite.context.memory.recall(keyOf(suite)));
  return kept && { ...kept, reused: true };
}

function keyOf({ command, work }: Unslotted): string {
  const identity = [
    'base-run/1',
    runnerVersion,
    work.change.baseTree,
    command,
    process.version,
    process.arch,
  ];
  return sha256Hex(JSON.stringify(identity));
}

function parsed(text: string | undefined): Omit<BaseRun, 'reused'> | undefined {
  if (text === undefined) return undefined;
  try {
    const { report, durationMs } = JSON.parse(text) as Partial<BaseRun>;
    if (!Array.isArray(report?.tests) || typeof durationMs !== 'number') return undefined;
    return { report, durationMs };
  } catch {
    return undefined;
  }
}
