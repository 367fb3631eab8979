import type { Isolation } from '../isolate.ts';

/** What every check gets to work with. */
export interface CheckContext {
  /** The checkout, absolute, with links resolved. */
  readonly checkout: string;
  readonly env: Readonly<Record<string, string>>;
  readonly isolation: Isolation;
  readonly signal: AbortSignal | undefined;
}

/** Counts of a parsed report. `failedNames` has at most 20 names. */
export interface TestCounts {
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  /** Skipped and todo together: what did not run counts for nothing. */
  readonly skipped: number;
  readonly failedNames: readonly string[];
}

/** What one check found. */
export interface CheckResult {
  readonly id: string;
  readonly kind: string;
  readonly outcome: 'pass' | 'fail' | 'indeterminate';
  /** One line for people. */
  readonly explanation: string;
  readonly durationMs: number;
  readonly exitCode: number | null;
  /** How much a pass says: parsed tests, an exit code alone, or the content of a file. */
  readonly strength: 'tests' | 'exit-code-only' | 'content';
  readonly tests: TestCounts | null;
  readonly output: Buffer;
  readonly outputTruncated: boolean;
}
