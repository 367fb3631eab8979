import type { Protocol, Row } from './protocol.ts';
import type { WorkItem } from './work-item.ts';

/** The states that a row can lead to from here; with more than one, the command's argument `to` names it. */
export function targetsOf(protocol: Protocol, row: Row, item: WorkItem): readonly string[] {
  if (row.to.startsWith('*')) return protocol.sets[row.to] ?? [];
  const at = protocol.order.indexOf(item.previous);
  switch (row.to) {
    case '@same':
      return [item.state];
    case '@previous':
      return [item.previous];
    case '@next':
      return at < 0 ? [] : protocol.order.slice(at + 1, at + 2);
    case '@earlier':
      return at < 0 ? [] : protocol.order.slice(0, at);
    default:
      return [row.to];
  }
}
