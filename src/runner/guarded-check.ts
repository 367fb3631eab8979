import { type CheckContext, type CheckResult, plainResult } from './checks/check.ts';
import { type CheckSpec, needsSetup, runCheck, strengthOf } from './checks/index.ts';
import type { SetupResult } from './setup.ts';

/** Runs one check. Never rejects: one that breaks off, or lacks the set-up it needs, is left open. */
export async function guardedCheck(
  check: CheckSpec,
  context: CheckContext,
  setup: SetupResult,
): Promise<CheckResult> {
  if (setup.outcome === 'indeterminate' && needsSetup(check.kind)) return leftOpen(check, setupFailed(setup));
  try {
    return await runCheck(check, context);
  } catch (error) {
    return leftOpen(check, `the check broke off: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const setupFailed = ({ cause }: SetupResult) => `the set-up failed: ${cause}`;

/** Why the set-up failed is told with the first check that needed it; the others point there. */
export function withSetupToldOnce(
  checks: readonly CheckResult[],
  setup: SetupResult,
): readonly CheckResult[] {
  const isOfSetup = ({ outcome, explanation }: CheckResult) =>
    outcome === 'indeterminate' && explanation === setupFailed(setup);
  const first = checks.find(isOfSetup);
  return checks.map((check) =>
    first !== undefined && check !== first && isOfSetup(check)
      ? { ...check, explanation: `the set-up failed, see ${first.id}` }
      : check,
  );
}

/** The result of a check that could not be judged. */
export const leftOpen = (check: CheckSpec, explanation: string): CheckResult => ({
  ...plainResult,
  id: check.id,
  kind: check.kind,
  outcome: 'indeterminate',
  explanation,
  strength: strengthOf(check),
});
