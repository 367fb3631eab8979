import type { Noted } from '../kernel/event.ts';
import type { Policy } from '../kernel/protocol.ts';
import type { Handle } from './handle.ts';

/** What others learn of an item. An item whose place another has taken is no longer waited for. */
export function noteOf(
  { display, protocol, item }: Handle,
  policy: Pick<Policy, 'note' | 'carry' | 'moves' | 'asks'>,
  at: string,
): Noted {
  const marks = Object.fromEntries(policy.carry.map((mark) => [mark, item.marks[mark] ?? []]));
  const replaced = item.links.some((link) => link.kind === 'superseded-by');
  return {
    type: 'noted',
    at,
    by: 'engine',
    group: policy.note,
    member: display,
    state: replaced ? '' : item.state,
    category: replaced ? '' : (protocol.states[item.state]?.category ?? ''),
    asked: policy.asks === '' ? '' : (item.subjects[policy.asks]?.digest ?? ''),
    marks,
    moves: policy.moves,
  };
}
