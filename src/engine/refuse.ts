import type { Command } from '../kernel/command.ts';
import type { Verdict } from '../kernel/verdict.ts';
import type { Handle } from './handle.ts';
import { later } from './later.ts';
import type { Ports } from './ports.ts';
import { bodyOf } from './stored.ts';

/** A refused attempt, kept beside the item and not in it: the item stays as it was, byte for byte (2PC-35). */
export interface RefusalEvent {
  readonly type: 'refused';
  readonly at: string;
  readonly by: string;
  readonly item: string;
  readonly state: string;
  readonly attempted: string;
  readonly code: string;
  readonly because: string;
  readonly verdicts: readonly Verdict[];
}

export const refusalStream = (itemId: string) => `refusals/${itemId}`;

/** Writes down who tried what and why it was refused. */
export async function recordRefusal(
  ports: Ports,
  handle: Handle,
  command: Pick<Command, 'name' | 'actor' | 'at'>,
  refused: { readonly code: string; readonly because: string; readonly verdicts: readonly Verdict[] },
): Promise<void> {
  const event: RefusalEvent = {
    type: 'refused',
    at: later(command.at, handle.item.updatedAt),
    by: command.actor.id,
    item: handle.display,
    state: handle.item.state,
    attempted: command.name,
    code: refused.code,
    because: refused.because,
    verdicts: refused.verdicts,
  };
  const commandId = ports.newId();
  const append = {
    stream: refusalStream(handle.id),
    expected: 'any' as const,
    bodies: [bodyOf(event, commandId)],
  };
  await ports.store.commit({
    commandId,
    appends: [append],
    readSet: [],
    items: [],
    links: [],
    jobs: [],
    fences: [],
  });
}
