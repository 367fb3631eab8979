import type { Opened } from '../../engine/composition.ts';
import { EngineError } from '../../engine/engine-error.ts';
import type { Handle } from '../../engine/handle.ts';
import type { Ports } from '../../engine/ports.ts';
import { MAIN_LEASE, readLease } from '../../engine/staged/leases.ts';
import { type TaskView, viewTask } from '../../engine/staged/task.ts';
import { taskItem } from '../../engine/staged/task-item.ts';
import type { Surroundings } from '../surroundings.ts';
import { openTasks } from './open-tasks.ts';

/** A task in stages as it stands, seen from a session. */
export interface Standing {
  readonly task: string;
  readonly handle: Handle;
  readonly view: TaskView;
  /** This very session holds it. */
  readonly own: boolean;
}

/** The open tasks of the repository, those of the session first. */
export async function standingsOf(
  ports: Ports,
  { state }: Pick<Surroundings, 'state'>,
  session: string,
): Promise<readonly Standing[]> {
  const all: Standing[] = [];
  for (const task of openTasks(state)) {
    const handle = await taskItem(ports, task).catch(absent);
    if (handle === undefined) continue;
    const view = await viewTask(ports, task, session);
    all.push({ task, handle, view, own: view.holding === 'own' });
  }
  return [...all.filter(({ own }) => own), ...all.filter(({ own }) => !own)];
}

/** A folder that some other program left there is no task. */
function absent(error: unknown): undefined {
  if (error instanceof EngineError && (error.code === 'NOT_FOUND' || error.code === 'BAD_INPUT'))
    return undefined;
  throw error;
}

/** Whether a session holds the main worktree, and what it is told where it does not. */
export async function mainHeld(ports: Ports, session: string): Promise<string> {
  const { holder } = await readLease(ports, MAIN_LEASE);
  if (holder !== undefined && session !== '' && holder.session === session) return '';
  const who =
    holder === undefined
      ? 'nobody holds it'
      : `session ${holder.session} (${holder.actor}) holds it since ${holder.since}`;
  return `The main worktree is changed by whoever holds it, also for a hotfix, and ${who}. ${
    holder === undefined
      ? `Take it: countersign lease --session ${session || 'ID'} take main`
      : 'Wait until it is given back, or work in the worktree of your task.'
  }`;
}

/** Opens the store for one question, and closes it. */
export async function asked<T>(around: Surroundings, work: (opened: Opened) => Promise<T>): Promise<T> {
  const opened = await around.open();
  try {
    return await work(opened);
  } finally {
    await opened.ports.store.close();
  }
}
