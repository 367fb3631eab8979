import type { Change, ClaimedItem, GivenStatement } from './change.ts';
import type { CheckResult } from './checks/check.ts';
import type { Criteria } from './criteria.ts';
import type { Seal } from './memory.ts';
import type { SetupResult } from './setup.ts';
import type { RunVerdict } from './verdict.ts';

/** What the runner needs of a checkout: the tree it holds, and the tree its tracked files make up now. */
export interface CheckedOut {
  readonly tree: string;
  readonly submodules: readonly string[];
  /** Links that lead out of the repository and were not made. */
  readonly leftOut?: readonly string[];
  treeNow(): Promise<string>;
}

/** Where a run stands. `check` is '' outside of checks; `done` of `total` checks have ended. */
export interface Progress {
  readonly phase: 'checkout' | 'setup' | 'check' | 'end';
  readonly check: string;
  readonly done: number;
  readonly total: number;
  /** How long the rest took last time, in milliseconds; undefined when there was none. */
  readonly leftMs: number | undefined;
}

export interface RunRequest {
  /** Fills an empty folder with exactly the tree that is to be judged. */
  readonly checkout: (folder: string) => Promise<CheckedOut>;
  /** The base commit and what the work changed against it; undefined where there is none to compare with. */
  readonly base: { readonly checkout: RunRequest['checkout']; readonly change: Change } | undefined;
  readonly criteria: Criteria;
  readonly item: ClaimedItem;
  readonly statements: readonly GivenStatement[];
  /** Acceptance examples that came with the item. */
  readonly acceptance: Buffer | undefined;
  /** Whether the author of the examples shares no lineage with any builder. */
  readonly acceptanceIndependent: boolean;
  /** Variables that each check finds in its environment; the set-up, whose result is kept, does not. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Throw-away folders are made and removed here. A short path: tests put sockets below it. */
  readonly workRoot: string;
  readonly cacheRoot: string;
  /** Repeated in the result, so that it belongs to one request; the checks never see it. */
  readonly nonce: string;
  /** Without one nothing is kept from one run for the next. */
  readonly seal?: Seal;
  readonly signal?: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  readonly clock: () => Date;
  /** Facts the caller knows about the machine, such as git's version; they may be on their way while the checks run. */
  readonly facts?: Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
}

export interface RunResult extends RunVerdict {
  readonly nonce: string;
  /** ISO 8601 UTC. */
  readonly startedAt: string;
  readonly endedAt: string;
  /** They differ when the run changed tracked files, which fails unless the criteria allow it. '' for what could not be told. */
  readonly tree: { readonly start: string; readonly end: string };
  readonly submodules: readonly string[];
  /** Facts of the machine, and of this run: `tree_end`, `submodules` (a JSON list of paths), `setup`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly setup: SetupResult;
  readonly checks: readonly CheckResult[];
}

/** What a run found, without when and where. */
export type Found = Omit<RunResult, 'nonce' | 'startedAt' | 'endedAt' | 'environment'>;
