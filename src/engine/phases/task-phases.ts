import { EngineError } from '../engine-error.ts';
import { type Handle, loadById, loadItem } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { lastLinked, linkedTo } from './links.ts';

/** The phases of a task in their order. */
export async function phasesOf(ports: Pick<Ports, 'store'>, task: Handle): Promise<readonly Handle[]> {
  const phases: Handle[] = [];
  for (let id = lastLinked(task, 'first'); id !== ''; ) {
    const phase = await loadById(ports, id);
    phases.push(phase);
    id = lastLinked(phase, 'next');
  }
  return phases;
}

/** The task of a phase. */
export const taskOf = (ports: Pick<Ports, 'store'>, phase: Handle): Promise<Handle> =>
  loadById(ports, lastLinked(phase, 'task'));

/** The phase of a run, a review or a reviewer. */
export const phaseOf = (ports: Pick<Ports, 'store'>, handle: Handle): Promise<Handle> =>
  loadById(ports, lastLinked(handle, 'phase') || String(handle.item.facts.phase ?? ''));

/** The phase before, undefined for the first. */
export async function phaseBefore(ports: Pick<Ports, 'store'>, phase: Handle): Promise<Handle | undefined> {
  const all = await phasesOf(ports, await taskOf(ports, phase));
  return all[all.findIndex(({ id }) => id === phase.id) - 1];
}

/** The runs that were deployed for a phase, the oldest first. */
export const runsOf = (ports: Pick<Ports, 'store'>, phase: Handle): Promise<readonly Handle[]> =>
  Promise.all(linkedTo(phase, 'deployed').map((id) => loadById(ports, id)));

/**
 * The phase that somebody names: itself, or the one of a task that is not completed, or that of a run or a review. Throws
 * NOT_FOUND, BAD_INPUT for an item that has none.
 */
export async function phaseNamed(ports: Pick<Ports, 'store'>, ref: string): Promise<Handle> {
  const handle = await loadItem(ports, ref);
  switch (handle.protocol.name) {
    case 'phase':
      return handle;
    case 'phased-task': {
      const all = await phasesOf(ports, handle);
      const live = all.find(({ item }) => item.state !== 'COMPLETED') ?? all.at(-1);
      if (live !== undefined) return live;
      break;
    }
    case 'agent-run':
    case 'review':
    case 'reviewer':
      return phaseOf(ports, handle);
  }
  throw new EngineError(
    'BAD_INPUT',
    `${handle.display} is no phase and has none`,
    'see the phases that there are: countersign phase list',
  );
}
