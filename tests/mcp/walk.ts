import type { Answered } from './in-memory.ts';

/** Whoever can be asked and told to do something: a client of the server, in this process or another. */
export interface Hand {
  call(tool: string, input?: Record<string, unknown>): Promise<Answered>;
}

interface Call {
  readonly by: string;
  readonly tool?: string;
  readonly arguments?: Record<string, unknown>;
}

/** What stands in an exact call for what only the caller can know. */
export type Filled = Readonly<Record<string, unknown>>;

/**
 * Asks `next`, as an agent does that knows nothing else, and makes the exact call for the item; what stands in capitals
 * is filled in by the name of its field. Answers what it came to.
 */
export async function follow(hand: Hand, item: string, list: string, filled: Filled): Promise<Answered> {
  const { data } = await hand.call('next', { list });
  const entry = (data.next as readonly { id: string; call: Call }[]).find(({ id }) => id === item);
  const { call } = entry ?? {};
  if (call?.tool === undefined) throw new Error(`next names no call for ${item}: ${JSON.stringify(data)}`);
  return hand.call(call.tool, put(call.arguments ?? {}, filled));
}

function put(given: Record<string, unknown>, filled: Filled): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        return [name, put(value as Record<string, unknown>, filled)];
      if (name in filled && isBlank(value)) return [name, filled[name]];
      if (isBlank(value)) throw new Error(`nothing is known for ${name}`);
      return [name, value];
    }),
  );
}

/** Capitals alone stand for something; ids are no words. */
const isBlank = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isBlank) : typeof value === 'string' && /^[A-Z][A-Z ]+$/.test(value);
