import type { Register } from '../register.ts';
import { TASK_COMMANDS } from './task-commands.ts';
import { registerTaskSteps } from './task-steps.ts';
import { WORDS } from './task-words.ts';

/** Tasks in stages, by their names. The session that works on one is named with --session, or in COUNTERSIGN_SESSION. */
export const task: Register = (program, run) => {
  const tasks = program
    .command('task')
    .description(
      'tasks in stages: taken up by a session, planned, built by agents, landed with a person’s word',
    )
    .option('--session <id>', 'the session that asks (or COUNTERSIGN_SESSION)');
  const session = () => tasks.opts<{ session?: string }>().session;
  for (const register of [...TASK_COMMANDS, ...WORDS]) register(tasks, run, session);
  registerTaskSteps(tasks, run, session);
};
