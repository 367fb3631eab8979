import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Isolation } from './isolate.ts';

/** Where the kernel gives programs processes of their own, it has ended them all with the first one. */
export const endStrays = ({ processes }: Pick<Isolation, 'processes'>, folder: string): number =>
  processes === 'shared' ? killStrays(folder) : 0;

/**
 * Ends processes that a check left behind outside its process group: those that work in the run's folder, or carry it
 * in their environment or their words. Answers how many were found. Does nothing where /proc does not tell. One that
 * takes care to carry nothing is not found: where the kernel gives programs processes of their own there is none.
 */
export function killStrays(folder: string): number {
  const found = new Set<number>();
  // A stray may start another one meanwhile; the bound keeps a fork bomb from holding us for ever.
  for (let round = 0; round < 20; round += 1) {
    const strays = processIds().filter((id) => id !== process.pid && !found.has(id) && belongs(id, folder));
    if (strays.length === 0) break;
    for (const id of strays) {
      found.add(id);
      kill(id);
    }
  }
  return found.size;
}

function processIds(): readonly number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function belongs(id: number, folder: string): boolean {
  try {
    // The state letter follows the name in parentheses; a zombie has ended already.
    if (/\) [ZX] /.test(readFileSync(`/proc/${id}/stat`, 'utf8'))) return false;
    return (
      `${readlinkSync(`/proc/${id}/cwd`)}/`.startsWith(`${folder}/`) ||
      readFileSync(`/proc/${id}/environ`, 'utf8').includes(`=${folder}/`) ||
      readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(`${folder}/`)
    );
  } catch {
    return false;
  }
}

function kill(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // It ended between the two looks.
  }
}
