import { expand, type Protocol, type Row } from '../protocol.ts';

/** A row between two states; '@previous', '@next' and '@earlier' are drawn to every state they may mean. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly row: Row;
  readonly index: number;
}

/** Every row, once for each state that it leads from and to. */
export function arrowsOf(protocol: Protocol): readonly Arrow[] {
  return protocol.rows.flatMap((row, index) =>
    expand(protocol, row.from).flatMap((from) =>
      targets(protocol, row, from).map((to) => ({ from, to, row, index })),
    ),
  );
}

/** Where a relative row may lead: back to whatever leads here, or along the declared order. */
function targets(protocol: Protocol, row: Row, from: string): readonly string[] {
  if (row.to === '@same') return [from];
  if (!row.to.startsWith('@')) return expand(protocol, [row.to]);
  const came = cameFrom(protocol, from);
  const { order } = protocol;
  if (row.to === '@previous') return came;
  const places = came.map((state) => order.indexOf(state)).filter((n) => n >= 0);
  const next = places.flatMap((n) => order.slice(n + 1, n + 2));
  const earlier = order.slice(0, Math.max(0, ...places));
  return [...new Set(row.to === '@next' ? next : earlier)];
}

/** States from which an absolute row leads here. */
function cameFrom(protocol: Protocol, to: string): readonly string[] {
  const rows = protocol.rows.filter((row) => expand(protocol, [row.to]).includes(to));
  const escalated = (state: string) => protocol.states[state]?.category === 'ESCALATED';
  return [...new Set(rows.flatMap((row) => expand(protocol, row.from)))].filter(
    (s) => s !== to && !escalated(s),
  );
}
