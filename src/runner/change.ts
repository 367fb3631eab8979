/** One path that differs between the base and the claimed commit. A rename is a deletion and an addition. */
export interface ChangedFile {
  readonly path: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'type-changed';
  /** Git's modes of both sides: whether it is a program that can be started, or a link. Plain files where they are not told. */
  readonly modes?: readonly [before: string, after: string];
}

/** Everything that base holds, changed or not. */
export interface BaseFiles {
  /** Every path, in no promised order. */
  paths(): Promise<readonly string[]>;
  /** The contents by path; what base does not have, and what is no file there, is missing from the answer. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
}

/** A base without any file. */
export const emptyBase: BaseFiles = { paths: async () => [], read: async () => new Map() };

/** What the work changed against its base. Content comes from the objects of the two commits, never from a folder. */
export interface Change {
  /** Hex id of base's tree. */
  readonly baseTree: string;
  readonly files: readonly ChangedFile[];
  readonly base: BaseFiles;
  /** undefined where the base has no such file. */
  before(path: string): Promise<Buffer | undefined>;
  /** undefined where the claimed commit has no such file. */
  after(path: string): Promise<Buffer | undefined>;
}

/** What is claimed, as far as it decides by which rules the work is judged. */
export interface ClaimedItem {
  /** Chosen when the item was opened, never by the builder: see `itemKinds`. */
  readonly kind: string;
  /** The claim says that nothing had to change. */
  readonly noChange: boolean;
  /** It is about work of others, brought together: what changed was judged with theirs. */
  readonly whole?: boolean;
}

/** What somebody said about this very subject; the engine has checked who they are before it hands it over. */
export interface GivenStatement {
  readonly kind: 'sign-off' | 'review' | 'approval';
  readonly by: string;
  readonly role: string;
  /** True for a person; an approval by anybody else is none. */
  readonly human: boolean;
  /** True when the speaker shares no lineage with any builder. */
  readonly outside: boolean;
  readonly outcome: 'approve' | 'reject';
  /** Hex SHA-256 of what was shown: the tree for reviews and approvals, the protected changes for a sign-off. */
  readonly digest: string;
}
