import type { HumanProof } from '../kernel/command.ts';
import type { Draft } from './draft.ts';
import { bodyOf } from './stored.ts';

/** Uses up a human proof: its stream can be begun once, so a second use loses against the first. */
export function useProof(write: Draft, proof: HumanProof | undefined): void {
  if (proof === undefined) return;
  const event = { type: 'proof-used', ...proof, by: 'human' };
  write.documents.push({
    stream: `proof/${proof.id}`,
    expected: 0,
    bodies: [bodyOf(event, write.commandId)],
  });
}
