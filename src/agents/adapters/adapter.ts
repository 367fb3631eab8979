/** How to start the server that the agent talks to. */
export interface McpServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
}

/** What an agent is started for. '' and 0 leave a choice to the agent. */
export interface AgentOrder {
  readonly prompt: string;
  readonly model: string;
  readonly mcp: McpServer | null;
  /** It may read the tree and call the server, and write nothing. */
  readonly readOnly: boolean;
  /** Outside of its tree, what git writes into when it commits; none where it only reads. */
  readonly gitFolders: readonly string[];
  readonly maxTurns: number;
  readonly costUsd: number;
  /** Words of the configuration, put after ours; for `command` the whole command line. */
  readonly extra: readonly string[];
  /** Where the files of the run lie; absolute. */
  readonly folder: string;
}

/** A command line ready to be run, with the files that it names. */
export interface AgentCommand {
  readonly argv: readonly string[];
  readonly stdin: string;
  readonly env: { readonly [name: string]: string };
  /** To be written into the folder of the order before the start, by name. */
  readonly files: { readonly [name: string]: string };
}

/** What one line of a stream says. A line that says nothing of this reads as {}. */
export interface Reading {
  readonly session?: string;
  readonly text?: string;
  /** `text` continues the one before. */
  readonly more?: true;
  readonly tool?: string;
  /** Spent by the whole run so far. */
  readonly costUsd?: number;
  /** Spent by one step, to be added up. */
  readonly stepUsd?: number;
  /** The final answer: nothing that follows is a later word. */
  readonly result?: string;
}

/** A coding agent that can work without a terminal: how it is started, and how its stream is read. */
export interface Adapter {
  readonly name: string;
  commandFor(order: AgentOrder): AgentCommand;
  /** Never throws, whatever the line. */
  read(line: string): Reading;
}

/** The name under which agents know our server. */
export const SERVER = 'countersign';
