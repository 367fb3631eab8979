export type AgentsErrorCode = 'BAD_RUN' | 'RUN_EXISTS' | 'UNKNOWN_ADAPTER' | 'BAD_ADAPTER_SETTINGS';

/** Thrown for a run that cannot be meant; how a run ended is always a value. */
export class AgentsError extends Error {
  override readonly name = 'AgentsError';
  readonly code: AgentsErrorCode;
  constructor(code: AgentsErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
