import { canonicalize } from '../attestation/canonical.ts';
import type { Json } from '../kernel/event.ts';
import type { StoredEvent } from '../store/store.ts';
import { EngineError } from './engine-error.ts';

/** The exact text of an event: what is written is what is hashed, and it is never written again. */
export function bodyOf(
  event: { readonly type: string; readonly at: string; readonly by: string },
  command: string,
): string {
  const { type, at, by, ...data } = event;
  return canonicalize({ type, at, by, command, data } as unknown as Json);
}

/** The event behind a stored text. A text that cannot be read is damage, and is named. */
export function eventOf<E>(stored: StoredEvent): E {
  try {
    const { type, at, by, data } = JSON.parse(stored.body) as {
      type: string;
      at: string;
      by: string;
      data: object;
    };
    return { type, at, by, ...data } as E;
  } catch (cause) {
    const at = `event ${stored.version} of ${stored.stream}`;
    throw new EngineError('DAMAGED', `${at} cannot be read`, 'run: countersign audit verify', { cause });
  }
}
