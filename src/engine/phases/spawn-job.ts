import type { NewJob } from '../../store/store.ts';
import type { Handle } from '../handle.ts';

/** Topic under which processes wait to be started. */
export const SPAWN = 'spawn';

/** States in which an item waits for a process of its own, by protocol. */
export const WAITS: ReadonlyMap<string, string> = new Map([
  ['agent-run', 'starting'],
  ['reviewer', 'spawning'],
]);

/** Whether the item waits for a process. */
export const isWaiting = ({ protocol, item }: Pick<Handle, 'protocol' | 'item'>): boolean =>
  WAITS.get(protocol.name) === item.state;

/** States of runs and reviewers that have a process, or wait for one. */
export const LIVE: readonly string[] = [...WAITS.values(), 'running', 'stalled'];

/** How often the item has waited for a process: 1 for the first, 2 for the replacement. */
export const turnOf = ({ protocol, item }: Pick<Handle, 'protocol' | 'item'>): number =>
  item.steps.filter(({ to }) => to === WAITS.get(protocol.name)).length;

export const spawnKey = (handle: Pick<Handle, 'id' | 'protocol' | 'item'>): string =>
  `${handle.id}/${turnOf(handle)}`;

/** The process that an item waits for: one job for each turn, so that it is started once (PHASE-93). */
export function spawnJob(handle: Handle): readonly NewJob[] {
  if (!isWaiting(handle)) return [];
  return [{ topic: SPAWN, key: spawnKey(handle), payload: '{}', availableAt: handle.item.updatedAt }];
}
