import { z } from 'zod';
import { gateOf } from '../../engine/gates.ts';
import type { Handle } from '../../engine/handle.ts';
import { verdictsInWords } from '../../engine/in-words.ts';
import { messagesOf } from '../../engine/inbox.ts';
import type { Message } from '../../engine/message.ts';
import { next as nextFor, type Suggestion, unseenLine, waitsLine } from '../../engine/next.ts';
import { doneOf, hardBlockReport } from '../../engine/reports.ts';
import { taskNameOf } from '../../engine/staged/task-name.ts';
import { ackStep, stepOf } from '../../engine/steps.ts';
import { todoOf } from '../../engine/todo.ts';
import { handOver } from '../../engine/work.ts';
import { asCalls } from '../as-calls.ts';
import { callFor, callsOn, inText } from '../call.ts';
import { list } from '../fields.ts';
import type { Offers } from '../offers.ts';
import { reply } from '../reply.ts';
import { taskCalls } from '../task-way.ts';
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
    look(async (ports, caller) => {
      const { actor } = caller;
      const found = await nextFor(ports, actor, listName);
      const { blocked, suggestions, waiting, elsewhere, unseen, progress } = found;
      // A task in stages goes its way by more than its table.
      const callsFor = async ({ handle, option, ways }: Suggestion) => {
        const task = taskNameOf(handle);
        const [call, ...more] = task === '' ? [] : await taskCalls(ports, caller, task);
        if (call !== undefined) return { call, calls: [call, ...more] };
        return {
          call: callFor(stepOf(handle, ways, option), offered),
          calls: callsOn(handle, ways, offered),
        };
      };
      const entry = async ({ handle, option, ways }: Suggestion) => ({
        ...todoOf(handle),
        ...(await callsFor({ handle, option, ways })),
        ...(gateOf(handle)?.pass === option.command ? { verification: handOver(handle) } : {}),
        missing: verdictsInWords(handle, option.missing),
        ...saidOn(handle),
      });
      const begins = isStaged(offered) && suggestions.length === 0 ? [LIST] : [];
      const stops = blocked.map((handle) => ({
        ...todoOf(handle),
        report: hardBlockReport(handle),
        call: callFor(ackStep(handle), offered),
      }));
      const data = {
        blocked: stops,
        next: await Promise.all(suggestions.map(entry)),
        waiting: await Promise.all(waiting.map(entry)),
        progress,
        ...(elsewhere.length === 0 ? {} : { elsewhere }),
        ...(unseen.length === 0 ? {} : { unseen }),
        ...(begins.length === 0 ? {} : { begin: begins }),
      };
      const isNothing = [suggestions, begins, elsewhere, unseen].every(({ length }) => length === 0);
      const lines = [
        ...stops.flatMap(({ report, call }) => [report, inText(call), '']),
        ...data.next.flatMap((n) => [
          `${n.id} ${n.content} [${n.status}]`,
          ...n.calls.map((c) => `  ${inText(c)}`),
          ...(n.messages ?? []).map(({ to, text }) => `  to ${to}: ${text}`),
        ]),
        ...(data.next.length > 0 ? [] : waiting.map((item) => asCalls(waitsLine(item), offered))),
        ...unseen.map((state) => asCalls(unseenLine(state), offered)),
        ...(isNothing ? ['Nothing for you to do now.'] : []),
        ...elsewhere,
        ...begins.map(inText),
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

/** Where tasks in stages are worked on and none waits, the list of tasks says which is next. */
const LIST = { by: 'you', tool: 'task_list', arguments: { session: 'SESSION' } };
const isStaged = ({ own }: Offers): boolean => own.has('task_list');
