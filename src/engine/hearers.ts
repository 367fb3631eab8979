import type { Protocol } from '../kernel/protocol.ts';

/** Who watches over the time of a protocol's items, and who hears of it: agents' roles, never a person (LIFE-116). */
export interface Hearers {
  readonly recipient: string;
  readonly watchedBy: string;
}

/** Whoever hands out the work hears of it; whoever opens items watches (LIFE-79, LIFE-80). */
export function hearersOf({ states, initial, openers }: Protocol): Hearers {
  const first = states[initial]?.owner ?? '';
  const [opener = ''] = openers;
  return { recipient: first === '' || first === 'human' ? opener : first, watchedBy: opener };
}
