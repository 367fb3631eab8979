import type { BaseRun } from './base-run.ts';
import { failedIn, named } from './census.ts';
import type { Plain } from './plain-runs.ts';
import { against, isProblem, type Problem, reportOf } from './suite.ts';

/**
 * Tells failures that base had already from new ones. Only where the run came to its own end with a whole report and
 * every failure is known may the criteria let it pass.
 */
export function knownFailures(
  plain: Plain,
  base: BaseRun | Problem | undefined,
  tolerate: boolean,
): { readonly problem: Problem | undefined; readonly note: readonly string[] } {
  const { judgement, run } = plain;
  const problem: Problem = {
    outcome: judgement.outcome === 'indeterminate' ? 'indeterminate' : 'fail',
    reason: judgement.reason,
    explanation: judgement.explanation,
  };
  if (judgement.reason !== 'test-failed' || base === undefined || isProblem(base))
    return { problem, note: [] };
  const onBase = new Set(failedIn(base.report).map(({ id }) => id));
  const failed = failedIn(reportOf(run));
  const fresh = failed.filter(({ id }) => !onBase.has(id)).map(({ name }) => name);
  const known = failed.filter(({ id }) => onBase.has(id)).map(({ name }) => name);
  const note = known.length > 0 ? [`failed on base already: ${named(known)}`] : [];
  if (fresh.length > 0) {
    const aside = known.length > 0 ? `; ${known.length} more failed on base already` : '';
    return { problem: against('new-failure', `${judgement.explanation}${aside}`), note };
  }
  if (tolerate) return { problem: undefined, note };
  const explanation = `${known.length} tests fail that failed on base already: ${named(known)}; let them with known_failures: tolerate`;
  return { problem: against('known-failure', explanation), note };
}
