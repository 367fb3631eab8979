import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** A process that can be told from a later one with the same number. */
export interface ProcessId {
  readonly pid: number;
  /** When it started, as the system counts; '' is unknown and equals nothing. */
  readonly start: string;
}

export interface ProcessRow extends ProcessId {
  readonly group: number;
  /** 0 where the system does not tell. */
  readonly session: number;
  readonly ended: boolean;
}

const hasProc = process.platform === 'linux';

/** Every process that can be seen. */
export const processes = (): readonly ProcessRow[] =>
  hasProc ? processNumbers().flatMap((pid) => rowOf(pid) ?? []) : listed(['-A']);

/** One process, also when it has ended and nobody has asked for its exit code; undefined when there is none. */
export function rowOf(pid: number): ProcessRow | undefined {
  if (!hasProc) return listed(['-p', String(pid)])[0];
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
  if (!hasProc) {
    const lines = ps(['-A', '-E', '-ww', '-o', 'pid=,command=']).filter((line) => line.includes(words));
    return new Set(lines.map((line) => Number.parseInt(line, 10)));
  }
  return new Set(processNumbers().filter((pid) => environmentOf(pid).includes(words)));
}

/** Names this start of the machine: numbers of processes count for one start only. */
export function bootId(): string {
  if (!hasProc) {
    return spawnSync('sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' }).stdout?.trim() ?? '';
  }
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

const ROW = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/;

function listed(which: readonly string[]): readonly ProcessRow[] {
  return ps([...which, '-o', 'pid=,pgid=,state=,lstart=']).flatMap((line) => {
    const [, pid, group, state = '', start = ''] = ROW.exec(line) ?? [];
    if (pid === undefined) return [];
    return [{ pid: Number(pid), group: Number(group), session: 0, start, ended: state.startsWith('Z') }];
  });
}

function ps(words: readonly string[]): readonly string[] {
  const { stdout } = spawnSync('ps', words, {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
    maxBuffer: 2 ** 26,
  });
  return (stdout ?? '').split('\n');
}
