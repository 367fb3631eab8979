import type { Opened } from '../engine/composition.ts';
import type { SignedIn } from '../engine/sign-in.ts';
import type { Asked, Moment } from './asked.ts';
import type { Asking, Frame, Typed } from './frames.ts';
import type { Peer } from './peer.ts';

/** A client of this moment: who it is, and what is known of where it comes from. */
export interface Client {
  readonly who: SignedIn;
  /** The level of protection that holds between this client and the store. */
  readonly level: string;
}

/** What routes share: who calls is found out once for each request. */
export type Env = { Variables: { client: Client; peer: Peer | undefined } };

/** The way back to a client while its command runs. */
export interface Channel {
  readonly say: (frame: Frame) => void;
  readonly ask: (asking: Omit<Asking, 'id'>) => Promise<Typed>;
  readonly signal: AbortSignal;
}

/** What a hook says, and what it would have the session's shell know. */
export interface HookSaid {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
  /** Lines for the file that the session's commands read their variables from. */
  readonly variables: string;
}

/** What is served: the faces of the product, each as one client of one repository has it. */
export interface Served {
  readonly version: string;
  readonly repository: string;
  /** The open store, for what the server itself looks at. */
  readonly opened: Opened;
  /** Answers the exit code, and never throws. `request` is the id that the client chose, '' for none. */
  command(client: Client, asked: Asked, channel: Channel, request: string): Promise<number>;
  hook(client: Client, moment: Moment): Promise<HookSaid>;
  mcp(client: Client, request: Request, profile: string): Promise<Response>;
  /** Names, arguments and options of every command, for the description of the interface. */
  commands(): Promise<readonly CommandShape[]>;
}

/** A command as its parser knows it. */
export interface CommandShape {
  /** Its words, such as `goal create`. */
  readonly words: readonly string[];
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly many: boolean;
  }[];
  readonly options: readonly {
    /** With the dashes: `--commit`. */
    readonly flag: string;
    readonly name: string;
    readonly description: string;
    /** 'flag' takes no value. */
    readonly takes: 'flag' | 'value' | 'values';
    readonly required: boolean;
  }[];
}
