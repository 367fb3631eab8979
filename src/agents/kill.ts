import { endProcesses, GRACE_MS, killNow } from './end-processes.ts';
import { endNow, quarryOf } from './ending.ts';
import { look } from './look.ts';
import { isAlive } from './processes.ts';
import { readWatching, writeAsked, writeEnd } from './records.ts';
import type { RunState } from './run.ts';
import { settle } from './settle.ts';

/** How long the watcher may take to record an end that it has to see. */
const RECORD_MS = 15_000;
const POLL_MS = 50;

/**
 * Ends a run with everything that it started, by SIGTERM and after a grace by SIGKILL, and answers when its end is recorded.
 * Works without a watcher, for whoever asks first and again. A process that only has the number of one of the run's is never
 * touched.
 */
export async function kill(folder: string, by: string, reason: string): Promise<RunState> {
  const before = look(folder);
  if (before.state === 'ended') return before;
  if (before.reason === 'not-started') return settle(folder);
  writeAsked(folder, { at: new Date().toISOString(), by, reason });
  const signal = await endProcesses(quarryOf(folder), GRACE_MS);
  for (const until = Date.now() + RECORD_MS; Date.now() < until; ) {
    const now = look(folder);
    if (now.state === 'ended') return now;
    if (now.state === 'lost') return settle(folder);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return withoutWatcher(folder, by, reason, signal);
}

/** The watcher is there and does not move, perhaps because somebody stopped it: it is ended as well. */
function withoutWatcher(folder: string, by: string, reason: string, signal: string): RunState {
  killNow(quarryOf(folder));
  const cause = { reason: 'killed', exitCode: null, signal, killedBy: by, killReason: reason } as const;
  if (!writeEnd(folder, endNow(folder, cause))) return look(folder);
  const watcher = readWatching(folder)?.watcher;
  if (watcher !== undefined && isAlive(watcher)) process.kill(watcher.pid, 'SIGKILL');
  return look(folder);
}
