import { WorkspaceError } from './workspace-error.ts';

/** What git says of a commit that is not here. */
const NOT_HERE = /not a valid (commit|object) name|bad object/i;

/**
 * Whether `newer` contains `older`; false where one of the two is not here. `ask` runs git, and throws where it answers no. Throws
 * where git did not come to an answer: that is no `no`.
 */
export function isAncestor(ask: (args: readonly string[]) => unknown, older: string, newer: string): boolean {
  try {
    ask(['merge-base', '--is-ancestor', older, newer]);
    return true;
  } catch (error) {
    if (!(error instanceof WorkspaceError) || error.code !== 'GIT_FAILED') throw error;
    if (error.exitCode === 1 || NOT_HERE.test(error.stderr)) return false;
    throw error;
  }
}
