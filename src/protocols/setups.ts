import type { Setup } from '../kernel/check/setup.ts';
import { goal } from './goal.ts';
import { goalTask } from './goal-task.ts';

/** A goal with one task: the two tables only make sense together, as the task tells the goal who built it. */
export const goalWithTask: Setup = {
  name: 'goal',
  main: 'goal',
  streams: { goal: { protocol: goal, seat: '' }, task: { protocol: goalTask, seat: '' } },
  links: { task: { goal: ['goal'] } },
  alike: [],
};
