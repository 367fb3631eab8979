export type IdentityErrorCode =
  | 'BAD_NAME'
  | 'MISSING'
  | 'EXISTS'
  | 'NOT_A_FILE'
  | 'OPEN_TO_OTHERS'
  | 'FOREIGN_OWNER'
  | 'BAD_TOKEN'
  | 'BAD_KEY'
  | 'FILE_FAILED'
  | 'UNKNOWN_EVENT';

/** Thrown by every function of this room. The message names paths and the next step, never a token or a key. */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';
  readonly code: IdentityErrorCode;
  constructor(code: IdentityErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
