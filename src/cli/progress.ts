import { note, type Output, paint } from './print.ts';

const PAUSE_MS = 1_000;

/** Tells how far something is, on stderr. `stop` must be called when it has ended. */
export interface ProgressLines {
  readonly say: (line: string) => void;
  readonly stop: () => void;
}

/**
 * Every line at once on a terminal. Elsewhere, where it stays in somebody's log, at most one line a second: what is
 * said within a second of the last line waits for its end, and gives way to what is said later. Nothing with --quiet.
 */
export function progressLines(output: Output, isTerminal: boolean): ProgressLines {
  if (output.quiet) return { say: () => {}, stop: () => {} };
  if (isTerminal) return { say: (line) => note(output, paint(output, 'dim', `  ${line}`)), stop: () => {} };
  let pause: NodeJS.Timeout | undefined;
  let waiting: string | undefined;
  const print = (line: string) => {
    note(output, `… ${line}`);
    pause = setTimeout(() => {
      pause = undefined;
      const next = waiting;
      waiting = undefined;
      if (next !== undefined) print(next);
    }, PAUSE_MS);
    pause.unref();
  };
  return {
    say(line) {
      if (pause === undefined) print(line);
      else waiting = line;
    },
    stop() {
      clearTimeout(pause);
      waiting = undefined;
    },
  };
}
