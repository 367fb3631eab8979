import { z } from 'zod';
import { attention, itemsAwaitingHuman, itemsUnderCtoReview } from '../../engine/attention.ts';
import type { Ports } from '../../engine/ports.ts';
import { type Listed, list as listItems } from '../../engine/query.ts';
import { mayLead } from '../../kernel/edges.ts';
import { lifecycle } from '../../protocols/lifecycle.ts';
import { taskId } from '../fields.ts';
import { shortHistory } from '../history.ts';
import { historyLink } from '../links.ts';
import { reply } from '../reply.ts';
import { rowsReply } from '../rows.ts';
import { READS, type Tool, tool } from '../tool.ts';

/** The queries belong to the one who watches, and read only (LIFE-106). */
const WATCHES = { annotations: READS, roles: ['plan-manager'] } as const;
const PAGE = 100;

const query = (
  name: string,
  title: string,
  description: string,
  find: (ports: Ports) => Promise<Listed['rows']>,
): Tool =>
  tool({
    ...{ name, title, description, ...WATCHES },
    input: z.strictObject({}),
    run: ({ look }) => look(async (ports) => rowsReply(await find(ports))),
  });

const wrong = (what: 'stuck' | 'failing', atLeast: number) => (ports: Ports) =>
  attention(ports, { what, atLeast, limit: PAGE });

/** The queries of the lifecycle, by its own names (LIFE-94, LIFE-101 to LIFE-105). */
export const TASK_QUERIES: readonly Tool[] = [
  tool({
    name: 'get_tasks_by_state',
    title: 'Tasks in a state',
    description: 'Every task now in that state, in pages.',
    input: z.strictObject({
      state: z.string().max(32),
      after: z.int().min(0).describe('Continue after this number').optional(),
    }),
    ...WATCHES,
    run: ({ look }, { state, after = 0 }) =>
      look(async (ports) => {
        const asked = { list: undefined, states: [state.toLowerCase()], categories: [], assignee: undefined };
        const { rows, next } = await listItems(ports, { ...asked, after, limit: PAGE });
        return rowsReply(rows, next);
      }),
  }),
  query(
    'get_tasks_exceeding_timeout',
    'Tasks past their time',
    'Every task past the allowance of its state, the longest first.',
    wrong('stuck', 0),
  ),
  query(
    'get_tasks_under_cto_review',
    'Tasks under intervention',
    'Every task that waits for the cto.',
    itemsUnderCtoReview,
  ),
  query(
    'get_tasks_awaiting_human',
    'Tasks that wait for a person',
    'Every task that was escalated to a person.',
    itemsAwaitingHuman,
  ),
  tool({
    name: 'get_tasks_with_multiple_failures',
    title: 'Tasks that fail',
    description: 'Every task that failed so often in one state.',
    input: z.strictObject({
      at_least: z.int().min(1).max(1_000).describe('2 unless given').optional(),
    }),
    ...WATCHES,
    run: ({ look }, { at_least: atLeast = 2 }) =>
      look(async (ports) => rowsReply(await wrong('failing', atLeast)(ports))),
  }),
  tool({
    name: 'validate_transition',
    title: 'Whether a transition is legal',
    description: 'Whether the table leads from one state to another, whatever the task.',
    input: z.strictObject({ from: z.string().max(32), to: z.string().max(32) }),
    ...WATCHES,
    run: ({ look }, { from, to }) =>
      look(async () => {
        const legal = mayLead(lifecycle, from, to);
        return reply({ legal }, `${from} > ${to}: ${legal ? 'legal' : 'not legal'}`);
      }),
  }),
  tool({
    name: 'get_task_state_history',
    title: 'History of a task',
    description: 'The transitions of a task in their order, and the minutes that it was where.',
    input: z.strictObject({ task_id: taskId }),
    ...WATCHES,
    run: ({ look }, { task_id: ref }) =>
      look(async (ports) => {
        const { data, lines } = await shortHistory(ports, ref);
        return reply({ history: data }, lines.join('\n'), [historyLink(ref)]);
      }),
  }),
];
