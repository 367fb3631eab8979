import type { Refused } from '../kernel/decide.ts';
import type { Caller } from './caller.ts';
import type { Handle } from './handle.ts';

/** The refusal that a token restricted to other items meets here, whatever its holder's roles; undefined when it reaches the item. */
export function beyondToken(
  { actor, token }: Caller,
  { id, display }: Pick<Handle, 'id' | 'display'>,
): Refused | undefined {
  const items = token?.items ?? [];
  if (items.length === 0 || items.includes(id) || items.includes(display)) return undefined;
  const because = `the token of ${actor.id} is good for other items only, not for ${display}`;
  return { kind: 'refused', code: 'wrong-role', because, verdicts: [] };
}
