import { z } from 'zod';
import { displayId } from '../../engine/display.ts';
import { list as listItems } from '../../engine/query.ts';
import { doneOf } from '../../engine/reports.ts';
import { list } from '../fields.ts';
import { reply } from '../reply.ts';
import { READS, tool } from '../tool.ts';

/** Bytes that the items of a page may take, so that an answer stays below 25 KB with its text. */
const PAGE_BYTES = 10_000;

/** Items in pages: state, assignee and title; the rest of one is behind item_show. */
export const itemList = tool({
  name: 'item_list',
  title: 'List items',
  description: 'Items in pages, with state, assignee and title. item_show tells all about one.',
  input: z.strictObject({
    list,
    states: z.array(z.string().max(32)).max(16).describe('Only these states').optional(),
    assignee: z.string().max(64).describe('Only what this actor has').optional(),
    after: z.int().min(0).describe('Continue after this number').optional(),
    limit: z.int().min(1).max(100).describe('Items of a page, 20 unless given').optional(),
  }),
  annotations: READS,
  roles: [],
  run: ({ look }, { list: listName, states = [], assignee, after = 0, limit = 20 }) =>
    look(async (ports) => {
      const asked = { list: listName, states: states.map((s) => s.toLowerCase()), categories: [] };
      const found = await listItems(ports, { ...asked, assignee, after, limit });
      const rows = found.rows.slice(0, fitting(found.rows.map((row) => row.title)));
      const last = rows.at(-1)?.number ?? 0;
      const more = rows.length < found.rows.length ? last : found.next;
      const items = rows.map(({ number, protocol, list: of, kind, state, title, assignee: has, legacy }) => ({
        id: displayId(number, protocol),
        ...{ list: of, kind, state, title, assignee: has },
        ...(legacy ? { legacy } : {}),
      }));
      const lines = items.map((i) => `${i.id} [${i.state}] ${i.assignee || '-'} ${i.title}`);
      const tail = more > 0 ? [`more: item_list {"after":${more}}`] : [];
      const text = [...(lines.length > 0 ? lines : ['no items']), doneOf(found.progress), ...tail].join('\n');
      return reply({ items, next_after: more, progress: found.progress }, text);
    }),
});

/** How many of the titles fit into a page, at least one. */
function fitting(titles: readonly string[]): number {
  let bytes = 0;
  const at = titles.findIndex((title) => {
    bytes += 2 * Buffer.byteLength(title) + 150;
    return bytes > PAGE_BYTES * 2;
  });
  return at === -1 ? titles.length : Math.max(at, 1);
}
