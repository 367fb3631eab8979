import type { Facts, PhaseLink } from '../../kernel/event.ts';
import { type Draft, touch } from '../draft.ts';
import type { Handle } from '../handle.ts';

/** Ids of the items that an item of a task in phases is linked to, the oldest first. */
export const linkedTo = ({ item }: Pick<Handle, 'item'>, kind: string): readonly string[] =>
  item.links.filter((link) => link.kind === kind).map(({ to }) => to);

/** The item that an item was linked to last, '' for none. */
export const lastLinked = (handle: Pick<Handle, 'item'>, kind: PhaseLink): string =>
  linkedTo(handle, kind).at(-1) ?? '';

/** Writes on an item what it is linked to. Answers it as it is then. */
export function link(
  write: Draft,
  handle: Handle,
  kind: PhaseLink,
  to: string,
  { by = 'engine', facts }: { readonly by?: string; readonly facts?: Facts } = {},
): Handle {
  const now = write.touched.get(handle.id)?.handle ?? handle;
  const more = facts === undefined ? {} : { facts };
  return touch(write, now, [{ type: 'linked', at: write.at, by, kind, to, ...more }]);
}
