/** A count with a scope and a limit. It never passes its limit: counting comes first, then the comparison. */
export interface CounterDefinition {
  readonly per: 'item' | 'state';
  readonly limit: number;
}

export type CounterTable = { readonly [name: string]: CounterDefinition };
export type Counts = { readonly [key: string]: number };

/** Where a counter of this name is kept while the item is in `state`. */
export function counterKey(table: CounterTable, name: string, state: string): string {
  return table[name]?.per === 'state' ? `${name}@${state}` : name;
}

export function countOf(table: CounterTable, counts: Counts, name: string, state: string): number {
  return counts[counterKey(table, name, state)] ?? 0;
}

/** The greatest count that stands in any one state: how often an item has failed somewhere and not yet succeeded there. */
export function worstCount(counts: Counts): number {
  return Math.max(0, ...Object.entries(counts).map(([key, n]) => (key.includes('@') ? n : 0)));
}

/**
 * Applies a row's counting rules: `+c` adds one (here), `0c` resets (here), `0^c` resets at the state that the
 * item came from, `0*c` resets everywhere.
 */
export function applyCounts(
  table: CounterTable,
  counts: Counts,
  rules: readonly string[],
  here: string,
  previous: string,
): Counts {
  const next: Record<string, number> = { ...counts };
  for (const rule of rules) applyRule(table, next, rule, here, previous);
  return next;
}

function applyRule(
  table: CounterTable,
  next: Record<string, number>,
  rule: string,
  here: string,
  previous: string,
) {
  if (rule.startsWith('0*')) {
    const name = rule.slice(2);
    for (const key of Object.keys(next)) if (key === name || key.startsWith(`${name}@`)) delete next[key];
    return;
  }
  if (rule.startsWith('0^')) delete next[counterKey(table, rule.slice(2), previous)];
  else if (rule.startsWith('0')) delete next[counterKey(table, rule.slice(1), here)];
  else {
    const name = rule.slice(1);
    const key = counterKey(table, name, here);
    next[key] = Math.min((next[key] ?? 0) + 1, table[name]?.limit ?? Number.MAX_SAFE_INTEGER);
  }
}
