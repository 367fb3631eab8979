import { z } from 'zod';
import { ATTENTION, attention } from '../../engine/attention.ts';
import { list as listItems } from '../../engine/query.ts';
import { doneOf } from '../../engine/reports.ts';
import { weakAmong } from '../../engine/weak.ts';
import { list } from '../fields.ts';
import { reply } from '../reply.ts';
import { pageOf, rowsReply } from '../rows.ts';
import { READS, tool } from '../tool.ts';

/** Items in pages: state, assignee and title; the rest of one is behind item_show. */
export const itemList = tool({
  name: 'item_list',
  title: 'List items',
  description: 'Items in pages, with state, assignee and title. item_show tells all about one.',
  input: z.strictObject({
    list,
    states: z.array(z.string().max(32)).max(16).describe('Only these states').optional(),
    assignee: z.string().max(64).describe('Only what this actor has').optional(),
    attention: z.enum(ATTENTION).describe('Instead: only what needs a look').optional(),
    after: z.int().min(0).describe('Continue after this number').optional(),
    limit: z.int().min(1).max(100).describe('Items of a page, 20 unless given').optional(),
  }),
  annotations: READS,
  roles: [],
  run: ({ look }, { list: listName, states = [], assignee, attention: what, after = 0, limit = 20 }) =>
    look(async (ports) => {
      if (what !== undefined) return rowsReply(await attention(ports, { what, atLeast: 2, limit }));
      const asked = { list: listName, states, categories: [] };
      const found = await listItems(ports, { ...asked, assignee, after, limit });
      const { rows, next, progress, replaced } = found;
      const page = pageOf(rows, next, { weak: await weakAmong(ports, rows), replaced });
      const tail = page.after > 0 ? [`more: item_list {"after":${page.after}}`] : [];
      const text = [...page.lines, doneOf(progress), ...tail].join('\n');
      return reply({ items: page.items, next_after: page.after, progress }, text);
    }),
});
