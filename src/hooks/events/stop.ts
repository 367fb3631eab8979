import { numberOf } from '../../engine/display.ts';
import { type Answer, block, SILENT, tell } from '../answer.ts';
import { type Binding, bindingsIn, countBlock, keepLook, lookedAt, unbind } from '../bindings.ts';
import type { Moment } from '../payload.ts';
import type { Row, Surroundings } from '../surroundings.ts';

/** How often a turn is kept from ending on the same state of its items; then a person is told. */
const MOST_BLOCKS = 3;

/**
 * A turn ends, or that of a sub-agent: not while an item of this very session is begun and not claimed, or claimed and
 * not proved. Whoever only builds has done its part with the claim; the session that has it built has not.
 */
export async function stop(moment: Moment, around: Surroundings): Promise<Answer> {
  const { event, session, agent, background } = moment;
  const whole = event === 'Stop';
  const own = bindingsIn(around.state).filter((b) => b.session === session && (whole || b.agent === agent));
  // What still runs behind the turn will come back to it.
  if (own.length === 0 || background > 0) return SILENT;
  const open = await openOf(own, whole, around);
  if (open.length === 0) return SILENT;
  const reason = open.map(({ binding, row }) => lineFor(binding, row)).join('\n');
  const standing = open.map(({ row }) => `${row.number}@${row.version}`).join(' ');
  const blocks = countBlock(around.state, session, agent, standing);
  if (blocks <= MOST_BLOCKS) return block(reason);
  return tell(
    `Countersign let this turn end after ${MOST_BLOCKS} reminders, and nothing is done yet:\n${reason}`,
  );
}

interface Open {
  readonly binding: Binding;
  readonly row: Row;
}

async function openOf(
  own: readonly Binding[],
  whole: boolean,
  around: Surroundings,
): Promise<readonly Open[]> {
  const rows = await rowsOf(
    own.map(({ item }) => item),
    around,
  );
  return own.flatMap((binding) => {
    const row = rows[binding.item];
    if (row !== undefined && ALIVE.has(row.category))
      return isUnfinished(binding, row, whole) ? [{ binding, row }] : [];
    unbind(around.state, binding);
    return [];
  });
}

/** The items as they are. The store is opened only where something was written to it since the last turn ended. */
async function rowsOf(items: readonly string[], around: Surroundings) {
  const stamp = around.stamp();
  const known = lookedAt(around.state, stamp);
  if (known !== undefined && items.every((item) => item in known)) return known;
  const rows: { [item: string]: Row } = {};
  await around.look(async (store) => {
    for (const item of items) {
      const row = await store.itemByNumber(numberOf(item) ?? 0);
      if (row !== undefined) rows[item] = row;
    }
  });
  // What was written meanwhile may not be in the rows.
  if (around.stamp() === stamp) keepLook(around.state, stamp, rows);
  return rows;
}

/** States in which an item is in somebody's hands. */
const ALIVE = new Set(['WORKING', 'SUBMITTED']);

const isUnfinished = ({ part }: Binding, { category }: Row, whole: boolean): boolean =>
  part === 'verify' ? category === 'SUBMITTED' : category === 'WORKING' || whole;

function lineFor({ part }: Binding, { number, title, state, category }: Row): string {
  const item = `T-${number}`;
  const head = `${item} (${title}) is ${state.toUpperCase()}`;
  const call = `item_verify {"item":"${item}"}`;
  if (category === 'WORKING')
    return `${head}: it is begun and not claimed. Commit the work and claim it: item_claim {"item":"${item}"}. If it cannot be finished now, say so to the person.`;
  return part === 'verify'
    ? `${head}: it is not verified yet. Ask again until it reads verified or blocked: ${call}.`
    : `${head}: a claim is not done. Have it verified by somebody else, the agent countersign-verifier: ${call}.`;
}
