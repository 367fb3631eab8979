import type { Command } from '../kernel/command.ts';
import type { Verdict } from '../kernel/verdict.ts';
import { appending } from './appending.ts';
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

/** Stands for the item where something was to be opened, and never was: no item has such an id. */
export const UNOPENED_ID = 'new';

interface Tried {
  readonly code: string;
  readonly because: string;
  readonly verdicts: readonly Verdict[];
}

/** Writes down who tried what and why it was refused. */
export async function recordRefusal(
  ports: Ports,
  handle: Handle,
  { name: attempted, actor, at: asked }: Pick<Command, 'name' | 'actor' | 'at'>,
  refused: Tried,
): Promise<void> {
  const at = later(asked, handle.item.updatedAt);
  const who = { at, by: actor.id, item: handle.display, state: handle.item.state, attempted };
  await write(ports, handle.id, { type: 'refused', ...who, ...only(refused) });
}

/** The same where nothing was opened yet. */
export async function recordUnopened(
  ports: Ports,
  { name: attempted, actor, at }: Pick<Command, 'name' | 'actor' | 'at'>,
  refused: Tried,
): Promise<void> {
  const who = { at, by: actor.id, item: '', state: '', attempted };
  await write(ports, UNOPENED_ID, { type: 'refused', ...who, ...only(refused) });
}

const only = ({ code, because, verdicts }: Tried): Tried => ({ code, because, verdicts });

async function write(ports: Ports, id: string, event: RefusalEvent): Promise<void> {
  const commandId = ports.newId();
  const append = {
    stream: refusalStream(id),
    expected: 'any' as const,
    bodies: [bodyOf(event, commandId)],
  };
  await ports.store.commit(appending(commandId, append));
}
