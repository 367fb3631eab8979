import { type CheckContext, type CheckResult, plainResult } from './checks/check.ts';
import { type CheckSpec, needsSetup, runCheck, strengthOf } from './checks/index.ts';
import type { SetupResult } from './setup.ts';

/** Runs one check. Never rejects: one that breaks off, or lacks the set-up it needs, is left open. */
export async function guardedCheck(
  check: CheckSpec,
  context: CheckContext,
  setup: SetupResult,
): Promise<CheckResult> {
  if (setup.outcome === 'indeterminate' && needsSetup(check.kind))
    return leftOpen(check, `the set-up failed: ${setup.cause}`);
  try {
    return await runCheck(check, context);
  } catch (error) {
    return leftOpen(check, `the check broke off: ${error instanceof Error ? error.message : String(error)}`);
  }
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
