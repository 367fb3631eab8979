import { numberOf } from '../../engine/display.ts';
import { verifierAgentIn } from '../../engine/harness/names.ts';
import { type Answer, block, SILENT, tell } from '../answer.ts';
import { type Binding, bindingsIn, countBlock, IN_HANDS, keepLook, lookedAt, unbind } from '../bindings.ts';
import type { Moment } from '../payload.ts';
import type { Lookup, Row, Surroundings, Told } from '../surroundings.ts';

/** How often a turn is kept from ending on the same state of its items; then a person is told. */
const MOST_BLOCKS = 3;

/**
 * A turn ends, or that of a sub-agent: not while an item of this very session is begun and not claimed, or claimed and
 * not proved. Whoever only builds has done its part with the claim; the session that has it built has not.
 */
export async function stop(moment: Moment, around: Surroundings): Promise<Answer> {
  const { event, session, agent, awaited } = moment;
  const whole = event === 'Stop';
  const own = bindingsIn(around.state).filter((b) => b.session === session && (whole || b.agent === agent));
  // An agent that still works behind the turn will come back to it.
  if (own.length === 0 || awaited > 0) return SILENT;
  const open = await openOf(own, whole, around);
  if (open.length === 0) return SILENT;
  const reason = open
    .map(({ binding, row }) => lineFor(binding, row, verifierAgentIn(around.env)))
    .join('\n');
  const standing = open.map(({ row }) => `${row.number}@${row.version}`).join(' ');
  const blocks = countBlock(around.state, session, agent, standing);
  if (blocks <= MOST_BLOCKS) return block(reason);
  return tell(
    `Countersign let this turn end after ${MOST_BLOCKS} reminders, and nothing is done yet:\n${reason}`,
  );
}

interface Open {
  readonly binding: Binding;
  readonly row: Told;
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
    if (row !== undefined && IN_HANDS.has(row.category))
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
  const rows: { [item: string]: Told } = {};
  await around.look(async (store) => {
    for (const item of items) {
      const row = await store.itemByNumber(numberOf(item) ?? 0);
      if (row !== undefined) rows[item] = await toldOf(store, row);
    }
  });
  // What was written meanwhile may not be in the rows.
  if (around.stamp() === stamp) keepLook(around.state, stamp, rows);
  return rows;
}

/** Every item as its protocol tells of it; that of the two phases is told without looking it up. */
async function toldOf(store: Lookup, row: Row): Promise<Told> {
  if (row.protocol !== 'two-phase') return (await import('../calls.ts')).toldOf(store, row);
  const item = `T-${row.number}`;
  const atGate = row.state === 'claimed';
  return { ...row, item, atGate, call: `item_${atGate ? 'verify' : 'claim'} {"item":"${item}"}` };
}

const isUnfinished = ({ part }: Binding, { category, atGate }: Told, whole: boolean): boolean =>
  part === 'verify' ? atGate : category === 'WORKING' || whole;

function lineFor(
  { part }: Binding,
  { item, title, state, category, atGate, call }: Told,
  verifier: string,
): string {
  const head = `${item} (${title}) is ${state.toUpperCase()}`;
  const by = call === '' ? 'next names the call' : call;
  if (category === 'WORKING')
    return `${head}: it is begun and not claimed. Commit the work and claim it: ${by}. If it cannot be finished now, say so to the person.`;
  if (!atGate)
    return `${head}: what was submitted is not done. Somebody else accepts it first, then somebody else has it verified: ${by}.`;
  return part === 'verify'
    ? `${head}: it is not verified yet. Ask again until it is verified or sent back: ${by}.`
    : `${head}: a claim is not done. Have it verified by somebody else, the agent ${verifier}: ${by}.`;
}
