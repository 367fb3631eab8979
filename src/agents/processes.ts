import { readdirSync, readFileSync } from 'node:fs';
import type { ProcessId, ProcessRow } from './process-row.ts';
import { bootByPs, carryingByPs, listedByPs } from './processes-by-ps.ts';

const hasProc = process.platform === 'linux';

/** Every process that can be seen. */
export const processes = (): readonly ProcessRow[] =>
  hasProc ? processNumbers().flatMap((pid) => rowOf(pid) ?? []) : listedByPs(['-A']);

/** One process, also when it has ended and nobody has asked for its exit code; undefined when there is none. */
export function rowOf(pid: number): ProcessRow | undefined {
  if (!hasProc) return listedByPs(['-p', String(pid)])[0];
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold spaces and parentheses of its own (proc(5)).
    const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      pid,
      start: words[19] ?? '',
      group: Number(words[2]),
      session: Number(words[3]),
      ended: /^[ZX]/.test(words[0] ?? ''),
    };
  } catch {
    return undefined;
  }
}

/** This very process, not another one with its number, and not one that only waits to be asked for its exit code. */
export function isAlive({ pid, start }: ProcessId): boolean {
  const row = rowOf(pid);
  return row !== undefined && start !== '' && row.start === start && !row.ended;
}

export const processId = (pid: number): ProcessId => ({ pid, start: rowOf(pid)?.start ?? '' });

/** Processes that carry `words` in their environment; those of other people are not told. */
export function carrying(words: string): ReadonlySet<number> {
  if (!hasProc) return carryingByPs(words);
  return new Set(processNumbers().filter((pid) => environmentOf(pid).includes(words)));
}

let boot: string | undefined;

/** Names this start of the machine: numbers of processes count for one start only. */
export function bootId(): string {
  boot ??= hasProc ? bootByProc() : bootByPs();
  return boot;
}

function bootByProc(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

function processNumbers(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}
