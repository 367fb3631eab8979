import type { Caller } from '../caller.ts';
import type { Opened } from '../composition.ts';
import { type Handle, loadById, loadItem } from '../handle.ts';
import type { StepOutcome } from '../step.ts';
import { stepOn } from './actions.ts';
import { lastLinked } from './links.ts';
import { phaseNamed } from './task-phases.ts';

/**
 * Gives a task in phases up, as a person: its agents and reviewers are ended and their trees go, as far as nothing is lost by
 * that; the branch of the task stays. It is marked for ever, and whoever waits for the task as a part of theirs waits no more.
 */
export async function cancelTask(
  opened: Opened,
  caller: Caller,
  ref: string,
  reason: string,
  confirms?: (handle: Handle) => string,
): Promise<StepOutcome> {
  const task = await taskNamed(opened, ref);
  // What lives of it is ended by the same round that settles everything else.
  return stepOn(opened, caller, task.id, { command: 'cancel', reason, arguments: {} }, confirms);
}

/** A task in phases by its name, or that of anything of it. Throws NOT_FOUND, BAD_INPUT. */
export async function taskNamed({ ports }: Pick<Opened, 'ports'>, ref: string): Promise<Handle> {
  const named = await loadItem(ports, ref);
  if (named.protocol.name === 'phased-task') return named;
  return loadById(ports, lastLinked(await phaseNamed(ports, ref), 'task'));
}
