import { z } from 'zod';
import { type GoalStatus, goalStatus as statusOf } from '../../engine/goals.ts';
import { show } from '../../engine/query.ts';
import { callsOn, inText } from '../call.ts';
import { goalId } from '../fields.ts';
import { goalUri } from '../links.ts';
import { reply } from '../reply.ts';
import { fitting } from '../rows.ts';
import { READS, tool } from '../tool.ts';

/** Bytes that stand beside the title of a task, in data and text. */
const EACH = 400;

/** A goal with its tasks (GOAL-43, GOAL-50). */
export const goalStatus = tool({
  name: 'goal_status',
  title: 'Show a goal',
  description: 'A goal, its tasks with their states, and whether what was verified is still what is there.',
  input: z.strictObject({ goal_id: goalId }),
  annotations: READS,
  roles: [],
  run: ({ look, offered }, { goal_id: ref }) =>
    look(async (ports, { actor }) => {
      const status = await statusOf(ports, ref);
      const { options, handle } = await show(ports, actor, ref);
      const next = callsOn(handle, options, offered);
      const fits = fitting(
        status.tasks.map((task) => task.title),
        EACH,
      );
      // The others stand behind the resource.
      const tasks = status.tasks.slice(0, fits).map((task) => ({
        ...task,
        // Long lists of files stand behind the resource.
        changed_since: task.changed_since.slice(0, 5),
      }));
      const left = status.tasks.length - tasks.length;
      const data = { ...status, tasks, left_out: left, next };
      const uri = goalUri(handle.display);
      const links = left === 0 ? [] : [{ uri, name: handle.display, description: 'Every task of the goal' }];
      return reply(data, [...linesOf({ ...status, tasks }, left), ...next.map(inText)].join('\n'), links);
    }),
});

function linesOf(status: GoalStatus, left: number): readonly string[] {
  const { goal_id: id, title, tasks, counts, reverify, unmerged, rejected, weak } = status;
  const numbers = Object.entries(counts).filter(([, n]) => n > 0);
  return [
    `${id} [${status.status}] ${title}`,
    numbers.map(([state, n]) => `${n} ${state}`).join(', ') || 'no tasks',
    ...tasks.map((t) => {
      const marks = [...(t.weak ? ['weakly verified'] : []), ...(t.escalated ? ['escalated'] : [])];
      return `${t.task_id} [${[t.status, ...marks].join(', ')}] ${t.assignee || '-'} ${t.title}`;
    }),
    ...(left > 0 ? [`and ${left} more`] : []),
    ...(reverify.length > 0 ? [`changed since they were verified: ${reverify.join(', ')}`] : []),
    ...(unmerged.length > 0 ? [`not on the default branch yet: ${unmerged.join(', ')}`] : []),
    ...(weak ? ['verified on tasks that are weakly verified'] : []),
    ...(rejected === '' ? [] : [`sent back: ${rejected}`]),
  ];
}
