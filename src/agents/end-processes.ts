import type { ProcessId, ProcessRow } from './process-row.ts';
import { carrying, isAlive, processes, rowOf } from './processes.ts';

/** Name of the variable by which the processes of a run are known, wherever they went. */
export const MARK = 'COUNTERSIGN_RUN';

/** The processes of one run: the child with its group and session, and whatever carries the run's mark. */
export interface Quarry {
  readonly mark: string;
  readonly child: ProcessId | undefined;
  /** Who asks has seen the child end this moment, so the number of its group cannot belong to others yet. */
  readonly justEnded: boolean;
}

/** How long a program may take to end by itself once it was asked to. */
export const GRACE_MS = 5000;
const POLL_MS = 50;
const ROUNDS = 60;
const ROUND_MS = 30;

/**
 * Asks all processes of a run to end, and ends those that have not after the grace. Answers the signal that ended the last
 * of them, '' when there was none.
 */
export async function endProcesses(quarry: Quarry, graceMs: number): Promise<'' | 'SIGTERM' | 'SIGKILL'> {
  let asked = members(quarry);
  if (asked.length === 0) return '';
  signal(quarry, asked, 'SIGTERM');
  for (const until = Date.now() + graceMs; Date.now() < until; ) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    if (asked.some(isAlive)) continue;
    // What they started meanwhile has the rest of the grace, and was not asked yet.
    asked = members(quarry);
    if (asked.length === 0) return 'SIGTERM';
    signal(quarry, asked, 'SIGTERM');
  }
  killNow(quarry);
  return 'SIGKILL';
}

/** Ends all processes of a run at once. True when none is left, which only a process that the system holds prevents. */
export function killNow(quarry: Quarry): boolean {
  // One may start another meanwhile; the bound keeps a fork bomb from holding us for ever.
  for (let round = 0; round < ROUNDS; round += 1) {
    const left = members(quarry);
    if (left.length === 0) return true;
    signal(quarry, left, 'SIGKILL');
    for (const until = Date.now() + ROUND_MS; left.some(isAlive) && Date.now() < until; ) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
  return false;
}

/**
 * The living processes of a run. A group is taken by its number only while its leader is the child itself, or has ended
 * this moment; otherwise the number may be somebody else's, and only the mark counts.
 */
export function members({ mark, child, justEnded }: Quarry): readonly ProcessRow[] {
  const marked = mark === '' ? new Set<number>() : carrying(`${MARK}=${mark}`);
  const leader = child === undefined ? undefined : rowOf(child.pid);
  const own = leader === undefined ? justEnded : isSame(leader, child);
  const inGroup = (row: ProcessRow) =>
    own && child !== undefined && (row.group === child.pid || row.session === child.pid);
  return processes().filter(
    (row) => !row.ended && row.pid > 1 && row.pid !== process.pid && (marked.has(row.pid) || inGroup(row)),
  );
}

const isSame = (row: ProcessRow, child: ProcessId | undefined) =>
  child !== undefined && child.start !== '' && row.start === child.start;

function signal({ child }: Quarry, rows: readonly ProcessRow[], name: 'SIGTERM' | 'SIGKILL'): void {
  // The whole group in one call first: what it starts between two looks is hit as well.
  if (child !== undefined && rows.some((row) => row.pid === child.pid && row.group === child.pid)) {
    send(-child.pid, name);
  }
  for (const row of rows) {
    if (row.group === child?.pid && name === 'SIGTERM' && rows.some(({ pid }) => pid === child.pid)) continue;
    if (rowOf(row.pid)?.start === row.start) send(row.pid, name);
  }
}

/** Sends a signal to a process, or to a group by its number below zero, that may have ended meanwhile. */
export function send(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended between the two looks.
  }
}
