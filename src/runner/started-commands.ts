import type { CheckSpec } from './checks/index.ts';
import type { RunCommand } from './diff/started/started-files.ts';
import type { SetupPlan } from './setup.ts';
import { startedBy } from './started-by.ts';

/** The commands of a criteria file's checks: what they start on base takes part in the verdict. */
export const startedCommands = (checks: readonly CheckSpec[]): readonly RunCommand[] =>
  checks.flatMap((check): readonly RunCommand[] => {
    if (check.kind === 'command') return [startedBy(check, false)];
    if (check.kind !== 'tests') return [];
    return [startedBy(check.command, check.controls.includes('base-tests'))];
  });

/** The same of what a set-up builds: it can put anything in the place of what the checks run. */
export const setupCommands = (build: SetupPlan['build']): readonly RunCommand[] =>
  build.map((argv) => ({ argv, directory: '', watched: false }));

/** Where each check that runs tests looks for them. None where a command that tells no tests apart may run any. */
export function triedPatterns(checks: readonly CheckSpec[]): readonly (readonly string[])[] {
  const mayTest = checks.some(
    (check) => check.kind === 'command' && /test|spec|e2e/i.test(check.argv.join(' ')),
  );
  return mayTest ? [] : checks.flatMap((check) => (check.kind === 'tests' ? [check.files] : []));
}
