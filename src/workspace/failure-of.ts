import { isMissing } from './lacking.ts';
import { WorkspaceError } from './workspace-error.ts';

/** Why git did not do it, undefined where it did. Throws what is no answer of git. */
export function failureOf(work: () => unknown): WorkspaceError | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof WorkspaceError && (error.code === 'GIT_FAILED' || isMissing(error))) return error;
    throw error;
  }
}
