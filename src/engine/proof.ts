import type { HumanProof } from '../kernel/command.ts';
import type { Append } from '../store/store.ts';
import type { Draft } from './draft.ts';
import { bodyOf } from './stored.ts';

/** Uses up a human proof: its stream can be begun once, so a second use loses against the first. */
export function useProof(write: Draft, proof: HumanProof | undefined): void {
  if (proof === undefined) return;
  write.documents.push(proofUse(proof, write.commandId));
}

/** The write by which a human proof is used up. */
export function proofUse(proof: HumanProof, commandId: string): Append {
  const event = { type: 'proof-used', ...proof, by: 'human' };
  return { stream: `proof/${proof.id}`, expected: 0, bodies: [bodyOf(event, commandId)] };
}
