import type { Protocol } from '../kernel/protocol.ts';

/** Evidence that has a command of its own in every face, or that a row or the engine records. */
const SPOKEN: ReadonlySet<string> = new Set([
  ...['review', 'sign-off', 'approval', 'waiver', 'quality', 'failure-review', 'proof-pack', 'inconclusive'],
]);

/**
 * Whether a name is a word that a protocol lets some role give, beside its steps: such as the review of the code base
 * before an item that has a plan is assigned (LIFE-03).
 */
export const isGiven = (
  { protocol }: { readonly protocol: Pick<Protocol, 'rows' | 'evidence'> },
  name: string,
): boolean =>
  !SPOKEN.has(name) &&
  !protocol.rows.some((row) => row.command === name) &&
  protocol.evidence.some((row) => row.kind === name && !row.by.includes('engine'));
