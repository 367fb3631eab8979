import { makeFolder } from './durable-file.ts';
import { killNow } from './end-processes.ts';
import { endNow, quarryOf } from './ending.ts';
import { look } from './look.ts';
import { readAsked, writeEnd } from './records.ts';
import { packTranscript } from './rotate.ts';
import type { RunState } from './run.ts';

/**
 * Ends a run that was lost: kills what is left of it and records the end, once, whoever asks how often. Somebody who had
 * asked for the kill before the watcher went is named in it. Any other run stays as it is.
 */
export function settle(folder: string): RunState {
  const before = look(folder);
  if (before.state !== 'lost') return before;
  killNow(quarryOf(folder));
  const asked = readAsked(folder);
  const cause = {
    reason: asked === undefined ? before.reason || 'lost' : 'killed',
    exitCode: null,
    signal: '',
    killedBy: asked?.by ?? '',
    killReason: asked?.reason ?? '',
  } as const;
  const end = endNow(folder, cause);
  // A folder that is gone comes back with the record: nothing may be launched under this name later.
  makeFolder(folder);
  if (writeEnd(folder, end)) packTranscript(folder);
  return look(folder);
}
