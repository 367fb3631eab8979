import type { Signer } from '../attestation/key.ts';
import type { Store, StoreContent } from '../store/store.ts';
import type { AgentsPort } from './agent-port.ts';
import type { WorkspacePort } from './workspace.ts';

/** A path that differs between base and claim. */
export interface Change {
  readonly path: string;
  readonly status: string;
}

export interface ClaimedWork {
  readonly commit: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly base: string;
  readonly defaultBranch: string;
  readonly changed: readonly Change[];
}

/** What a name stands for: '' and why, where it is no single commit. */
export interface NamedCommit {
  readonly commit: string;
  readonly why?: 'missing' | 'ambiguous';
  /** What brings it here, where it may be in the clone of whoever names it. */
  readonly fix?: string;
}

/** What the engine asks of the repository. */
export interface GitPort {
  /** Resolves names once; base '' = the merge base with the default branch ('' = detected). */
  resolveClaim(question: { commit: string; base: string; defaultBranch: string }): ClaimedWork;
  /**
   * Commit ids of HEAD and of the default branch ('' when there is none yet). Files named in `ahead` are read on the
   * way, so that `readAt` on one of the two has them at hand.
   */
  heads(
    defaultBranch: string,
    ahead?: readonly string[],
  ): { readonly head: string; readonly defaultHead: string };
  /** What is pinned as the default branch when an item is opened: a full ref, or a commit id where HEAD is on no branch. */
  defaultBranchRef(configured: string): string;
  /** The full id of what any name stands for that git can resolve; '' with the reason where it is no single commit. */
  namedCommit(name: string): NamedCommit;
  isAncestor(older: string, newer: string): boolean;
  /** Those of the paths that do not have the same content in both commits; one git process. */
  differing(one: string, other: string, paths: readonly string[]): readonly string[];
  /** What became in `at` of each work: its files that hold something else, and whether its commit is in the history. */
  covered(
    at: string,
    works: readonly { readonly commit: string; readonly paths: readonly string[] }[],
  ): readonly { readonly changed: readonly string[]; readonly held: boolean }[];
  /** Commits of `older..newer` that contain `older`, later ones first; at most 500. */
  commitsBetween(older: string, newer: string): readonly string[];
  readAt(commit: string, path: string): Buffer | undefined;
  listAt(commit: string, folder: string): readonly string[];
  isDirty(): Promise<boolean>;
  /** Keeps a checkpoint note in a git ref; answers the commit that holds it. */
  anchor(note: string, message: string): string;
  anchors(): readonly string[];
}

/** Bytes kept by their digest: outputs of checks, evidence files. */
export interface EvidencePort {
  /** Throws BAD_CONFIG where what is put is kept from the others who work with this store. */
  assertShared(): void;
  put(bytes: Uint8Array): string;
  get(sha256: string): Buffer | undefined;
}

/** Files of the engine that people open: proof packs and reports. They are never overwritten. */
export interface FilePort {
  /** Writes `name` in `folder`, or `name-2`, … when it is taken; answers the path as shown to people. */
  write(folder: string, name: string, extension: string, text: string): string;
  /** The bytes behind a path that `write` answered, undefined when it is gone. */
  read(path: string): Buffer | undefined;
  /** Replaces a projection; answers its digest. */
  project(path: string, text: string): void;
  /** A file of the tree that projections go into, by its path below the top. */
  readTree(path: string): Buffer | undefined;
  /** A file that the caller names, from where the caller works. */
  readWorking(path: string): Buffer | undefined;
}

/** One check of a run, as the runner answers it. */
export interface CheckFinding {
  readonly id: string;
  readonly kind: string;
  readonly outcome: 'pass' | 'fail' | 'indeterminate';
  readonly explanation: string;
  readonly durationMs: number;
  readonly exitCode: number | null;
  readonly strength: string;
  readonly tests: {
    readonly total: number;
    readonly passed: number;
    readonly failed: number;
    readonly skipped: number;
    readonly failedNames: readonly string[];
  } | null;
  readonly output: Uint8Array;
  readonly outputTruncated: boolean;
  /** Why it did not pass, as one word for programs; '' where the explanation says all. */
  readonly reason: string;
  /** What a pass says about the work: tests, canary, red-green, acceptance, mutation, review, approval. */
  readonly shows: readonly string[];
  /** Further lines for the record: attempts, counts against the base, what was reused. */
  readonly notes: readonly string[];
  /** The one actor who may waive it, '' for nobody. */
  readonly owner: string;
}

export interface RunFinding {
  /** Tier that the criteria name for themselves, '' for none. It is recorded and decides nothing. */
  readonly tier: string;
  readonly verdict: 'pass' | 'fail' | 'indeterminate';
  readonly cause: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly environment: { readonly [name: string]: string };
  readonly checks: readonly CheckFinding[];
}

