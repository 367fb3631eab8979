import { type Answer, deny, SILENT } from './answer.ts';
import { isAtWork } from './bindings.ts';
import { type Guarded, REASONS } from './guarded.ts';
import type { Surroundings } from './surroundings.ts';

/** The store and the credentials always; rules and hooks only for a session that works on an item. */
export function guardedAnswer(
  kind: Guarded,
  session: string,
  { state }: Pick<Surroundings, 'state'>,
): Answer {
  if (kind === 'store' || kind === 'credentials') return deny(REASONS[kind]);
  return isAtWork(state, session) ? deny(REASONS[kind]) : SILENT;
}
