import type { Store, StoreContent, StorePart } from '../store/store.ts';

/** What the store of a repository is, told without trusting it. */
export interface StoreState {
  readonly driver: string;
  /** Without a password. */
  readonly place: string;
  readonly repository: string;
  /** Steps that brought its tables to their form; SQLite takes its own when it is opened. */
  readonly applied: readonly { readonly number: number; readonly name: string; readonly appliedAt: string }[];
  /** Steps that it lacks. */
  readonly pending: readonly { readonly number: number; readonly name: string }[];
}

/** An empty place for a copy of the store. */
export interface CopyTarget {
  readonly place: string;
  /** Puts all rows there, durable, and opens what came of it. Throws NOT_EMPTY. */
  fill(parts: () => AsyncIterable<StorePart>): Promise<Store & StoreContent>;
  /** The copy is good: it takes its place. Nothing reads it yet. */
  keep(): Promise<void>;
  /** From now on the store of the repository is this one. */
  use(): void;
  /** Takes away what `fill` has made. */
  drop(): Promise<void>;
}

/** The stores that this program knows, around one repository. */
export interface StoreDesk {
  state(): Promise<StoreState>;
  /** Brings its tables to the present form; answers the steps, which are not taken in a dry run. */
  migrate(dryRun: boolean): Promise<StoreState['pending']>;
  /** Another store takes the place of this one: throws BUSY where a process has it open, and would go on writing to it. */
  assertUnused(): Promise<void>;
  /** `to` is the URL of a database, or `sqlite`. Throws BAD_URL, NOT_EMPTY. */
  target(to: string, repositoryId: string): Promise<CopyTarget>;
}