/** What somebody said of the claimed commit; who they are and where they stand was checked before it is handed over. */
export interface Given {
  readonly kind: 'sign-off' | 'review' | 'approval';
  readonly by: string;
  /** The role they spoke in, 'human' for a person at a terminal. */
  readonly role: string;
  /** True only for a person whom the human channel proved to be one. */
  readonly human: boolean;
  /** True where the speaker shares no lineage with any builder, and is proven where they are a person. */
  readonly outside: boolean;
  readonly outcome: 'approve' | 'reject';
  /** What was shown: the tree for reviews and approvals, the digest of the protected changes for a sign-off. */
  readonly digest: string;
}

export interface RunQuestion {
  /** The item as people write it, for commands that an explanation proposes. */
  readonly item: string;
  readonly commit: string;
  readonly tree: string;
  /** Commit that the claim is compared with. */
  readonly base: string;
  readonly criteria: Uint8Array;
  readonly criteriaPath: string;
  readonly kind: string;
  /** The claim says that nothing had to change. */
  readonly noChange: boolean;
  /** It is about work of others, brought together: what changed was judged with theirs. */
  readonly whole: boolean;
  /** Examples that came with the item, undefined where there are none. */
  readonly acceptance: Uint8Array | undefined;
  /** Whether their author shares no lineage with any builder: only then do they count for the grade. */
  readonly acceptanceIndependent: boolean;
  readonly statements: readonly Given[];
  /** Variables that each check finds in its environment. */
  readonly variables: Readonly<Record<string, string>>;
  readonly nonce: string;
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
}

export interface EvidenceRule {
  readonly type: string;
  readonly match: string;
}

/** One check as the criteria announce it. */
export interface CriteriaCheck {
  readonly id: string;
  readonly kind: string;
  /** The one actor who may waive it, '' for nobody. */
  readonly owner: string;
  /** For a review: the roles that may give it, none for any. */
  readonly by: readonly string[];
  /** For a review: how many are needed; 0 for other kinds. */
  readonly count: number;
}

/** A criteria file, read. With problems it says nothing else. */
export interface ParsedCriteria {
  readonly problems: readonly string[];
  readonly evidence: readonly EvidenceRule[];
  readonly requiresQuality: boolean;
  /** Labels that the machine of the checks must have. */
  readonly runsOn: readonly string[];
  /** In the order of the file. */
  readonly checks: readonly CriteriaCheck[];
}

export interface ProtectedQuestion {
  readonly commit: string;
  readonly base: string;
  readonly criteria: Uint8Array;
  readonly criteriaPath: string;
  readonly kind: string;
}

export interface ProtectedChanges {
  /** Hex SHA-256 of all that is shown, '' where nothing protected changed. */
  readonly digest: string;
  readonly paths: readonly string[];
  /** For people to read before they sign. */
  readonly lines: readonly string[];
}

/** The verification runner. No interface accepts a result: this port is the only place one comes from. */
export interface RunnerPort {
  /** Parses a criteria file; problems are all named. */
  criteria(bytes: Uint8Array, path: string): Promise<ParsedCriteria>;
  /** True when these bytes were read without a problem before, as far as is remembered. For warnings only. */
  wasRead(bytes: Uint8Array): Promise<boolean>;
  /** What is wrong with a file of acceptance examples; nothing when it can be used. */
  acceptanceProblems(bytes: Uint8Array): Promise<readonly string[]>;
  /** What a claim changed of what the criteria protect; no paths where that is nothing. */
  protectedChanges(question: ProtectedQuestion): Promise<ProtectedChanges>;
  matches(path: string, pattern: string): Promise<boolean>;
  /** Begins to find out what this machine can keep apart, while a question is put together. Never throws. */
  prepare(): void;
  run(question: RunQuestion): Promise<RunFinding>;
  readonly version: string;
  /** What this machine is said to have, for criteria that ask for it. */
  readonly labels: readonly string[];
}

/** The one process that holds a lease, so that a dead one can be told from a slow one. */
export interface ProcessPort {
  readonly owner: string;
  /** False only when the owner is known to be gone; a stranger's process counts as alive. */
  isAlive(owner: string): boolean;
}

/** Everything outside. Tests inject their own; no environment variable of the product moves time. */
export interface Ports {
  readonly store: Store & StoreContent;
  readonly clock: () => Date;
  /** UUIDv7. */
  readonly newId: () => string;
  readonly random: (bytes: number) => Buffer;
  readonly git: GitPort;
  readonly workspace: WorkspacePort;
  readonly evidence: EvidencePort;
  readonly files: FilePort;
  readonly runner: RunnerPort;
  readonly process: ProcessPort;
  readonly agents: AgentsPort;
  readonly signer: (purpose: 'runner' | 'checkpoint') => Signer;
  /** Deployment level, cooperative until a server owns the store. */
  readonly protectionLevel: string;
}

export const nowOf = (ports: Pick<Ports, 'clock'>): string => ports.clock().toISOString();
