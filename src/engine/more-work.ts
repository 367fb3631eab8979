import type { Actor } from '../kernel/actor.ts';
import type { World } from '../kernel/context.ts';
import { mayTake } from '../kernel/decide.ts';
import type { Option } from '../kernel/guidance.ts';
import type { Handle } from './handle.ts';

/** The step that adds a task to a goal: no row of a table, since the task is opened with it. */
export const ADD_TASK = 'add-task';

/** The way on of a goal that has nothing under way and is not to be verified: no task yet, or it was sent back. */
export function taskWanted({ protocol, item }: Handle, actor: Actor, world: World): readonly Option[] {
  if (protocol.name !== 'goal' || !['open', 'active'].includes(item.state)) return [];
  const tasks = Object.values(item.members.tasks ?? {});
  if (!tasks.every(({ state }) => ENDED.has(state))) return [];
  const roles = protocol.openers;
  const may = (who: Actor) => mayTake(protocol, roles, item.state, { actor: who, proof: undefined });
  const who = world.roster.filter(may).map(({ id }) => id);
  return [{ command: ADD_TASK, to: item.state, roles, takes: ['title'], mine: may(actor), who, missing: [] }];
}

const ENDED: ReadonlySet<string> = new Set(['verified', 'abandoned']);

/** Why a goal that is under way again was sent back, with by whom; undefined where it was not. */
export function sentBack({ protocol, item }: Pick<Handle, 'protocol' | 'item'>) {
  if (protocol.name !== 'goal' || item.state !== 'active') return undefined;
  const back = item.steps.findLast(({ from, to }) => from !== to && from !== 'open');
  return back?.command === 'reject-goal' ? { by: back.by, at: back.at, reason: back.reason } : undefined;
}
