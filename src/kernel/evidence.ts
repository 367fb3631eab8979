import type { Independence } from './actor.ts';
import type { Json } from './event.ts';

/** A recorded finding about a subject. It is worth something only while that subject stands unchanged. */
export interface Evidence {
  readonly kind: string;
  readonly outcome: string;
  /** Who vouches for it: an actor id, 'engine' for the runner. */
  readonly by: string;
  /** Who asked for it, '' when nobody did. */
  readonly requestedBy: string;
  /** Name of the subject, and which of its values was judged. */
  readonly on: string;
  readonly digest: string;
  readonly generation: number;
  readonly attempt: number;
  readonly independence: Independence;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly facts: { readonly [name: string]: Json };
}
