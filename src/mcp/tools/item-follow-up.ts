import { z } from 'zod';
import { shortTitle } from '../../engine/display.ts';
import { followUp } from '../../engine/follow-up.ts';
import { todoOf } from '../../engine/todo.ts';
import { item, text } from '../fields.ts';
import { refusal, reply } from '../reply.ts';
import { openers, rolesFor, STEPS, tool } from '../tool.ts';

/** New work after an item that cannot be undone (CX-02). */
export const itemFollowUp = tool({
  name: 'item_follow_up',
  title: 'Follow an item up',
  description: 'New work after a verified or completed item: what was verified cannot be undone.',
  input: z.strictObject({ item, title: text('What is to be done, in one line') }),
  annotations: STEPS,
  roles: [...new Set([...openers(), ...rolesFor('supersede')])],
  run: ({ work, offered }, { item: ref, title }) =>
    work(async (ports, caller) => {
      const { outcome, opened } = await followUp(ports, caller, ref, title);
      if (outcome?.kind === 'refused') return refusal(outcome, offered, 'follow-up');
      if (opened === undefined) throw new Error('an item that was opened is not there');
      return reply(
        { item: todoOf(opened) },
        `${opened.display} added after ${ref}: ${shortTitle(opened.item.title)}`,
      );
    }),
});
