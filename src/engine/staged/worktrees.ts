import type { Caller } from '../caller.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { assertCoordinates } from './coordinates.ts';
import { agentsOf, type TaskView, viewTask } from './task.ts';
import { taskItem } from './task-item.ts';
import { taskNameOf } from './task-name.ts';

/** The same for whoever asks for it by the task's name. Throws NO_CREDENTIAL. */
export async function makeWorktreesOf(
  ports: Ports,
  caller: Caller,
  task: string,
): Promise<readonly string[]> {
  assertCoordinates(caller, `make the worktrees of ${task}`);
  return makeAgentWorktrees(ports, await taskItem(ports, task));
}

/**
 * Makes the worktrees that the agents of a task lack, each on a branch of its own from where the task stands
 * (PROTO-87, PROTO-127). Where git refuses one, those made by this call are taken back. Answers the agents that got one.
 */
export async function makeAgentWorktrees(ports: Ports, handle: Handle): Promise<readonly string[]> {
  const view = await viewTask(ports, taskNameOf(handle), '');
  const lacking = agentsOf(handle).filter((agent) => !view.worktrees.has(view.layout.agentCode(agent)));
  const made: string[] = [];
  try {
    for (const agent of lacking) {
      makeOne(ports, view, agent);
      made.push(agent);
    }
  } catch (error) {
    for (const agent of made) takeBack(ports, view, agent);
    throw error;
  }
  return made;
}

function makeOne({ workspace }: Ports, { layout }: TaskView, agent: string): void {
  const path = layout.agentCode(agent);
  workspace.addWorktree({ path, branch: layout.agentBranch(agent), from: `refs/heads/${layout.branch}` });
}

function takeBack({ workspace }: Ports, { layout }: TaskView, agent: string): void {
  workspace.removeWorktree(layout.agentCode(agent));
  workspace.deleteBranch(layout.agentBranch(agent));
}
