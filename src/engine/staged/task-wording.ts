import type { Ports } from '../ports.ts';
import { planText } from './probes-papers.ts';
import { agentsOf, viewTask } from './task.ts';
import { taskItem } from './task-item.ts';
import { type Finding, lintWording, type Said } from './wording.ts';

export interface Linted {
  readonly task: string;
  readonly said: Said;
  readonly findings: readonly Finding[];
}

/** Judges the wording of a task's plan, or of a reply by where the task stands (PROTO-114 to PROTO-116, PROTO-296 to PROTO-301). */
export async function lintTask(ports: Ports, task: string, reply: string | undefined): Promise<Linted> {
  const handle = await taskItem(ports, task);
  const { layout, settings } = await viewTask(ports, task, '');
  const agents = agentsOf(handle);
  const said: Said =
    reply === undefined
      ? 'plan'
      : handle.item.state === 'AWAITING_USER_APPROVAL'
        ? 'change-request'
        : 'coordinator';
  const text =
    reply ?? planText(ports.workspace.readFile(layout.taskMd)?.toString('utf8') ?? '', settings.planHeading);
  return { task, said, findings: lintWording(text, { said, task, agents }) };
}
