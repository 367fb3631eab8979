import type { Handle } from '../handle.ts';

/** The name of the task behind an item, '' for items of other protocols. */
export const taskNameOf = ({ item }: Pick<Handle, 'item'>): string => String(item.facts.task ?? '');
