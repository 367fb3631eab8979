import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { locateProgram } from './program.ts';

/** A program to run without a shell. `env` is its whole environment; the first word is looked up in its PATH. */
export interface ProcessRequest {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Bytes of standard output and error together; one more ends the program. */
  readonly maxOutput: number;
  readonly signal: AbortSignal | undefined;
  /** Puts something in front of the found program, such as the isolation. */
  readonly wrap: (argv: readonly string[], spot: Pick<ProcessRequest, 'cwd' | 'env'>) => readonly string[];
  /** All of its standard input; undefined: there is none. */
  readonly stdin?: string;
}

/**
 * How a program ended. Exactly one of `exitCode` and `signal` is set when it was started and ended by itself. What was
 * put in front of a program may hand on a signal as 128 and its number: there such an exit code counts as the signal.
 */
export interface ProcessResult {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly timedOut: boolean;
  readonly overflowed: boolean;
  readonly aborted: boolean;
  /** The program does not exist or cannot be started; nothing ran. */
  readonly notFound: boolean;
  readonly durationMs: number;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** Both streams in the order they came. */
  readonly output: Buffer;
}

const graceMs = 2000;

/**
 * Runs a program in a process group of its own, and ends the whole group: at the time limit, at the output limit, at an
 * abort, and also after a normal end. Never rejects and never waits for a pipe that a leftover process holds open.
 */
export function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  const [name = '', ...args] = request.argv;
  const program = locateProgram(name, request.env.PATH ?? '', request.cwd);
  const start = performance.now();
  if (program === undefined || request.signal?.aborted) {
    return Promise.resolve(notStarted(program === undefined, request.signal?.aborted ?? false));
  }
  const [first = '', ...rest] = request.wrap([program, ...args], request);
  const child = spawn(first, rest, {
    cwd: request.cwd,
    env: { ...request.env },
    detached: true,
    stdio: [request.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  // A program that ends without reading all of it has not failed by that.
  child.stdin?.on('error', () => {}).end(request.stdin);
  const relayed = first !== program;
  return ended(child, request, relayed, () => Math.round(performance.now() - start));
}

// Of two names for one number the first is the usual one, and the last entry stays.
const signalNumbers: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [128 + number, name]),
);

/** The signal that an exit code stands for; null for any other. */
const relayedSignal = (exitCode: number | null): NodeJS.Signals | null =>
  (signalNumbers.get(exitCode ?? 0) as NodeJS.Signals | undefined) ?? null;

function ended(
  child: ChildProcess,
  request: ProcessRequest,
  relayed: boolean,
  elapsed: () => number,
): Promise<ProcessResult> {
  const seen = { timedOut: false, overflowed: false, aborted: false, notFound: false };
  const captured = capture(child, request.maxOutput, () => {
    seen.overflowed = true;
    killGroup(child, 'SIGKILL');
  });
  const clock = timers();
  clock.after(request.timeoutMs, () => {
    seen.timedOut = true;
    killGroup(child, 'SIGTERM');
    clock.after(graceMs, () => killGroup(child, 'SIGKILL'));
  });
  const abort = () => {
    seen.aborted = true;
    killGroup(child, 'SIGKILL');
  };
  request.signal?.addEventListener('abort', abort, { once: true });
  return new Promise((resolve) => {
    let exit: [number | null, NodeJS.Signals | null] = [null, null];
    const finish = () => {
      clock.stop();
      request.signal?.removeEventListener('abort', abort);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
      const [exitCode, signal] = exit;
      resolve({ exitCode, signal, ...seen, durationMs: elapsed(), ...captured() });
    };
    child.on('error', () => {
      if (child.pid === undefined) seen.notFound = true;
      if (seen.notFound) finish();
    });
    child.on('exit', (code, signal) => {
      const cause = signal ?? (relayed ? relayedSignal(code) : null);
      exit = [cause === null ? code : null, cause];
      clock.stop();
      killGroup(child, 'SIGKILL');
      // A process that left the group may keep the pipes open for ever.
      clock.after(graceMs, finish);
    });
    child.on('close', finish);
  });
}

function timers() {
  const running: NodeJS.Timeout[] = [];
  return {
    after: (ms: number, act: () => void) => void running.push(setTimeout(act, ms)),
    stop: () => {
      for (const timer of running.splice(0)) clearTimeout(timer);
    },
  };
}

function capture(child: ChildProcess, max: number, onOverflow: () => void) {
  const all: Buffer[] = [];
  const streams: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
  let size = 0;
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.on('data', (chunk: Buffer) => {
      if (size > max) return;
      size += chunk.length;
      all.push(chunk);
      streams[name].push(chunk);
      if (size > max) onOverflow();
    });
  }
  return () => ({
    stdout: Buffer.concat(streams.stdout),
    stderr: Buffer.concat(streams.stderr),
    output: tail(Buffer.concat(all), max),
  });
}

/** The end tells more than the beginning: that is what stays of too much output. */
const tail = (bytes: Buffer, max: number) => bytes.subarray(Math.max(0, bytes.length - max));

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is empty: everything has ended.
  }
}

const notStarted = (notFound: boolean, aborted: boolean): ProcessResult => ({
  exitCode: null,
  signal: null,
  timedOut: false,
  overflowed: false,
  aborted,
  notFound,
  durationMs: 0,
  stdout: Buffer.alloc(0),
  stderr: Buffer.alloc(0),
  output: Buffer.alloc(0),
});
