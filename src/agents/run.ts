/** What may be used up by a run; 0 is no limit. */
export interface RunLimits {
  readonly minutes: number;
  /** Of the transcript: standard output and error together. */
  readonly bytes: number;
  /** As the agent tells it in its stream; what does not tell has no such limit. */
  readonly costUsd: number;
}

/** A coding agent to start without a terminal, and everything that its watcher has to know. */
export interface RunSpec {
  /** Unique, and safe as a name of a file. */
  readonly id: string;
  /** Absolute; everything of the run is kept here. */
  readonly folder: string;
  /** The working tree. */
  readonly cwd: string;
  /** Program and arguments. */
  readonly argv: readonly string[];
  /** Added to the surroundings, which lose what belongs to the session of whoever launches. */
  readonly env: { readonly [name: string]: string };
  /** The prompt; '' for none. */
  readonly stdin: string;
  readonly limits: RunLimits;
  /** Name of the adapter that reads the stream, for cost and last words. */
  readonly adapter: string;
  /** Run in `reportCwd` once the child has ended, so that somebody hears of it; [] for nobody. */
  readonly report: readonly string[];
  readonly reportCwd: string;
}

export const END_REASONS = [
  'exited',
  'killed',
  'time-limit',
  'output-limit',
  'cost-limit',
  'not-started',
  'lost',
] as const;
/** Why a run ended. A crash is an exit: its code or signal tells. `lost`: the watcher went without a word. */
export type EndReason = (typeof END_REASONS)[number];

/** How a run stands, read from its folder. Times are ISO, '' for never; `reason` is '' while it runs. */
export interface RunState {
  /** `lost`: the watcher is gone (other boot, dead, or its number used again) and no end is recorded. */
  readonly state: 'starting' | 'running' | 'ended' | 'lost';
  /** Launched on another machine, which has the same folder: whether it lives is not seen from here, and it is never `lost`. */
  readonly elsewhere: boolean;
  readonly heartbeatAt: string;
  /** When the transcript last grew. */
  readonly outputAt: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly exitCode: number | null;
  readonly signal: string;
  readonly reason: EndReason | '';
  readonly killedBy: string;
  readonly killReason: string;
  readonly bytes: number;
  readonly costUsd: number;
  /** Digest of what only the watcher of the run is told, '' where nothing was launched. */
  readonly seal: string;
  /** What the seal is the digest of, once the watcher has recorded the end; '' for an end that was recorded without it. */
  readonly sealKey: string;
  /** Last words as the adapter reads them, at most 2000 characters; of a run that did not start, why. */
  readonly said: string;
}
