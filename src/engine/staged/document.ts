import { EngineError } from '../engine-error.ts';
import type { Ports } from '../ports.ts';
import { firstTaskMd } from './papers.ts';
import { agentsOf, viewTask } from './task.ts';
import { taskItem } from './task-item.ts';

/** Writes the first `task.md` of a task from its entry, with a place for each agent. Never over one that is there (PROTO-151 to PROTO-155). */
export async function writeTaskMd(ports: Ports, task: string): Promise<string> {
  const handle = await taskItem(ports, task);
  const { entry, layout, settings } = await viewTask(ports, task, '');
  if (handle.item.state !== 'CLASSIFIED')
    throw new EngineError(
      'BAD_INPUT',
      `${task} is ${handle.item.state}: task.md is begun in CLASSIFIED`,
      `countersign task show ${task}`,
    );
  if (ports.workspace.readFile(layout.taskMd) !== undefined)
    throw new EngineError('BAD_INPUT', `${layout.taskMd} is there already`, 'edit it');
  const about = {
    purpose: entry?.fields.Purpose ?? '',
    scope: entry?.fields.Scope ?? '',
    headings: settings.headings,
  };
  ports.workspace.writeFile(layout.taskMd, firstTaskMd(task, about, agentsOf(handle)));
  return layout.taskMd;
}
