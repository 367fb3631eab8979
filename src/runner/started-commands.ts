import type { CheckSpec } from './checks/index.ts';
import type { RunCommand } from './diff/started/started-files.ts';
import { startedBy } from './started-by.ts';

/** The commands of a criteria file's checks: what they start on base takes part in the verdict. */
export const startedCommands = (checks: readonly CheckSpec[]): readonly RunCommand[] =>
  checks.flatMap((check): readonly RunCommand[] => {
    if (check.kind === 'command') return [startedBy(check, false)];
    if (check.kind !== 'tests') return [];
    return [startedBy(check.command, check.controls.includes('base-tests'))];
  });
