import { type Option, probesOf } from '../kernel/guidance.ts';
import { expand, type Row } from '../kernel/protocol.ts';
import { unsatisfied, type Verdict } from '../kernel/verdict.ts';
import { claimStep } from './gates.ts';
import type { Handle } from './handle.ts';

/** What the rows that claim something look for. */
const CLAIMS: ReadonlySet<string> = new Set(['claimed-work', 'integrated']);

const claims = ({ requires }: Row): boolean => requires.flatMap(probesOf).some((probe) => CLAIMS.has(probe));

/**
 * Whether an item was sent past the step that claims work: it stands at its gate, or before it, and there is no commit to
 * look at. Only the way back leads on from there.
 */
export function isStranded({ protocol, item }: Pick<Handle, 'protocol' | 'item'>): boolean {
  if (claimStep(item) !== undefined) return false;
  const rows = protocol.rows.filter(
    (row) => row.command !== '' && expand(protocol, row.from).includes(item.state),
  );
  if (rows.some(claims)) return false;
  const gates = protocol.gates.map((gate) => gate.in);
  return gates.includes(item.state) || rows.some(({ to }) => gates.includes(to));
}

/** What a stranded item lacks. */
export const NOTHING_FINISHED: Verdict = unsatisfied(
  'claim',
  'nothing of it was finished: there is no commit to look at',
  'record that it failed; then it is built and finished',
);

/** The same option; what only a finished item may pass lacks that where nothing is. */
export function withoutWork(handle: Handle, option: Option): Option {
  if (!isStranded(handle)) return option;
  const { gates } = handle.protocol;
  const on = gates.some(({ in: at, pass }) =>
    at === handle.item.state ? pass === option.command : at === option.to,
  );
  return on ? { ...option, missing: [NOTHING_FINISHED] } : option;
}
