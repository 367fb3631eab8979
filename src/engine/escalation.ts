import type { Protocol } from '../kernel/protocol.ts';
import type { WorkItem } from '../kernel/work-item.ts';
import { countsAsClosed } from './closed.ts';

/** Whether an item waits for somebody's triage: it was rejected so often that nobody else may go on with it. */
export const isEscalated = ({ evidence }: Pick<WorkItem, 'evidence'>): boolean =>
  evidence.findLast(({ kind, generation }) => kind === 'escalation' && generation >= 0)?.outcome === 'open';

/** The category that the boards show: of the state, unless another item took the place, or somebody has to step in. */
export function categoryOf(handle: { readonly protocol: Protocol; readonly item: WorkItem }): string {
  const { protocol, item } = handle;
  if (countsAsClosed(handle)) return 'CLOSED';
  const state = protocol.states[item.state];
  return state?.final !== true && isEscalated(item) ? 'ESCALATED' : (state?.category ?? '');
}
