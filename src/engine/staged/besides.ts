import type { Moved } from '../../kernel/event.ts';
import type { Draft } from '../draft.ts';
import { EngineError } from '../engine-error.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { isAddition } from './additions.ts';
import { writeTaskMd } from './document.ts';
import { fence } from './fence.ts';
import { withLateAgent } from './papers.ts';
import { viewTask } from './task.ts';
import { taskNameOf } from './task-name.ts';
import { makeAgentWorktrees } from './worktrees.ts';

/**
 * What goes with a step of a task beside its write: the fence of the lease, the first `task.md`, the worktree of an
 * agent that comes late and its place in `task.md`. Each can be done again; where one fails, the step is not taken.
 */
export async function besides(ports: Ports, write: Draft, handle: Handle): Promise<void> {
  await fence(ports, write, handle);
  const moved = write.touched.get(handle.id)?.events.find((event): event is Moved => event.type === 'moved');
  if (moved?.command === 'document') await writeTaskMd(ports, handle);
  if (moved !== undefined && isAddition(moved.command)) await joinLate(ports, handle, moved);
}

/** Throws where git makes no worktree: then nothing else was changed (PROTO-127, PROTO-133). */
async function joinLate(ports: Ports, handle: Handle, moved: Moved): Promise<void> {
  const { agent = '' } = moved.arguments;
  await makeAgentWorktrees(ports, handle);
  const { layout, settings, worktrees } = await viewTask(ports, taskNameOf(handle), '');
  const path = layout.agentCode(agent);
  if (!worktrees.has(path))
    throw new EngineError('DAMAGED', `git knows no worktree ${path}`, 'look at it with git worktree list');
  const text = ports.workspace.readFile(layout.taskMd)?.toString('utf8') ?? '';
  const late = { agent, state: moved.origin, reason: moved.reason, answers: moved.arguments };
  ports.workspace.writeFile(layout.taskMd, withLateAgent(text, settings.headings[2] ?? '', late));
}
