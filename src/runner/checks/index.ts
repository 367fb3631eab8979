import type { Fields } from '../fields.ts';
import type { CheckContext, CheckResult } from './check.ts';
import { type CommandCheck, commandStrength, readCommandCheck, runCommandCheck } from './command.ts';
import { type FileCheck, readFileCheck, runFileCheck } from './file.ts';

/** Every kind of check there is: one file each, and one line in each of the tables here. */
export type CheckSpec = CommandCheck | FileCheck;

const readers = {
  command: readCommandCheck,
  file: readFileCheck,
} satisfies { [K in CheckSpec['kind']]: (id: string, fields: Fields) => Extract<CheckSpec, { kind: K }> };

/** The names of all kinds, in the order of the table. */
export const checkKinds = Object.keys(readers) as readonly CheckSpec['kind'][];

/** Reads one check of criteria; problems go to the fields. */
export const readCheck = (kind: CheckSpec['kind'], id: string, fields: Fields): CheckSpec =>
  readers[kind](id, fields);

/** Runs one check. May throw; the run turns that into an indeterminate result. */
export async function runCheck(check: CheckSpec, context: CheckContext): Promise<CheckResult> {
  switch (check.kind) {
    case 'command':
      return runCommandCheck(check, context);
    case 'file':
      return runFileCheck(check, context);
  }
}

/** How much a pass of this check says. */
export function strengthOf(check: CheckSpec): CheckResult['strength'] {
  switch (check.kind) {
    case 'command':
      return commandStrength(check);
    case 'file':
      return 'content';
  }
}

/** Whether a kind needs the dependencies and builds of the set-up. */
export const needsSetup: Readonly<Record<CheckSpec['kind'], boolean>> = { command: true, file: false };
