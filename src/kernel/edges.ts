import { expand, type Protocol, type Row } from './protocol.ts';

/**
 * Whether some row leads from one state to another, for whatever item and actor: a pure answer from the table alone
 * (LIFE-94). An unknown state answers false. A row that an earlier one always goes before does not count.
 */
export function mayLead(protocol: Protocol, from: string, to: string): boolean {
  if (![from, to].every((state) => Object.hasOwn(protocol.states, state))) return false;
  const straight = rowsOut(protocol, from).some((row) =>
    row.via === '' ? goals(protocol, row, from).has(to) : row.via === to,
  );
  // The second hop of a row that writes two.
  return straight || protocol.rows.some((row) => row.via === from && goals(protocol, row, from).has(to));
}

/** The rows that can be taken in a state: those behind a row that is open to the same actors whatever happens cannot. */
function rowsOut(protocol: Protocol, state: string): readonly Row[] {
  const named = protocol.rows.filter((row) => expand(protocol, row.from).includes(state));
  return named.filter((row, n) => !named.slice(0, n).some((earlier) => hides(earlier, row)));
}

const hides = (earlier: Row, row: Row): boolean =>
  earlier.command === row.command &&
  earlier.requires.length === 0 &&
  row.by.every((role) => earlier.by.includes(role)) &&
  earlier.takes.every((name) => row.takes.includes(name));

/** The states that a row can lead to from a state, over all ways into that state. */
function goals(protocol: Protocol, row: Row, from: string): ReadonlySet<string> {
  if (row.to.startsWith('*')) return new Set(protocol.sets[row.to] ?? []);
  if (row.to === '@same') return new Set([from]);
  if (!row.to.startsWith('@')) return new Set([row.to]);
  const found = [...previousOf(protocol, row, from)].flatMap((previous) => {
    const at = protocol.order.indexOf(previous);
    if (row.to === '@previous') return [previous];
    if (at < 0) return [];
    return row.to === '@next' ? protocol.order.slice(at + 1, at + 2) : protocol.order.slice(0, at);
  });
  return new Set(found);
}

/** What may be the state before, as far as the table shows and the row's own guard lets through. */
function previousOf(protocol: Protocol, row: Row, state: string): ReadonlySet<string> {
  const asked = row.requires.flatMap((guard) => (guard.guard === 'previous' ? [guard.in] : []));
  const into = protocol.rows
    .filter((entering) => entering.to === state || entering.via === state)
    .flatMap((entering) => expand(protocol, entering.from));
  const working = into.filter((name) => protocol.states[name]?.category !== 'ESCALATED');
  return new Set(working.filter((name) => asked.every((states) => states.includes(name))));
}
