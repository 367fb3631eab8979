import { judgeStanding } from '../kernel/standing.ts';
import { opens } from '../kernel/verdict.ts';
import type { Handle } from './handle.ts';

const NOBODY_ELSE = { roster: [], groups: {} };

/** Closed although its state is not final, as the protocol defines it: a function of the fold alone, so that rows can be computed again. */
export function countsAsClosed({ protocol, item }: Pick<Handle, 'protocol' | 'item'>): boolean {
  // Another item has taken its place, whatever its own table says.
  if (item.links.some(({ kind }) => kind === 'superseded-by')) return true;
  const { closed } = protocol;
  return closed.length > 0 && judgeStanding(protocol, closed, item, NOBODY_ELSE).every(opens);
}
