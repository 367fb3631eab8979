import { endProcesses, GRACE_MS, killNow, send } from './end-processes.ts';
import { endNow, quarryOf } from './ending.ts';
import { look } from './look.ts';
import { bootId, isAlive } from './processes.ts';
import { readWatching, writeAsked, writeEnd } from './records.ts';
import type { RunState } from './run.ts';
import { settle } from './settle.ts';

/** How long a watcher may take beyond the grace that it gives the child. */
const SPARE_MS = 3000;
const RECORD_MS = 2000;
const POLL_MS = 50;

/**
 * Ends a run with everything that it started, by SIGTERM and after a grace by SIGKILL, and answers when its end is recorded.
 * The watcher does it where there is one, so that the child is asked once. Works without, for whoever asks first and again.
 * A process that only has the number of one of the run's is never touched. On another machine its own watcher finds who asks.
 */
export async function kill(folder: string, by: string, reason: string): Promise<RunState> {
  const before = look(folder);
  if (before.state === 'ended') return before;
  if (before.reason === 'not-started') return settle(folder);
  writeAsked(folder, { at: new Date().toISOString(), by, reason });
  if (before.elsewhere) return before;
  nudge(folder);
  const heard = await whileWatched(folder, GRACE_MS + SPARE_MS);
  if (heard.state === 'ended') return heard;
  const signal = await endProcesses(quarryOf(folder), heard.state === 'lost' ? GRACE_MS : 0);
  const now = await whileWatched(folder, RECORD_MS);
  if (now.state === 'lost') return settle(folder);
  return now.state === 'ended' ? now : withoutWatcher(folder, by, reason, signal);
}

/** A watcher that is asked to end looks at once, and finds who asks. */
const nudge = (folder: string): void => toWatcher(folder, 'SIGTERM');

function toWatcher(folder: string, signal: 'SIGTERM' | 'SIGKILL'): void {
  const watching = readWatching(folder);
  if (watching?.boot === bootId() && isAlive(watching.watcher)) send(watching.watcher.pid, signal);
}

/** How the run stands when it has ended or is lost, or after so long. */
async function whileWatched(folder: string, ms: number): Promise<RunState> {
  for (const until = Date.now() + ms; ; ) {
    const now = look(folder);
    if (now.state === 'ended' || now.state === 'lost' || Date.now() >= until) return now;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** The watcher is there and does not move, perhaps because somebody stopped it: it is ended as well. */
function withoutWatcher(folder: string, by: string, reason: string, signal: string): RunState {
  killNow(quarryOf(folder));
  const cause = { reason: 'killed', exitCode: null, signal, killedBy: by, killReason: reason } as const;
  if (!writeEnd(folder, endNow(folder, cause))) return look(folder);
  toWatcher(folder, 'SIGKILL');
  return look(folder);
}
