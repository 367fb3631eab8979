import { z } from 'zod';

/** Longest text that a field takes, in characters; what is longer belongs into a file of the repository. */
const MOST = 2_000;

// Control characters and what reorders a line may not come through any field; titles are judged once more by the engine.
const visible = /^[^\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]*$/u;

export const text = (about: string) =>
  z
    .string()
    .max(MOST)
    // No pattern: every list would carry it with every field.
    .refine((value) => visible.test(value), 'holds control characters')
    .describe(about);
const ITEM = /^[A-Za-z0-9][\w.-]{0,63}$/;
export const item = z
  .string()
  .regex(ITEM, 'is no id of an item: T-1, as next and item_list show it')
  .describe('Id, like T-1');
// The named tools are many, and their fields are called so that they need no more words.
const id = (example: string) =>
  z
    .string()
    .max(64)
    .refine((value) => ITEM.test(value), 'is no id of an item: next and item_list show them')
    .describe(example);
export const taskId = id('Like T-1');
export const goalId = id('Like GOAL-1');
/** For compatibility, and only one's own: who calls is what the credential says (CX-17). */
export const agentName = z.string().max(64).optional();
/** Whether it may be left out or blank is the table's to say. */
export const because = z
  .string()
  .max(MOST)
  .refine((value) => visible.test(value), 'holds control characters');
export const evidence = z.array(z.string().min(1).max(500)).max(50).describe('Files, as PATH or TYPE=PATH');
export const commit = z.string().min(1).max(200);
export const list = z.string().max(64).describe('Name of a list').optional();
export const reason = text('Why, for the record').optional();
