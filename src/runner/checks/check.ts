import type { Change, ClaimedItem, GivenStatement } from '../change.ts';
import type { Isolation } from '../isolate.ts';
import type { Memory, Trees } from '../trees.ts';

/** What every check gets to work with. */
export interface CheckContext {
  /** The checkout, absolute, with links resolved. */
  readonly checkout: string;
  readonly env: Readonly<Record<string, string>>;
  readonly isolation: Isolation;
  readonly signal: AbortSignal | undefined;
  /** Hex id of the claimed tree. */
  readonly tree: string;
  readonly item: ClaimedItem;
  /** undefined where the run knows no base: what needs one is then left open. */
  readonly change: Change | undefined;
  readonly trees: Trees;
  readonly memory: Memory;
  readonly statements: readonly GivenStatement[];
  /** Paths whose change an actor outside the lineage has signed off; see sign-off.ts. */
  readonly signed: ReadonlySet<string>;
  /** Acceptance examples that came with the item, undefined where there are none. The builder has not written them. */
  readonly acceptance: Buffer | undefined;
  /** Whether their author shares no lineage with any builder. */
  readonly acceptanceIndependent: boolean;
  /** Hex, new for each run: programs under test never get it by the environment. */
  readonly secret: string;
}

/** What a passed check shows about the work; a verdict's strength grade follows from all of them. */
export type Shown = 'tests' | 'canary' | 'red-green' | 'acceptance' | 'mutation' | 'review' | 'approval';

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
  /** Why it did not pass, as one word for programs, such as `canary-passed`; '' where the explanation says all. */
  readonly reason: string;
  readonly shows: readonly Shown[];
  /** Further lines for the record: attempts, counts against the base, what was reused. */
  readonly notes: readonly string[];
}

/** A result of a check that runs no program: the rest of the fields, empty. */
export const plainResult = {
  durationMs: 0,
  exitCode: null,
  strength: 'content',
  tests: null,
  output: Buffer.alloc(0),
  outputTruncated: false,
  reason: '',
  shows: [],
  notes: [],
} as const;
