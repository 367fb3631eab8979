import type { Register } from '../register.ts';
import { addGate } from './task-ends.ts';

/** The same as `task gate`, by a name of its own (PROTO-228). */
export const gate: Register = (program, run) => {
  const command = addGate(program, run, () => command.opts<{ session?: string }>().session);
  command.option('--session <id>', 'the session that asks (or COUNTERSIGN_SESSION)');
};
