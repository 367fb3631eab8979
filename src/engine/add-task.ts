import type { Finding } from '../kernel/command.ts';
import type { Facts } from '../kernel/event.ts';
import type { Caller } from './caller.ts';
import type { Draft } from './draft.ts';
import { execute, type NotDone, plain } from './execute.ts';
import { kindFinding } from './gather/goal.ts';
import { seen } from './gather/looked.ts';
import { tieTo } from './goal-link.ts';
import { goalToHold } from './goals.ts';
import type { Handle } from './handle.ts';
import type { NewItem } from './new-item.ts';
import { openInto, planOf } from './opening.ts';
import type { Ports } from './ports.ts';
import { protocolNamed } from './project-protocols.ts';

/** A task as it was opened; or the goal as it refused it, and nothing was opened. */
export type Added =
  | { readonly kind: 'done'; readonly handle: Handle; readonly goal: Handle }
  | { readonly kind: 'refused'; readonly refused: NotDone };

/**
 * Opens a task as one of a goal, both in one write: where the goal takes none, there is none. `extend` adds to the
 * write what belongs to the task. Throws BAD_INPUT, NOT_FOUND, NO_CREDENTIAL.
 */
export async function addTask(
  ports: Ports,
  caller: Caller,
  wanted: NewItem,
  goal: string,
  extend: (write: Draft, task: Handle) => Promise<void> | void = () => {},
): Promise<Added> {
  const { id } = await goalToHold(ports, goal);
  const protocol = wanted.protocol || 'goal-task';
  const plan = await planOf(ports, [{ ...wanted, protocol }]);
  const fits =
    kindFinding(`"${wanted.title.trim()}"`, await protocolNamed(ports, protocol)) ??
    seen('it is opened as a task of this goal');
  let opened: Handle | undefined;
  const outcome = await execute(ports, caller, {
    ...plain,
    ref: id,
    name: 'link',
    arguments: { task: plan.ids[0] ?? '' },
    gather: () => ({ probes: { linkable: fits }, subjects: {}, facts: factsOf(fits) }),
    extend: async (write, now) => {
      const [task] = await openInto(ports, caller, write, plan);
      if (task === undefined) throw new Error('a task that was opened is not there');
      tieTo(write, now, task, true);
      await extend(write, task);
      opened = write.touched.get(task.id)?.handle;
    },
  });
  if (outcome.kind === 'refused') return { kind: 'refused', refused: outcome };
  if (opened === undefined) throw new Error('a task that was opened is not there');
  return { kind: 'done', handle: opened, goal: outcome.handle };
}

/** What was looked at stands with the move, so that an audit can judge it again. */
const factsOf = (linkable: Finding): Facts => ({ probes: { linkable: { ...linkable } } });
