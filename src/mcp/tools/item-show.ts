import { z } from 'zod';
import { accountability } from '../../engine/accountability.ts';
import type { Awaited } from '../../engine/awaited.ts';
import { isAtGate } from '../../engine/gates.ts';
import type { Handle } from '../../engine/handle.ts';
import { messagesOf } from '../../engine/inbox.ts';
import { placeData, placeLines } from '../../engine/migration.ts';
import { show } from '../../engine/query.ts';
import { accountabilityView, hardBlockReport } from '../../engine/reports.ts';
import { todoOf } from '../../engine/todo.ts';
import { weaknessLines, weaknessOf } from '../../engine/weak.ts';
import { callsOn, inText } from '../call.ts';
import { item } from '../fields.ts';
import { shortBriefing, shortHistory } from '../history.ts';
import { historyLink, linksOf } from '../links.ts';
import { reply } from '../reply.ts';
import { READS, tool } from '../tool.ts';

/** One item: its state, who did and who confirmed, what its claim still waits for, and the calls that lead on. */
export const itemShow = tool({
  name: 'item_show',
  title: 'Show an item',
  description:
    'One item: state, who did and who confirmed, what its claim waits for, the calls that lead on.',
  input: z.strictObject({
    item,
    history: z.boolean().describe('With its transitions and times').optional(),
  }),
  annotations: READS,
  roles: [],
  run: ({ look, offered }, { item: ref, history = false }) =>
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
      const weakness = await weaknessOf(ports, handle);
      const data = {
        ...todoOf(handle),
        ...weakness,
        list,
        kind,
        attempt,
        depends_on: dependsOn,
        ...placeData(handle.item),
      };
      const isPlain = handle.protocol.name === 'two-phase';
      const past = history ? await shortHistory(ports, handle.id) : undefined;
      const said = messagesOf(handle).map(({ to, text: line }) => `to ${to}: ${line}`);
      const text = [
        `${handle.display} ${title}`,
        `state ${state.toUpperCase()}, list ${list}, kind ${kind}, attempt ${attempt}`,
        ...(dependsOn.length > 0 ? [`depends on ${dependsOn.join(', ')}`] : []),
        ...placeLines(handle.item),
        accountabilityView(handle),
        ...weaknessLines(weakness),
        ...awaits.map((a) => `awaits ${a.kind}: ${a.because}`),
        ...(state === 'blocked' ? ['', hardBlockReport(handle)] : []),
        ...said,
        ...(isPlain ? [] : briefingLines(handle)),
        ...(past?.lines ?? []),
        ...next.map(inText),
      ];
      const told = {
        ...{ item: data, accountability: accountability(handle), awaits, next },
        ...(isPlain ? {} : { briefing: shortBriefing(handle), messages: messagesOf(handle) }),
        ...(past === undefined ? {} : { history: past.data }),
      };
      return reply(told, text.join('\n'), linksAside(handle, history));
    }),
});

const linksAside = (handle: Handle, history: boolean) =>
  history ? [...linksOf(handle), historyLink(handle.display)] : linksOf(handle);

/** What was tried and said, for whoever goes on (LIFE-114, GOAL-57, GOAL-60). */
function briefingLines(handle: Handle): readonly string[] {
  const { failures, guidance, submitted } = shortBriefing(handle);
  const { summary, files } = submitted;
  return [
    ...(summary === '' || summary === undefined ? [] : [`submitted       ${summary}`]),
    ...(files.length === 0 ? [] : [`files           ${files.slice(0, 10).join(', ')}`]),
    ...failures.map((f) => `failed          in ${f.state}, by ${f.by}: ${f.reason}`),
    ...guidance.map((g) => `guidance        by ${g.by} (${g.outcome}): ${g.text}`),
  ];
}
