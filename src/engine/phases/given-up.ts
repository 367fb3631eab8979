import type { Refused } from '../../kernel/decide.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { phaseOf } from './task-phases.ts';

/** The task of a phase that a person gave up, '' where nobody did. */
export function givenUp({ protocol, item }: Pick<Handle, 'protocol' | 'item'>): string {
  if (protocol.name !== 'phase') return '';
  const found = Object.entries(item.members.task ?? {}).find(([, { state }]) => state === 'cancelled');
  return found?.[0] ?? '';
}

/** Why nobody takes a step of a phase any more; undefined where they may. */
export function afterGivingUp(handle: Handle): Refused | undefined {
  const task = givenUp(handle);
  if (task === '') return undefined;
  const because = `${task} was given up: nothing of ${handle.display} goes on`;
  return { kind: 'refused', code: 'no-transition', because, verdicts: [] };
}

/** The same of the phase that a run or a reviewer belongs to. */
export const taskGivenUp = async (ports: Pick<Ports, 'store'>, handle: Handle): Promise<string> =>
  givenUp(await phaseOf(ports, handle));
