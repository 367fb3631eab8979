import type { Handle } from '../handle.ts';
import { turnOf } from './spawn-job.ts';

/** Name of the process that an item waits for, and of its actor: the second one of reviewer-5 is reviewer-5.2. */
export function runName(handle: Handle): string {
  const turn = turnOf(handle);
  return turn > 1 ? `${handle.display}.${turn}` : handle.display;
}

/** The process that an item has, '' where it has none. */
export const runOf = ({ item }: Pick<Handle, 'item'>): string => item.marks.agent?.at(-1) ?? '';

/** The item behind the name of a process: reviewer-5 for reviewer-5.2. */
export const placeOf = (run: string): string => run.replace(/\.\d+$/, '');

/** Whether a process of the engine has, had or will have this name. */
export const isRunName = (name: string): boolean => /^(agent|reviewer)-\d+(\.\d+)?$/i.test(name);
