import type { Handle } from '../handle.ts';
import { turnOf } from './spawn-job.ts';

/** Name of the process that an item waits for, and of its actor: the second one of reviewer-5 is reviewer-5.2. */
export function runName(handle: Handle): string {
  const turn = turnOf(handle);
  return turn > 1 ? `${handle.display}.${turn}` : handle.display;
}
