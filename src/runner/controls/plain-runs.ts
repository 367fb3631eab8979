import { judgeReported, type Reported, runReported } from '../checks/command.ts';
import type { Judgement } from '../checks/judge.ts';
import { againIfKilled, killedTwice } from '../checks/killed.ts';
import { against, type Problem, type Suite, untold } from './suite.ts';

/** The command on the work as it was claimed: every attempt that the criteria asked for. */
export interface Plain {
  readonly run: Reported;
  readonly judgement: Judgement;
  /** One line for each attempt; empty when there was one. */
  readonly notes: readonly string[];
}

/**
 * Runs as often as was decided beforehand, in the checkout itself. Attempts that end differently are flaky: that is
 * a finding of its own, which no further run can turn into a pass.
 */
export async function plainRuns(
  { command, context, slots }: Suite,
  attempts: number,
): Promise<Plain | Problem> {
  const runs: { run: Reported; judgement: Judgement }[] = [];
  for (let attempt = 0; attempt < attempts; attempt++) {
    const { told: run, killed } = await againIfKilled(() => slots(() => runReported(command, context)));
    if ('fault' in run) return { outcome: 'fail', reason: 'run-incomplete', explanation: run.fault };
    const judgement = killed ? against('run-incomplete', killedTwice(run)) : judgeReported(command, run);
    runs.push({ run, judgement });
  }
  const last = runs.at(-1);
  if (last === undefined) return untold('no attempt was made');
  const notes =
    attempts > 1
      ? runs.map(({ judgement }, n) => `attempt ${n + 1}: ${judgement.outcome}, ${judgement.explanation}`)
      : [];
  const outcomes = new Set(runs.map(({ judgement }) => judgement.outcome));
  if (outcomes.size === 1) return { ...last, notes };
  const explanation = `flaky: ${runs.map(({ judgement }) => judgement.outcome).join(', ')} in ${attempts} attempts`;
  return { ...last, judgement: { outcome: 'fail', reason: 'flaky', explanation }, notes };
}
