import { removeActor } from '../actors.ts';
import type { Opened } from '../composition.ts';
import type { Handle } from '../handle.ts';
import { BY_ENGINE } from './engine-step.ts';
import { phaseOf } from './task-phases.ts';
import { dropTree } from './trees.ts';

/**
 * What a process had is taken back when it has ended: its tree, where nothing is lost by that, and its actor and with it its
 * token. The actor goes last: as long as it is there, whoever comes by finds what another one who died left behind.
 */
export async function retire(opened: Opened, handle: Handle, run: string): Promise<void> {
  const { ports } = opened;
  const phase = await phaseOf(ports, handle);
  try {
    dropTree(ports, handle, phase, run);
  } finally {
    await removeActor(ports, BY_ENGINE, run);
  }
}
