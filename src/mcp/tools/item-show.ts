import { z } from 'zod';
import { accountability } from '../../engine/accountability.ts';
import type { Awaited } from '../../engine/awaited.ts';
import { isAtGate } from '../../engine/gates.ts';
import { show } from '../../engine/query.ts';
import { accountabilityView, hardBlockReport } from '../../engine/reports.ts';
import { todoOf } from '../../engine/todo.ts';
import { callsOn, inText } from '../call.ts';
import { item } from '../fields.ts';
import { linksOf } from '../links.ts';
import { reply } from '../reply.ts';
import { READS, tool } from '../tool.ts';

/** One item: its state, who did and who confirmed, what its claim still waits for, and the calls that lead on. */
export const itemShow = tool({
  name: 'item_show',
  title: 'Show an item',
  description:
    'One item: state, who did and who confirmed, what its claim waits for, the calls that lead on.',
  input: z.strictObject({ item }),
  annotations: READS,
  roles: [],
  run: ({ look, offered }, { item: ref }) =>
    look(async (ports, { actor }) => {
      const shown = await show(ports, actor, ref);
      const { handle, options, dependsOn, world } = shown;
      const { state, list, kind, attempt, title } = handle.item;
      let awaits: readonly Awaited[] = [];
      if (isAtGate(handle)) {
        const { awaitedBy } = await import('../../engine/awaited.ts');
        // What cannot be read is told by the call that needs it; a view goes on without.
        awaits = await awaitedBy(ports, handle, world).catch(() => []);
      }
      const next = callsOn(handle, options, offered);
      const data = { ...todoOf(handle), list, kind, attempt, depends_on: dependsOn };
      const text = [
        `${handle.display} ${title}`,
        `state ${state.toUpperCase()}, list ${list}, kind ${kind}, attempt ${attempt}`,
        ...(dependsOn.length > 0 ? [`depends on ${dependsOn.join(', ')}`] : []),
        accountabilityView(handle),
        ...awaits.map((a) => `awaits ${a.kind}: ${a.because}`),
        ...(state === 'blocked' ? ['', hardBlockReport(handle)] : []),
        ...next.map(inText),
      ];
      const told = { item: data, accountability: accountability(handle), awaits, next };
      return reply(told, text.join('\n'), linksOf(handle));
    }),
});
