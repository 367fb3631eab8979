import type { Command } from '../kernel/command.ts';
import { mayTake, type Refused, rowsFor } from '../kernel/decide.ts';
import { unsatisfied } from '../kernel/verdict.ts';
import type { Handle } from './handle.ts';

/**
 * Refuses to close an item because another takes its place, where none does: it would stand as closed with nothing to go
 * on with. `follow-up` writes both at once. Whoever may not do it anyway hears that from the table.
 */
export function leftAlone({ protocol, item, display }: Handle, command: Command): Refused | undefined {
  const rows = rowsFor(protocol, item, command.name).filter(
    ({ row }) =>
      mayTake(protocol, row.by, item.state, command) &&
      row.records.some((one) => one.startsWith('superseded:')),
  );
  if (rows.length === 0) return undefined;
  const because = `nothing takes the place of ${display}: a new item is opened in the same step`;
  const fix = `countersign follow-up ${display} "TITLE"`;
  return {
    kind: 'refused',
    code: 'gate-closed',
    because,
    verdicts: [unsatisfied('successor', because, fix)],
  };
}
