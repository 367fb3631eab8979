import type { EvidenceSpec } from '../kernel/define-protocol.ts';
import { apart } from '../kernel/guards/apart.ts';

const VOICE = ['approve', 'reject'] as const;

/** Where a claim is judged, and who may speak of it there. */
export interface Judged<S extends string, R extends string> {
  readonly in: S;
  readonly on: string;
  readonly reviewers: readonly R[];
  readonly signers: readonly R[];
}

/**
 * The evidence of a gate, the same in every protocol: what the engine records of a run, and what others may say of the
 * claim. Whoever speaks stands outside the work; a person shows it by a proof.
 */
export function gateEvidence<const S extends string, const R extends string>({
  in: state,
  on,
  reviewers,
  signers,
}: Judged<S, R>): readonly EvidenceSpec<S, R>[] {
  const outside = { in: state, on, requires: [apart('builder')], each: true } as const;
  const person = { by: 'human', in: state, on, each: true } as const;
  // biome-ignore format: a table reads as a table
  const rows: readonly EvidenceSpec<S, R>[] = [
    { kind: 'proof-pack',   outcomes: ['PASSED', 'BLOCKED'], by: 'engine', in: state, on, once: true },
    { kind: 'inconclusive', outcomes: ['INDETERMINATE'],     by: 'engine', in: state, on },
    { kind: 'sign-off',     outcomes: VOICE,      by: signers,   ...outside },
    { kind: 'sign-off',     outcomes: VOICE,      ...person },
    { kind: 'review',       outcomes: VOICE,      by: reviewers, ...outside },
    { kind: 'review',       outcomes: VOICE,      ...person },
    { kind: 'approval',     outcomes: VOICE,      ...person },
    { kind: 'waiver',       outcomes: ['waived'], by: signers,   ...outside },
    { kind: 'waiver',       outcomes: ['waived'], ...person },
  ];
  return rows;
}
