import type { Linked, Noted } from '../kernel/event.ts';
import { type Draft, touch } from './draft.ts';
import type { Handle } from './handle.ts';
import { noteOf } from './note-of.ts';

/** Writes on both that a task belongs to a goal, or does not any more, by whoever moved the goal in this write. */
export function tieTo(write: Draft, goal: Handle, task: Handle, belongs: boolean): void {
  const { by } = write.touched.get(goal.id)?.events.at(-1) ?? { by: 'engine' };
  const kind = belongs ? 'goal' : 'not-goal';
  const linked: Linked = { type: 'linked', at: write.at, by, kind, to: goal.id };
  touch(write, task, [linked]);
  touch(write, goal, [memberOf(task, write.at, belongs)]);
}

function memberOf(task: Handle, at: string, belongs: boolean): Noted {
  const [policy] = task.protocol.policies.filter(({ tell }) => tell === 'goal');
  if (policy === undefined) throw new Error(`${task.protocol.name} tells no goal`);
  const note = noteOf(task, { ...policy, moves: [] }, at);
  return belongs ? note : { ...note, state: '', category: '', marks: {} };
}
