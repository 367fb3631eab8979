import { POLICY } from '../kernel/actor.ts';
import type { Moved } from '../kernel/event.ts';
import type { Draft } from './draft.ts';

/** The step that set off a write, as `reviewer-8 reject`; '' before there is one. Whatever follows from it names it (PHASE-115). */
export function causeOf(write: Pick<Draft, 'touched'>): string {
  for (const { handle, events } of write.touched.values()) {
    const step = events.find(
      (event): event is Moved => event.type === 'moved' && event.command !== '' && event.by !== POLICY.id,
    );
    if (step !== undefined) return `${handle.display} ${step.command}`;
  }
  return '';
}
