import type { Append, Commit } from '../store/store.ts';

/** A write that touches no item: events of documents alone. */
export const appending = (commandId: string, ...appends: readonly Append[]): Commit => ({
  ...{ commandId, appends, readSet: [], items: [], links: [], jobs: [], fences: [] },
});
