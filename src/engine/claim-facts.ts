import type { Facts } from '../kernel/event.ts';
import { claimStep } from './gates.ts';
import type { Handle } from './handle.ts';

/** What the engine found out at the present claim. */
export function claimFacts({ item }: Pick<Handle, 'item'>): Facts {
  return claimStep(item)?.facts ?? {};
}
