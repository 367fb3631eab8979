import { spawnSync } from 'node:child_process';
import type { ProcessRow } from './process-row.ts';

/** Rows of `ps`, where there is no /proc; `which` selects. Sessions are not told. */
export function listedByPs(which: readonly string[]): readonly ProcessRow[] {
  return lines('ps', [...which, '-o', 'pid=,pgid=,state=,lstart=']).flatMap((line) => {
    const [, pid, group, state = '', start = ''] = ROW.exec(line) ?? [];
    if (pid === undefined) return [];
    return [{ pid: Number(pid), group: Number(group), session: 0, start, ended: state.startsWith('Z') }];
  });
}

/** Processes of this user that carry `words` in their environment, as macOS shows it. */
export function carryingByPs(words: string): ReadonlySet<number> {
  const found = lines('ps', ['-A', '-E', '-ww', '-o', 'pid=,command=']).filter((line) =>
    line.includes(words),
  );
  return new Set(found.map((line) => Number.parseInt(line, 10)));
}

/** Names this start of the machine, on macOS. */
export const bootByPs = (): string => lines('sysctl', ['-n', 'kern.bootsessionuuid'])[0]?.trim() ?? '';

const ROW = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/;

function lines(program: string, words: readonly string[]): readonly string[] {
  // The start time is written in the language of the surroundings.
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
  const { stdout } = spawnSync(program, words, { encoding: 'utf8', env, maxBuffer: 2 ** 26 });
  return (stdout ?? '').split('\n');
}
