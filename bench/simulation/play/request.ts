import type { Caller } from '../../../src/engine/caller.ts';
import type { Opened } from '../../../src/engine/composition.ts';
import type { Handle } from '../../../src/engine/handle.ts';
import type { World } from '../../../src/kernel/context.ts';
import type { Dice } from '../dice.ts';
import type { Town } from '../town.ts';

/** Something that somebody asks of the engine; it can be asked more than once. */
export interface Request {
  readonly who: string;
  /** For people. */
  readonly what: string;
  /** Where whoever asks stands, '' for the main working tree. */
  readonly here: string;
  run(opened: Opened, caller: Caller): Promise<unknown>;
}

/** What an item is played with. */
export interface Mood {
  readonly world: World;
  /** Those who play fail often, and say so. */
  readonly isGloomy: boolean;
}

/** How an item is brought on, or kept from it: undefined where nobody has anything to do there now. */
export type Player = (town: Town, handle: Handle, dice: Dice, mood: Mood) => Promise<Request | undefined>;

/** The caller with the word of the person at a terminal, on what has this digest. */
export const withWord = (caller: Caller, digest: string, id: string, at: string): Caller => ({
  ...caller,
  token: undefined,
  proof: { id, digest, purpose: 'simulated', at, channel: 'terminal' },
});
