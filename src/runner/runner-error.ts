export type RunnerErrorCode = 'BAD_CRITERIA';

/** Thrown for what makes a run impossible to describe; the outcome of a run is always a value. */
export class RunnerError extends Error {
  override readonly name = 'RunnerError';
  readonly code: RunnerErrorCode;
  /** Every problem found, each with its place, such as `checks[2].timeout: …`. */
  readonly problems: readonly string[];
  constructor(code: RunnerErrorCode, message: string, problems: readonly string[], options?: ErrorOptions) {
    super([message, ...problems].join('\n  '), options);
    this.code = code;
    this.problems = problems;
  }
}
