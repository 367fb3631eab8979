import { loadById } from '../../../src/engine/handle.ts';
import { rowOf } from '../../../src/engine/transaction.ts';
import type { Told } from '../chronicle.ts';
import type { Invariant } from './invariant.ts';

/** The state of every item is what its log leads to, move by move, and the engine reads it so. */
export const everyStateIsTheFold: Invariant = async ({ touched, town }) => {
  const found: string[] = [];
  for (const told of touched) {
    found.push(...jumps(told));
    try {
      const { item } = await loadById(town.ports, told.id);
      const [last] = told.events
        .flatMap((event) => (event.type === 'moved' || event.type === 'opened' ? event : []))
        .slice(-1);
      const state = last?.type === 'moved' ? last.to : last?.state;
      if (item.state !== state || item.version !== told.events.length)
        found.push(
          `item ${told.item.number} is read as ${item.state} at ${item.version}, its log says ${state} at ${told.events.length}`,
        );
    } catch (error) {
      found.push(`item ${told.item.number} cannot be read: ${String(error)}`);
    }
  }
  return found;
};

/** Moves that do not begin where the one before ended. */
function jumps({ events, item }: Told): readonly string[] {
  let state = '';
  const found: string[] = [];
  for (const event of events) {
    if (event.type === 'opened') state = event.state;
    if (event.type !== 'moved') continue;
    if (event.from !== state) found.push(`item ${item.number} moves from ${event.from} while it is ${state}`);
    state = event.to;
  }
  return found;
}

/** Every row of the boards, and the counts over them, are the fold of the log. */
export const viewsAreTheFold: Invariant = async ({ touched, items, town }) => {
  const { store } = town.ports;
  const found: string[] = [];
  for (const { id, protocol, item } of touched) {
    const expected = rowOf({ id, protocol, item });
    const row = await store.itemById(id);
    for (const name of Object.keys(expected) as (keyof typeof expected)[])
      if (row?.[name] !== expected[name])
        found.push(`the row of item ${item.number} says ${name} ${row?.[name]}, its log ${expected[name]}`);
  }
  if (touched.length === 0) return found;
  const counted = (await store.tally(undefined)).reduce((sum, { count }) => sum + count, 0);
  return counted === items.size
    ? found
    : [...found, `the boards count ${counted} items, the log has ${items.size}`];
};
