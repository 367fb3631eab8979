import type { Actor } from '../../kernel/actor.ts';
import type { World } from '../../kernel/context.ts';
import type { Option } from '../../kernel/guidance.ts';
import type { Handle } from '../handle.ts';

const BY = ['orchestrator', 'human'] as const;

/** The review of an escalated phase that came to nothing and nobody has given up yet, '' for none. */
export function crashedReview({ protocol, item }: Pick<Handle, 'protocol' | 'item'>): string {
  if (protocol.name !== 'phase' || item.state !== 'ESCALATED') return '';
  const found = Object.entries(item.members.review ?? {}).find(([, { state }]) => state === 'crashed');
  return found?.[0] ?? '';
}

/** To give that review up is what leads on from the phase, although its row stands on the review (PHASE-81, PHASE-87). */
export function abortFirst(handle: Handle, actor: Actor, world: World): readonly Option[] {
  if (crashedReview(handle) === '') return [];
  const may = ({ kind, roles }: Pick<Actor, 'kind' | 'roles'>) =>
    kind === 'human' || roles.includes('orchestrator');
  const who = world.roster.filter(may).map(({ id }) => id);
  const { state } = handle.item;
  return [
    { command: 'abort', to: state, roles: [...BY], takes: ['reason'], mine: may(actor), who, missing: [] },
  ];
}

/** Whether a way on from a phase is taken on its review. */
export const isOnReview = ({ protocol }: Pick<Handle, 'protocol'>, command: string): boolean =>
  protocol.name === 'phase' && command === 'abort';
