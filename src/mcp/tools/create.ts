import { z } from 'zod';
import { addTask } from '../../engine/add-task.ts';
import type { Caller } from '../../engine/caller.ts';
import { shortTitle } from '../../engine/display.ts';
import type { Draft } from '../../engine/draft.ts';
import { giveOutIn } from '../../engine/give-out.ts';
import { type Handle, loadItem } from '../../engine/handle.ts';
import { KINDS, NEW_ITEM, type NewItem } from '../../engine/new-item.ts';
import { openItems } from '../../engine/open.ts';
import { otherCreator } from '../../engine/other-name.ts';
import type { Ports } from '../../engine/ports.ts';
import { show } from '../../engine/query.ts';
import { todoOf } from '../../engine/todo.ts';
import { goal } from '../../protocols/goal.ts';
import { goalTask } from '../../protocols/goal-task.ts';
import { lifecycle } from '../../protocols/lifecycle.ts';
import { callsOn, inText } from '../call.ts';
import { agentName, goalId, list, text } from '../fields.ts';
import type { Offers } from '../offers.ts';
import { type Reply, refusal, reply, unopened } from '../reply.ts';
import { STEPS, tool } from '../tool.ts';

const title = text('What is to be done, in one line');
const dependsOn = z.array(z.string().max(64)).max(50).describe('Ids verified before it may begin').optional();
const kind = z.enum(KINDS).optional();
const criteria = z.string().max(64).describe('Name of a criteria file').optional();

/** What every task is made from. */
const TASK = { title, list, kind, criteria, creator: agentName, depends_on: dependsOn };

/** A task of the lifecycle (LIFE-01, LIFE-03). */
export const createLifecycleTask = tool({
  name: 'create_task',
  title: 'Create a task',
  description: 'Makes a task in pending. One with a plan file is reviewed by the cto before it is assigned.',
  input: z.strictObject({
    ...TASK,
    plan_file: z.string().min(1).max(500).describe('The plan that it implements').optional(),
  }),
  annotations: STEPS,
  roles: lifecycle.openers,
  run: ({ work, offered }, { creator = '', plan_file: plan, depends_on: after, ...input }) =>
    work(async (ports, caller) => {
      const posing = await otherCreator(ports, caller, { name: creator, command: 'create_task' });
      if (posing !== undefined) return unopened(posing);
      const more = plan === undefined ? {} : { settings: { plan_file: true }, facts: { plan_file: plan } };
      const wanted = wantedOf({ ...input, dependsOn: after, ...more }, 'lifecycle');
      return created(ports, caller, offered, await opened(ports, caller, wanted), 'task_id');
    }),
});

/** A task of a goal (GOAL-51). */
export const createGoalTask = tool({
  name: 'create_task',
  title: 'Create a task',
  description: 'Makes a task, of a goal if one is named, and assigns it in the same write: both, or neither.',
  input: z.strictObject({
    ...TASK,
    assign_to: z.string().max(64).describe('The builder').optional(),
    goal_id: goalId.optional(),
  }),
  annotations: STEPS,
  roles: goalTask.openers,
  run: ({ work, offered }, { creator = '', assign_to: to, goal_id: of, depends_on: after, ...input }) =>
    work(async (ports, caller) => {
      const posing = await otherCreator(ports, caller, { name: creator, command: 'create_task' });
      if (posing !== undefined) return unopened(posing);
      const wanted = wantedOf({ ...input, dependsOn: after }, 'goal-task');
      const giveOut = async (write: Draft, task: Handle) => {
        if (to !== undefined) await giveOutIn(ports, caller, write, task, to);
      };
      const added =
        of === undefined
          ? { kind: 'done' as const, handle: await opened(ports, caller, wanted, giveOut) }
          : await addTask(ports, caller, wanted, of, giveOut);
      if (added.kind === 'refused') return refusal(added.refused, offered, 'link');
      return created(ports, caller, offered, await loadItem(ports, added.handle.id), 'task_id');
    }),
});

/** A goal (GOAL-41). */
export const createGoal = tool({
  name: 'create_goal',
  title: 'Create a goal',
  description: 'Makes a goal: it follows its tasks, and is verified as a whole.',
  input: z.strictObject({
    ...{ title, list, creator: agentName },
    description: text('What the whole is to do').optional(),
    project: z.string().max(200).optional(),
  }),
  annotations: STEPS,
  roles: goal.openers,
  run: ({ work, offered }, { creator = '', description, project, ...input }) =>
    work(async (ports, caller) => {
      const posing = await otherCreator(ports, caller, { name: creator, command: 'create_goal' });
      if (posing !== undefined) return unopened(posing);
      const facts = { ...(description && { description }), ...(project && { project }) };
      // A goal changes nothing itself: what it claims is that the whole works.
      const wanted = wantedOf({ ...input, kind: 'verification-only', facts }, 'goal');
      return created(ports, caller, offered, await opened(ports, caller, wanted), 'goal_id');
    }),
});

type Given = { readonly [name in keyof NewItem]?: NewItem[name] | undefined };

/** A new item with what was given; what was left out is as always. */
const wantedOf = (given: Given, protocol: string): NewItem => ({
  ...NEW_ITEM,
  ...(Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<NewItem>),
  protocol,
});

async function opened(
  ports: Ports,
  caller: Caller,
  wanted: NewItem,
  extend: (write: Draft, item: Handle) => Promise<void> | void = () => {},
): Promise<Handle> {
  const [handle] = await openItems(ports, caller, [wanted], async (write, [item]) => {
    if (item !== undefined) await extend(write, item);
  });
  if (handle === undefined) throw new Error('an item that was opened is not there');
  return handle;
}

async function created(
  ports: Ports,
  { actor }: Caller,
  offered: Offers,
  handle: Handle,
  name: 'task_id' | 'goal_id',
): Promise<Reply> {
  const { options } = await show(ports, actor, handle.id);
  const next = callsOn(handle, options, offered);
  const done = `${handle.display} created: ${shortTitle(handle.item.title)}`;
  const data = { [name]: handle.display, item: todoOf(handle), next };
  return reply(data, [done, ...next.map(inText)].join('\n'));
}
