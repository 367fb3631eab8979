import type { Context } from '../context.ts';
import { judged, type Verdict } from '../verdict.ts';

/** The state that '@previous' would return to is one of these. */
export interface Previous {
  readonly guard: 'previous';
  readonly in: readonly string[];
}

export const previous = (states: readonly string[]): Previous => ({ guard: 'previous', in: states });

export function checkPrevious({ guard, in: states }: Previous, { item }: Context): Verdict {
  const because = `the item came from ${item.previous}`;
  return judged(
    guard,
    states.includes(item.previous),
    because,
    `allowed only when it came from ${states.join(' or ')}`,
  );
}
