import { z } from 'zod';
import { item, reason } from '../fields.ts';
import { rolesFor, rolesSaying, STEPS, type Tool, tool } from '../tool.ts';
import { type MoveName, take } from './moves.ts';

const simple = (name: MoveName, title: string, description: string, roles: readonly string[]): Tool =>
  tool({
    name: `item_${name}`,
    title,
    description,
    input: z.strictObject({ item, reason }),
    annotations: STEPS,
    roles,
    run: (desk, move) => take(desk, name, move),
  });

/** The steps of the two-phase protocol, each by its own name. */
export const STEP_TOOLS: readonly Tool[] = [
  tool({
    name: 'item_dispatch',
    title: 'Dispatch an item',
    description: 'Gives a pending item to a specialist.',
    input: z.strictObject({ item, to: z.string().max(64).describe('The specialist'), reason }),
    annotations: STEPS,
    roles: rolesFor('dispatch'),
    run: (desk, move) => take(desk, 'dispatch', move),
  }),
  tool({
    name: 'item_start',
    title: 'Start an item',
    description: 'Begins work that was given to you; records the base commit.',
    input: z.strictObject({ item }),
    annotations: { ...STEPS, idempotentHint: true },
    roles: rolesFor('start'),
    run: (desk, move) => take(desk, 'start', move),
  }),
  simple(
    'release',
    'Release an item',
    'Takes back what was dispatched, or a claim that could not be checked.',
    rolesFor('release'),
  ),
  simple(
    'ack',
    'Acknowledge failures',
    'Acknowledges the failures of a blocked item, where that was left to you.',
    rolesSaying('failure-review'),
  ),
  simple(
    'retry',
    'Begin a new attempt',
    'Resets a blocked item whose failures were acknowledged.',
    rolesFor('retry'),
  ),
  simple(
    'complete',
    'Complete an item',
    'Accepts a verified item. Nothing else can be completed.',
    rolesFor('complete'),
  ),
];
