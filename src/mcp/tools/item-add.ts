import { z } from 'zod';
import { shortTitle } from '../../engine/display.ts';
import { KINDS, NEW_ITEM } from '../../engine/new-item.ts';
import { openItems } from '../../engine/open.ts';
import { show } from '../../engine/query.ts';
import { todoOf } from '../../engine/todo.ts';
import { callsOn, inText } from '../call.ts';
import { list, text } from '../fields.ts';
import { reply } from '../reply.ts';
import { openers, STEPS, tool } from '../tool.ts';

/** Adds an item. */
export const itemAdd = tool({
  name: 'item_add',
  title: 'Add an item',
  description: 'Adds an item of work. Its criteria are those of the default branch.',
  input: z.strictObject({
    title: text('What is to be done, in one line'),
    list,
    kind: z.enum(KINDS).optional(),
    depends_on: z.array(z.string().max(64)).max(50).describe('Ids verified before it may begin').optional(),
    criteria: z.string().max(64).describe('Name of a criteria file').optional(),
    quality: z.boolean().describe('Ask for a quality verdict too').optional(),
  }),
  annotations: STEPS,
  roles: openers(),
  run: ({ work, offered }, { title, list: listName, kind, depends_on: dependsOn = [], criteria, quality }) =>
    work(async (ports, caller) => {
      const wanted = {
        ...NEW_ITEM,
        title,
        list: listName ?? NEW_ITEM.list,
        kind: kind ?? NEW_ITEM.kind,
        dependsOn,
        criteria: criteria ?? '',
        settings: quality === true ? { quality_validation: true } : {},
      };
      const [handle] = await openItems(ports, caller, [wanted]);
      if (handle === undefined) throw new Error('an item that was opened is not there');
      const { options } = await show(ports, caller.actor, handle.id);
      const next = callsOn(handle, options, offered);
      const done = `${handle.display} added: ${shortTitle(handle.item.title)}`;
      return reply({ item: todoOf(handle), next }, [done, ...next.map(inText)].join('\n'));
    }),
});
