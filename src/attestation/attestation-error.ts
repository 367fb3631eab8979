export type AttestationErrorCode = 'NOT_CANONICAL' | 'BAD_KEY' | 'BAD_INPUT';

/** Thrown when a caller asks to sign or hash what has no exact form; damage found in a file is a result. */
export class AttestationError extends Error {
  override readonly name = 'AttestationError';
  readonly code: AttestationErrorCode;
  constructor(code: AttestationErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
