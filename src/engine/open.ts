import type { Caller } from './caller.ts';
import { type Draft, draft } from './draft.ts';
import { EngineError } from './engine-error.ts';
import { pause } from './execute.ts';
import type { Handle } from './handle.ts';
import type { NewItem } from './new-item.ts';
import { openInto, planOf } from './opening.ts';
import { nowOf, type Ports } from './ports.ts';
import { assertStands } from './standing.ts';
import { complete } from './transaction.ts';
import { readWorld } from './world.ts';

const ROUNDS = 60;

/** Opens an item, or several in one commit. Throws BAD_INPUT, NOT_FOUND (a dependency), NO_CREDENTIAL (role). */
export async function openItems(
  ports: Ports,
  caller: Caller,
  items: readonly NewItem[],
  extend: (write: Draft, opened: readonly Handle[]) => Promise<void> | void = () => {},
): Promise<readonly Handle[]> {
  const plan = await planOf(ports, items);
  const commandId = ports.newId();
  for (let round = 0; round < ROUNDS; round++) {
    const write = draft(commandId, nowOf(ports));
    const opened = await openInto(ports, caller, write, plan);
    await extend(write, opened);
    const protocol = opened[0]?.protocol;
    if (protocol === undefined) return [];
    const { world, roster, readSet } = await readWorld(ports, protocol, items[0]?.list ?? 'main');
    assertStands(caller, roster);
    write.readSet.push(...readSet.slice(0, 1));
    const result = await ports.store.commit(await complete(ports, write, world));
    if (result.kind !== 'conflict' && result.kind !== 'fenced') return opened;
    await pause(ports, Math.min(round, 5));
  }
  throw new EngineError(
    'BUSY',
    'other writers kept taking the next number; nothing was written',
    'try again',
  );
}
