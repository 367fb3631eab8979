export type EngineErrorCode =
  | 'NOT_INITIALISED'
  | 'STORE_GONE'
  | 'ALREADY_INITIALISED'
  | 'NOT_FOUND'
  | 'BAD_INPUT'
  | 'BAD_CONFIG'
  | 'UNKNOWN_PROTOCOL'
  | 'DAMAGED'
  | 'NO_CREDENTIAL'
  | 'CONFLICT'
  | 'UNREACHABLE'
  | 'NOT_SERVED'
  | 'NOT_EMPTY'
  | 'BUSY';

/** Thrown for what no decision covers; refusals of a protocol are values. `hint` is the next step. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code: EngineErrorCode;
  readonly hint: string;
  constructor(code: EngineErrorCode, message: string, hint = '', options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.hint = hint;
  }
}
