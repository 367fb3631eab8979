import type { Actor } from '../kernel/actor.ts';
import type { World } from '../kernel/context.ts';
import { mayTake } from '../kernel/decide.ts';
import type { Option } from '../kernel/guidance.ts';
import { accountability } from './accountability.ts';
import type { Handle } from './handle.ts';

/** What is verified or completed cannot be undone: only new work follows it. */
export const isEnded = ({ state }: Handle['item']): boolean => ['verified', 'completed'].includes(state);

/** It has ended and came to nothing: whoever waits for it waits for ever, unless other work takes its place. */
export const isGivenUp = ({ protocol, item }: Pick<Handle, 'protocol' | 'item'>): boolean => {
  const state = protocol.states[item.state];
  const isTold = protocol.policies.some(({ tell }) => tell === 'dependants');
  return isTold && state?.final === true && state.success !== true;
};

/** The new work that takes up what has ended, for whoever may add items; none where it was taken up for good. */
export function followUpWay(handle: Handle, actor: Actor, world: World): readonly Option[] {
  const { protocol, item } = handle;
  // A goal has tasks that are reopened, and there are always further goals.
  if (protocol.name === 'goal') return [];
  if (!(isEnded(item) || isGivenUp(handle)) || accountability(handle).superseded_by !== '') return [];
  const may = (who: Actor) =>
    who.kind === 'human' || mayTake(protocol, protocol.openers, item.state, { actor: who, proof: undefined });
  const roles = [...protocol.openers, 'human'];
  const who = world.roster.filter(may).map((a) => a.id);
  return [
    { command: 'follow-up', to: item.state, roles, takes: ['title'], mine: may(actor), who, missing: [] },
  ];
}
