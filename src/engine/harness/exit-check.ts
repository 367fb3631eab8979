import { singleQuoted } from '../../kernel/single-quoted.ts';

/** Where the nine points lie as a script, in the folder of the coding agent or of its plugin (PROTO-228, PROTO-303). */
export const EXIT_CHECK = 'hooks/verify-requirements-exit.sh';

/** That script; `program` is how a shell starts ours. */
export const exitCheckText = (program: string, note = ''): string =>
  [
    '#!/bin/sh',
    '# The nine points before the plan of a task is made: verify-requirements-exit.sh TASK, in the worktree of the task.',
    '# The session is named in CURRENT_SESSION_ID or COUNTERSIGN_SESSION. Exit 0: all passed; 1: the first that failed ends it.',
    ...(note === '' ? [] : [`# ${note}`]),
    `exec ${program} gate "$1" synthesize --stop-at-first --trigger hook`,
    '',
  ].join('\n');

/** Starts the program from a script in `.claude/hooks`, wherever that is called from. */
export function programForScripts({
  program,
  shared,
}: {
  readonly program: readonly string[];
  readonly shared: boolean;
}): string {
  const [command = '', ...rest] = program;
  const words = shared ? rest.map((word) => `"$(dirname "$0")"/../../${word}`) : rest.map(singleQuoted);
  return [command, ...words].join(' ');
}
