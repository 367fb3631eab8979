import type { Register } from '../register.ts';
import { addWorktrees } from './task-commands.ts';

/** The same as `task worktrees`, by a name of its own. */
export const worktree: Register = (program, run) => {
  const command = addWorktrees(
    program,
    run,
    () => command.opts<{ session?: string }>().session,
    'worktree <task>',
  );
  command.option('--session <id>', 'the session that asks (or COUNTERSIGN_SESSION)');
};
