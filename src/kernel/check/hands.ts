import type { Actor } from '../actor.ts';
import type { HumanProof } from '../command.ts';
import type { ItemEvent } from '../event.ts';
import type { Run } from './run.ts';
import { mayActOn } from './setup.ts';

/** One thing that may happen to an item. */
export interface Way {
  readonly events: readonly ItemEvent[];
  readonly by: 'agent' | 'human' | 'system';
  /** `actor: command(arguments)`. */
  readonly label: string;
}

const PROOF: HumanProof = { id: 'proof', digest: '', purpose: '', at: '', channel: '' };

/** Somebody who acts. */
export interface Hand {
  readonly actor: Actor;
  readonly proof: HumanProof | undefined;
}

/** Everybody who may act on the item; a person with and without the proof of being one. */
export function handsOn(run: Run, id: string): readonly Hand[] {
  return run.roster.actors
    .filter((actor) => mayActOn(run.setup, id, actor, run.roster.actors))
    .flatMap((actor) =>
      actor.kind === 'human'
        ? [
            { actor, proof: PROOF },
            { actor, proof: undefined },
          ]
        : [{ actor, proof: undefined }],
    );
}

/** How an item is called in a label: the main one is not named. */
export const prefix = (run: Run, id: string) => (id === run.setup.main ? '' : `${id}.`);
