import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { adapterNamed } from './adapters/index.ts';
import { alarmOf } from './alarm.ts';
import type { Cause } from './ending.ts';
import { feed, type Heard, listenTo } from './listener.ts';
import { readAsked, readEnd, writeBeat } from './records.ts';
import type { RunSpec } from './run.ts';
import { transcriptPath, transcriptSize } from './transcript.ts';

const LOOK_MS = 1000;
/** A transcript that comes near its limit is looked at so often. */
const HURRY_MS = 50;
const BEAT_MS = 10_000;
/** After so many looks that found nothing new the alarm takes over until the next beat. */
const QUIET_LOOKS = 3;
/** Read of the stream in one look; the rest waits for the next. */
const MOST_READ = 2 ** 22;
const MOST_AT_LAST = 2 ** 26;

/** Why a run has to end before it does so itself. */
export type Stop = Pick<Cause, 'reason' | 'killedBy' | 'killReason'>;

/** The watcher's eyes on its run: each look reads what is new and beats when it is time. */
export interface Attendance {
  /** Answers why the run has to end now. */
  look(): Stop | undefined;
  /** Milliseconds until the next look; what happens before may wake the watcher. */
  pause(): number;
  /** Reads what is left. */
  finish(): Heard;
}

/** Attends a run that begins now, until `told` asks the watcher itself to end. `wake` brings the next look forward. */
export function attend(spec: RunSpec, told: AbortSignal, wake: () => void): Attendance {
  const { folder, limits } = spec;
  const path = transcriptPath(folder, 'out');
  const listener = listenTo(adapterNamed(spec.adapter));
  const deadline =
    limits.minutes > 0 ? performance.now() + limits.minutes * 60_000 : Number.POSITIVE_INFINITY;
  let offset = 0;
  let bytes = 0;
  let grown = 0;
  let beatDue = 0;
  let quiet = 0;
  const alarm = alarmOf(folder);
  const ring = () => {
    quiet = 0;
    wake();
  };
  told.addEventListener('abort', wake);
  const observe = () => {
    const before = bytes;
    bytes = transcriptSize(folder).bytes;
    grown = bytes - before;
    const from = offset;
    offset = feed(listener, path, from, MOST_READ);
    quiet = grown > 0 || offset - from === MOST_READ ? 0 : quiet + 1;
    if (performance.now() < beatDue) return;
    beatDue = performance.now() + BEAT_MS;
    writeBeat(folder, { at: new Date().toISOString(), ...listener.heard });
  };
  return {
    look() {
      const asked = fromOutside(folder, told);
      if (asked !== undefined) return asked;
      observe();
      if (performance.now() >= deadline) return stop('time-limit');
      if (limits.bytes > 0 && bytes > limits.bytes) return stop('output-limit');
      return limits.costUsd > 0 && listener.heard.costUsd > limits.costUsd ? stop('cost-limit') : undefined;
    },
    pause() {
      const near = limits.bytes > 0 && grown > (limits.bytes - bytes) / 4;
      const awake = near ? HURRY_MS : LOOK_MS;
      // What happens between the last look and the alarm is seen at the beat.
      const resting = quiet >= QUIET_LOOKS && alarm.set(ring);
      const due = Math.min(deadline, resting ? beatDue : Number.POSITIVE_INFINITY) - performance.now();
      return Math.max(10, resting ? due : Math.min(awake, due));
    },
    finish() {
      alarm.clear();
      feed(listener, path, offset, MOST_AT_LAST);
      listener.finish();
      return listener.heard;
    },
  };
}

function fromOutside(folder: string, told: AbortSignal): Stop | undefined {
  const asked = readAsked(folder);
  if (asked !== undefined) return stop('killed', asked.by, asked.reason);
  if (told.aborted) return stop('killed', 'the system', 'the watcher was asked to end');
  // Whoever could not see this watcher has settled the run: what is on record has to be so.
  if (readEnd(folder) !== undefined) return stop('killed', 'nobody', 'an end was recorded');
  // Nothing of it could be recorded any more.
  return existsSync(join(folder, 'run.json'))
    ? undefined
    : stop('killed', 'nobody', 'the folder of the run is gone');
}

const stop = (reason: Stop['reason'], killedBy = '', killReason = ''): Stop => ({
  reason,
  killedBy,
  killReason,
});
