import type { WorkItem } from '../kernel/work-item.ts';

/** Id of the goal that an item belongs to, '' for none. */
export function goalOf({ item }: { readonly item: Pick<WorkItem, 'links'> }): string {
  const last = item.links.findLast(({ kind }) => kind === 'goal' || kind === 'not-goal');
  return last?.kind === 'goal' ? last.to : '';
}
