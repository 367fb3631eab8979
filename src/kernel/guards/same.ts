import type { Context } from '../context.ts';
import { judged, type Verdict } from '../verdict.ts';

/** The actor is one of those marked. */
export interface Same {
  readonly guard: 'same';
  readonly as: string;
}

export const same = (as: string): Same => ({ guard: 'same', as });

export function checkSame({ guard, as }: Same, { item, command }: Context): Verdict {
  const holders = item.marks[as] ?? [];
  const who = holders.length === 0 ? `nobody is ${as}` : `${as} is ${holders.join(', ')}`;
  return judged(guard, holders.includes(command.actor.id), who, `only the ${as} may do this`);
}
