/** What an agent writes: its standard output, or its standard error. */
export type AgentStream = 'out' | 'err';

/** How a process of a coding agent stands. Times are ISO, '' for never. */
export interface AgentState {
  readonly state: 'starting' | 'running' | 'ended' | 'lost';
  /** Started on another machine: whether it lives is not seen from here. */
  readonly elsewhere: boolean;
  readonly startedAt: string;
  readonly endedAt: string;
  /** When it last wrote something. */
  readonly outputAt: string;
  readonly exitCode: number | null;
  readonly signal: string;
  /** Why it ended, '' while it runs. */
  readonly reason: string;
  readonly bytes: number;
  readonly costUsd: number;
  /** Digest of what its watcher alone was told; with its end the watcher says what it is the digest of, else ''. */
  readonly seal: string;
  readonly sealKey: string;
  /** Its last words, at most 2000 characters. */
  readonly said: string;
}

/** A coding agent that can be started without a terminal: an entry of `agents` in `.countersign/config.yaml`. */
export interface AgentSettings {
  readonly adapter: string;
  readonly model: string;
  /** Program and arguments, for the adapter `command`. */
  readonly command: readonly string[];
  /** Further arguments of the program. */
  readonly extra: readonly string[];
  readonly turns: number;
  readonly minutes: number;
  readonly megabytes: number;
  /** US dollars; 0 = no limit. */
  readonly cost: number;
  /** Labels that the machine must have on which it is started; none for any machine. */
  readonly runs_on: readonly string[];
}

/** What an agent is started with; its token lies where its commands find it. */
export interface AgentStart {
  /** Name of the run and of its actor. */
  readonly run: string;
  readonly agent: AgentSettings;
  /** Its working tree. */
  readonly cwd: string;
  readonly prompt: string;
  /** It may read, and write nothing. */
  readonly readOnly: boolean;
}

/** Processes of coding agents, each with a watcher that outlives whoever started it. */
export interface AgentsPort {
  /** The machine and folder that runs of here lie in: only from there they are seen. */
  readonly place: string;
  /** Answers when it runs or could not be started; one that was started before is answered as it is. */
  start(order: AgentStart): Promise<AgentState>;
  /** Cheap; never throws. */
  look(run: string): Promise<AgentState>;
  /** Ends the whole group of processes. */
  kill(run: string, by: string, reason: string): Promise<AgentState>;
  /** Records the end of a run whose watcher is gone, once. */
  settle(run: string): Promise<AgentState>;
  /** A part of its transcript, from a byte on. */
  page(
    run: string,
    offset: number,
    limit: number,
    stream: AgentStream,
  ): Promise<{ readonly text: string; readonly next: number; readonly ended: boolean }>;
}
