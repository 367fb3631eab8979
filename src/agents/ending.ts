import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { ADAPTERS } from './adapters/index.ts';
import { MARK, type Quarry } from './end-processes.ts';
import { ending, feed, type Heard, listenTo } from './listener.ts';
import { bootId } from './processes.ts';
import { type End, readBeat, readLaunched, readWatching } from './records.ts';
import { transcriptPath, transcriptSize } from './transcript.ts';

/** Why a run ended, before what it left behind is looked at. */
export type Cause = Pick<End, 'reason' | 'exitCode' | 'signal' | 'killedBy' | 'killReason'>;

/** Of a longer stream only the end is read once more. */
const MOST_READ = 2 ** 26;
const MOST_OF_ERRORS = 8192;

/** The record of an end that comes now, with what files and adapter say of the run. */
export function endNow(folder: string, cause: Cause, heard: Heard = hearAll(folder)): End {
  const watching = readWatching(folder);
  const beat = readBeat(folder);
  return {
    ...cause,
    startedAt: watching?.child === undefined ? '' : watching.startedAt,
    endedAt: new Date().toISOString(),
    heartbeatAt: beat?.at ?? '',
    ...transcriptSize(folder),
    costUsd: Math.max(heard.costUsd, beat?.costUsd ?? 0),
    // A program that could not begin tells why on its standard error.
    sealKey: '',
    said: heard.said || tailOf(transcriptPath(folder, 'err')) || (beat?.said ?? ''),
  };
}

/** What is to be hunted of a run, from its files. On another start of the machine nothing is left of it. */
export function quarryOf(folder: string): Quarry {
  const boot = bootId();
  const launched = readLaunched(folder);
  const watching = readWatching(folder);
  const child = watching?.boot === boot ? watching.child : undefined;
  return { mark: launched?.boot === boot ? launched.mark : '', child, justEnded: false };
}

/** The variable that marks the processes of a run. */
export const marking = (mark: string): Readonly<Record<string, string>> => ({ [MARK]: mark });

function hearAll(folder: string): Heard {
  const name = readLaunched(folder)?.adapter;
  const adapter = ADAPTERS.find((known) => known.name === name);
  if (adapter === undefined) return { said: '', costUsd: 0 };
  const path = transcriptPath(folder, 'out');
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const listener = listenTo(adapter);
  feed(listener, path, Math.max(0, size - MOST_READ), MOST_READ);
  listener.finish();
  return listener.heard;
}

function tailOf(path: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      const { size } = fstatSync(file);
      const bytes = Buffer.alloc(Math.min(size, MOST_OF_ERRORS));
      const count = readSync(file, bytes, 0, bytes.length, size - bytes.length);
      return ending(bytes.toString('utf8', 0, count));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}
