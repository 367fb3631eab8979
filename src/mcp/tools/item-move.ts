import { z } from 'zod';
import { item, reason } from '../fields.ts';
import { rolesFor, rolesSaying, STEPS, tool } from '../tool.ts';
import { MOVE_NAMES, take } from './moves.ts';

/** Any step that takes no more than the item: what may be taken is what `next` names. */
export const itemMove = tool({
  name: 'item_move',
  title: 'Move an item',
  description:
    'Takes a step of the item’s protocol that needs no more than the item. next names the open ones.',
  input: z.strictObject({
    item,
    command: z.enum(MOVE_NAMES),
    to: z.string().max(64).describe('With dispatch: the specialist').optional(),
    reason,
  }),
  annotations: STEPS,
  roles: [...new Set([...rolesFor(...MOVE_NAMES), ...rolesSaying('failure-review')])],
  run: (desk, { command, ...move }) => take(desk, command, move),
});
