import { z } from 'zod';
import { gateOf } from '../../engine/gates.ts';
import type { Handle } from '../../engine/handle.ts';
import { verdictsInWords } from '../../engine/in-words.ts';
import { messagesOf } from '../../engine/inbox.ts';
import type { Message } from '../../engine/message.ts';
import { next as nextFor, type Suggestion, waitsLine } from '../../engine/next.ts';
import { doneOf, hardBlockReport } from '../../engine/reports.ts';
import { ackStep, stepOf } from '../../engine/steps.ts';
import { todoOf } from '../../engine/todo.ts';
import { handOver } from '../../engine/work.ts';
import { callFor, callsOn, inText } from '../call.ts';
import { list } from '../fields.ts';
import { reply } from '../reply.ts';
import { READS, tool } from '../tool.ts';

/** What this actor may do now, what is missing, and the exact call (2PC-68, 2PC-69). */
export const next = tool({
  name: 'next',
  title: 'What to do next',
  description:
    'What you may do now, what is missing, and the exact call. Ask first, and whenever you do not know how to go on.',
  input: z.strictObject({ list }),
  annotations: READS,
  roles: [],
  run: ({ look, offered }, { list: listName }) =>
    look(async (ports, { actor }) => {
      const { blocked, suggestions, waiting, progress } = await nextFor(ports, actor, listName);
      const entry = ({ handle, option, ways }: Suggestion) => ({
        ...todoOf(handle),
        call: callFor(stepOf(handle, ways, option), offered),
        calls: callsOn(handle, ways, offered),
        ...(gateOf(handle)?.pass === option.command ? { verification: handOver(handle) } : {}),
        missing: verdictsInWords(handle, option.missing),
        ...saidOn(handle),
      });
      const stops = blocked.map((handle) => ({
        ...todoOf(handle),
        report: hardBlockReport(handle),
        call: callFor(ackStep(handle), offered),
      }));
      const data = {
        blocked: stops,
        next: suggestions.map(entry),
        waiting: waiting.map(entry),
        progress,
      };
      const lines = [
        ...stops.flatMap(({ report, call }) => [report, inText(call), '']),
        ...data.next.flatMap((n) => [
          `${n.id} ${n.content} [${n.status}]`,
          ...n.calls.map((c) => `  ${inText(c)}`),
          ...(n.messages ?? []).map(({ to, text }) => `  to ${to}: ${text}`),
        ]),
        ...(data.next.length > 0 ? [] : waiting.map(waitsLine)),
        ...(data.next.length > 0 ? [] : ['Nothing for you to do now.']),
        doneOf(progress),
      ];
      return reply(data, lines.join('\n'));
    }),
});

/** What whoever has an item now was told of it, such as why it came back (GOAL-36, GOAL-60). */
function saidOn(handle: Handle): { readonly messages?: readonly Message[] } {
  const messages = messagesOf(handle);
  return messages.length === 0 ? {} : { messages };
}
