import type { Opened } from '../engine/composition.ts';
import type { Ports } from '../engine/ports.ts';

/** An item as the boards show it. */
export interface Row {
  readonly number: number;
  readonly protocol: string;
  readonly state: string;
  readonly category: string;
  readonly title: string;
  readonly version: number;
}

/** An item as a session is told of it. */
export interface Told extends Row {
  /** As people write it. */
  readonly item: string;
  /** Its checks are to be run, and nothing is decided yet. */
  readonly atGate: boolean;
  /** The call that leads on, '' where there is none. */
  readonly call: string;
}

/** The store, for looking things up. */
export interface Lookup extends Pick<Ports['store'], 'heads' | 'read'> {
  readonly itemByNumber: (number: number) => Promise<Row | undefined>;
  readonly items: (query: {
    readonly list: undefined;
    readonly states: readonly string[];
    readonly categories: readonly string[];
    readonly assignee: undefined;
    readonly after: number;
    readonly limit: number;
  }) => Promise<readonly Row[]>;
}

/** What a hook may reach of the repository around its session; opened no further than a moment asks for. */
export interface Surroundings {
  /** Top of the working tree. */
  readonly top: string;
  /** Folder of the store, shared by all worktrees. */
  readonly state: string;
  /** Folder under which tokens and keys of every repository lie. */
  readonly secrets: string;
  /** The actor that this session works as, '' where the hook was not told. */
  readonly actor: string;
  readonly env: NodeJS.ProcessEnv;
  /** Whether a command in that folder would reach this very store. */
  readonly serves: (folder: string) => boolean;
  /** What is another one as soon as something is written to the store. */
  readonly stamp: () => string;
  readonly look: <T>(task: (store: Lookup) => Promise<T>) => Promise<T>;
  /** Everything, to decide and to write. */
  readonly open: () => Promise<Opened>;
}
