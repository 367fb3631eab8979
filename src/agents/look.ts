import { hostname } from 'node:os';
import { bootId, isAlive } from './processes.ts';
import { type Launched, readBeat, readEnd, readLaunched, readWatching, type Watching } from './records.ts';
import type { RunState } from './run.ts';
import { transcriptSize } from './transcript.ts';

/** A watcher that has not shown up by then will not. */
const LATEST_START_MS = 60_000;

/**
 * How a run stands, from its files and the table of processes. Changes nothing and never throws: a folder that is missing or
 * damaged is a run that was lost, and one in which nothing was launched says `not-started`. Of one that another machine launched
 * nothing here can tell that it is gone.
 */
export function look(folder: string): RunState {
  const end = readEnd(folder);
  const launched = readLaunched(folder);
  const seal = launched?.seal ?? '';
  const elsewhere = isElsewhere(launched);
  if (end !== undefined) return { state: 'ended', elsewhere, seal, ...end };
  const watching = readWatching(folder);
  const beat = readBeat(folder);
  const alive = elsewhere || (watching === undefined ? isComing(launched) : isWatched(watching));
  const known = launched !== undefined || watching !== undefined;
  return {
    state: alive ? (watching?.child === undefined ? 'starting' : 'running') : 'lost',
    elsewhere,
    heartbeatAt: beat?.at ?? '',
    startedAt: watching?.child === undefined ? '' : watching.startedAt,
    endedAt: '',
    exitCode: null,
    signal: '',
    reason: alive ? '' : known ? 'lost' : 'not-started',
    killedBy: '',
    killReason: '',
    ...transcriptSize(folder),
    costUsd: beat?.costUsd ?? 0,
    said: beat?.said ?? '',
    seal,
    sealKey: '',
  };
}

/** By its name: boots and numbers of processes tell of one machine alone, and containers of one share its boot. */
const isElsewhere = (launched: Launched | undefined): boolean =>
  launched !== undefined && launched.host !== '' && launched.host !== hostname();

const isWatched = ({ boot, watcher }: Watching) => boot === bootId() && isAlive(watcher);

function isComing(launched: Launched | undefined): boolean {
  if (launched === undefined || launched.boot !== bootId() || !isAlive(launched.launcher)) return false;
  return Date.now() - Date.parse(launched.launchedAt) < LATEST_START_MS;
}
