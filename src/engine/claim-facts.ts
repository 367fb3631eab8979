import type { Facts } from '../kernel/event.ts';
import type { Handle } from './handle.ts';

/** What the engine found out at the present claim. */
export function claimFacts({ item }: Pick<Handle, 'item'>): Facts {
  return item.steps.filter((s) => s.command === 'claim').at(-1)?.facts ?? {};
}
