import { taskNameOf } from '../../../src/engine/staged/task-name.ts';
import { wayOn } from '../../../src/engine/staged/way-on.ts';
import { waysOn } from '../../../src/engine/ways.ts';
import { PERSON } from '../cast.ts';
import { type Chronicle, handleOf, type Told } from '../chronicle.ts';
import type { Invariant } from './invariant.ts';

/** What brings these on is the engine, another item, or a process that it has. */
const BY_ITSELF: { readonly [protocol: string]: readonly string[] } = {
  phase: ['PENDING', 'AWAITING_REVIEW', 'UNDER_REVIEW'],
  review: ['idle', 'spawning', 'open', 'approved', 'rejected', 'changes', 'aborted'],
  reviewer: ['idle', 'spawning', 'running', 'stalled', 'approve', 'changes', 'reject', 'dead'],
  'agent-run': ['idle', 'starting', 'completed', 'failed', 'killed'],
  // One of its tasks is reopened, or there is another goal.
  goal: ['verified'],
  'phased-task': ['pending', 'planned', 'active'],
};

/** Every item that is not at its end has a next step, and somebody who may take it. */
export const alwaysAWayOn: Invariant = async (chronicle) => {
  const found: string[] = [];
  for (const told of chronicle.touched) {
    const { protocol, item } = told;
    if (protocol.states[item.state]?.final === true || (BY_ITSELF[protocol.name] ?? []).includes(item.state))
      continue;
    if (item.links.some(({ kind }) => kind === 'superseded-by')) continue;
    if (!(await hasWay(chronicle, told)))
      found.push(`nothing leads on from ${protocol.name} ${item.number}, which is ${item.state}`);
  }
  return found;
};

async function hasWay(chronicle: Chronicle, told: Told): Promise<boolean> {
  const handle = handleOf(told);
  const world = await chronicle.worldOf(told);
  const person = world.roster.find(({ id }) => id === PERSON);
  if (person === undefined) return false;
  if (told.protocol.name === 'staged') {
    const { calls } = await wayOn(
      chronicle.town.ports,
      { actor: person, proof: undefined, token: undefined },
      taskNameOf(handle),
    );
    if (calls.length === 0) return false;
  }
  return waysOn(handle, person, world).some(({ mine, who }) => mine || who.length > 0);
}
