import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { ProcessPort } from './engine/ports.ts';

/**
 * This process as the holder of leases: host, pid and start time, since a pid alone is used again.
 * Only a process of this host can be known to be dead.
 */
export function thisProcess(): ProcessPort {
  return {
    get owner() {
      return `${hostname()}:${process.pid}:${startOf(process.pid)}`;
    },
    isAlive(other) {
      const [otherHost, pid, start] = other.split(':');
      if (otherHost !== hostname() || pid === undefined || !/^\d+$/.test(pid)) return true;
      if (!runs(Number(pid))) return false;
      return start === '' || start === startOf(Number(pid));
    },
  };
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Start time in clock ticks since boot, '' where the system does not tell. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
