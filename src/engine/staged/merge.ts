import { shellWord } from '../../kernel/single-quoted.ts';
import type { Caller } from '../caller.ts';
import { EngineError } from '../engine-error.ts';
import type { Handle } from '../handle.ts';
import { type PhasedPart, phasedParts } from '../phases/phased-parts.ts';
import type { Ports } from '../ports.ts';
import { heldTask } from './held-task.ts';
import type { TaskLayout } from './layout.ts';
import type { StagedSettings } from './settings.ts';
import { taskItem } from './task-item.ts';
import { validatedCommits } from './validated.ts';

export interface Merged {
  readonly head: string;
  readonly conflicts: readonly string[];
}

/** Brings an agent's branch into the branch of the task, in the task's worktree, once the agent has validated it (PROTO-21, PROTO-250, PROTO-299). */
export async function mergeAgent(
  ports: Ports,
  caller: Caller,
  asked: { readonly task: string; readonly agent: string; readonly session: string },
): Promise<Merged> {
  const { layout, settings } = await heldTask(ports, caller, { ...asked, what: 'merge' });
  const handle = await taskItem(ports, asked.task);
  if (handle.item.state !== 'IMPLEMENTATION')
    throw new EngineError(
      'BAD_INPUT',
      `${asked.task} is ${handle.item.state}: nothing is merged now`,
      `countersign task show ${asked.task}`,
    );
  assertOnBranch(ports, layout);
  const part = (await phasedParts(ports, handle)).find(({ task }) => task === asked.agent);
  if (part !== undefined) return mergePart(ports, layout, settings, part);
  const branch = layout.agentBranch(asked.agent);
  if (ports.workspace.commitOf(`refs/heads/${branch}`) === '')
    throw new EngineError(
      'NOT_FOUND',
      `there is no branch ${branch}`,
      `countersign task worktrees ${asked.task}`,
    );
  const commit = validatedHead(ports, handle, asked, layout);
  const message = `merge ${branch}\n\n${settings.commitTag.replaceAll('{agent}', asked.agent)}`;
  return ports.workspace.merge(layout.code, commit, message);
}

/** A merge goes into what is checked out in the task's worktree: that has to be the branch of the task. Throws BAD_INPUT. */
function assertOnBranch({ workspace }: Pick<Ports, 'workspace'>, { branch, code }: TaskLayout): void {
  const on = workspace.worktrees().find(({ path }) => path === code)?.branch ?? '';
  if (on === branch) return;
  throw new EngineError(
    'BAD_INPUT',
    `${code} is on ${on || 'no branch'}, and what is merged belongs into ${branch}`,
    `check that branch out there: git -C ${shellWord(code)} checkout ${branch}`,
  );
}

/** Of a task in phases below it, the very commit is merged that its reviewers approved. Throws BAD_INPUT before. */
function mergePart(
  { workspace }: Pick<Ports, 'workspace'>,
  { code }: TaskLayout,
  { commitTag }: Pick<StagedSettings, 'commitTag'>,
  { task, branch, commit }: PhasedPart,
): Merged {
  if (commit === '')
    throw new EngineError(
      'BAD_INPUT',
      `not all phases of ${task} are approved`,
      `see where it stands: countersign phase status ${task}`,
    );
  return workspace.merge(code, commit, `merge ${branch}\n\n${commitTag.replaceAll('{agent}', task)}`);
}

/**
 * The commit that is merged, by its id: the very one that its agent validated, whatever else has the name of the branch or
 * moves it meanwhile. What is in the task already is nothing to merge. Throws BAD_INPUT.
 */
function validatedHead(
  { workspace, git }: Ports,
  handle: Handle,
  { task, agent }: { readonly task: string; readonly agent: string },
  layout: TaskLayout,
): string {
  const branch = layout.agentBranch(agent);
  const head = workspace.commitOf(`refs/heads/${branch}`);
  if (validatedCommits(handle, agent).includes(head)) return head;
  if (git.isAncestor(head, workspace.commitOf(`refs/heads/${layout.branch}`))) return head;
  throw new EngineError(
    'BAD_INPUT',
    `${agent} has not said that ${head.slice(0, 12)} of ${branch} is complete: what is merged was validated by its agent before`,
    `${agent} validates it in its worktree, and says so: countersign task status ${task} COMPLETE`,
  );
}
