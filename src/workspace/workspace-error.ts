export type WorkspaceErrorCode =
  | 'NOT_A_REPOSITORY'
  | 'BARE'
  | 'GIT_MISSING'
  | 'GIT_FAILED'
  | 'UNKNOWN_COMMIT'
  | 'NO_BASE'
  | 'BAD_NAME'
  | 'MISSING_OBJECT'
  | 'TREE_MISMATCH'
  | 'UNSAFE_TREE'
  | 'FOLDER_NOT_EMPTY';

/** Thrown by every function of this room. `stderr` is what git said, '' when git was not asked. */
export class WorkspaceError extends Error {
  override readonly name = 'WorkspaceError';
  readonly code: WorkspaceErrorCode;
  readonly stderr: string;
  /** How git ended, undefined where it was not started, or came to no end of its own. */
  readonly exitCode: number | undefined;
  constructor(
    code: WorkspaceErrorCode,
    message: string,
    options?: ErrorOptions & { readonly stderr?: string; readonly exitCode?: number },
  ) {
    super(message, options);
    this.code = code;
    this.stderr = options?.stderr ?? '';
    this.exitCode = options?.exitCode;
  }
}
