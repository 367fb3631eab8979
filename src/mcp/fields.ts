import { z } from 'zod';

/** Longest text that a field takes, in characters; what is longer belongs into a file of the repository. */
const MOST = 2_000;

// Control characters and what reorders a line may not come through any field; titles are judged once more by the engine.
const visible = /^[^\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]*$/u;

export const text = (about: string) =>
  z.string().max(MOST).regex(visible, 'holds control characters').describe(about);
export const item = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,63}$/, 'is no id of an item: T-1, as next and item_list show it')
  .describe('Id, like T-1');
export const list = z.string().max(64).describe('Name of a list').optional();
export const reason = text('Why, for the record').optional();
