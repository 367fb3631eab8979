import { EngineError } from '../engine-error.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { firstTaskMd } from './papers.ts';
import { agentsOf, viewTask } from './task.ts';
import { taskNameOf } from './task-name.ts';

/** Writes the first `task.md` of a task from its entry, with a place for each agent. Never over another that is there (PROTO-151 to PROTO-155). */
export async function writeTaskMd(ports: Ports, handle: Handle): Promise<void> {
  const task = taskNameOf(handle);
  const { entry, layout, settings } = await viewTask(ports, task, '');
  const about = {
    purpose: entry?.fields.Purpose ?? '',
    scope: entry?.fields.Scope ?? '',
    headings: settings.headings,
  };
  const text = firstTaskMd(task, about, agentsOf(handle));
  const there = ports.workspace.readFile(layout.taskMd)?.toString('utf8');
  if (there !== undefined && there !== text)
    throw new EngineError('BAD_INPUT', `${layout.taskMd} is there already`, 'edit it');
  ports.workspace.writeFile(layout.taskMd, text);
}
