import { WorkspaceError } from './workspace-error.ts';

/** Whether `newer` contains `older`; false where one of the two is not here. `ask` runs git, and throws where it answers no. */
export function isAncestor(ask: (args: readonly string[]) => unknown, older: string, newer: string): boolean {
  try {
    ask(['merge-base', '--is-ancestor', older, newer]);
    return true;
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'GIT_FAILED') return false;
    throw error;
  }
}
