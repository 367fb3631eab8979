import type { WorkItem } from '../kernel/work-item.ts';

/** Those an item waits for that were given up: other work has to take their place. */
export const givenUpFor = ({ item }: { readonly item: Pick<WorkItem, 'members'> }): readonly string[] =>
  Object.entries(item.members.dependencies ?? {})
    .filter(([, { category }]) => category === 'FAILED')
    .map(([name]) => name);
