import type { Caller } from '../caller.ts';
import { EngineError } from '../engine-error.ts';
import type { Ports } from '../ports.ts';
import { takeLease, tellLease } from './lease-hands.ts';
import { foreign, MAIN_LEASE, readLease } from './leases.ts';
import { type TaskView, viewTask } from './task.ts';
import { taskItem } from './task-item.ts';

async function heldTask(ports: Ports, task: string, session: string): Promise<TaskView> {
  const view = await viewTask(ports, task, session);
  const { holder, stream } = view.lease;
  if (holder === undefined)
    throw new EngineError('NO_CREDENTIAL', `nobody holds ${task}`, `countersign task start ${task}`);
  if (view.holding !== 'own') throw foreign(stream, holder);
  return view;
}

export interface Merged {
  readonly head: string;
  readonly conflicts: readonly string[];
}

/** Brings an agent's branch into the branch of the task, in the task's worktree (PROTO-21, PROTO-250). */
export async function mergeAgent(
  ports: Ports,
  asked: { readonly task: string; readonly agent: string; readonly session: string },
): Promise<Merged> {
  const { layout, settings } = await heldTask(ports, asked.task, asked.session);
  const handle = await taskItem(ports, asked.task);
  if (handle.item.state !== 'IMPLEMENTATION')
    throw new EngineError(
      'BAD_INPUT',
      `${asked.task} is ${handle.item.state}: nothing is merged now`,
      `countersign task show ${asked.task}`,
    );
  const branch = layout.agentBranch(asked.agent);
  if (ports.workspace.commitOf(`refs/heads/${branch}`) === '')
    throw new EngineError(
      'NOT_FOUND',
      `there is no branch ${branch}`,
      `countersign task worktrees ${asked.task}`,
    );
  const message = `merge ${branch}\n\n${settings.commitTag.replaceAll('{agent}', asked.agent)}`;
  return ports.workspace.merge(layout.code, branch, message);
}

/**
 * Lands an approved task: takes the main worktree, makes one commit of it with the entry in the list, and gives the main
 * worktree back, whatever happens (PROTO-65 to PROTO-82, PROTO-239). Asked again after a crash it finds what is done.
 */
export async function landTask(
  ports: Ports,
  caller: Caller,
  { task, session }: { readonly task: string; readonly session: string },
): Promise<Merged> {
  const { layout } = await heldTask(ports, task, session);
  const { item } = await taskItem(ports, task);
  const commit = item.subjects.commit?.digest ?? '';
  if (item.state !== 'COMPLETE')
    throw new EngineError(
      'BAD_INPUT',
      `${task} is ${item.state}: only what a person approved lands`,
      `countersign task show ${task}`,
    );
  const { workspace } = ports;
  const taking = await takeLease(ports, caller, { stream: MAIN_LEASE, session, operation: 'git-operation' });
  if (taking.kind === 'held') throw foreign(MAIN_LEASE, taking.holder);
  try {
    const head = workspace.commitOf('HEAD');
    const changed = workspace.changed(String(item.facts.head ?? head), commit);
    const main = workspace.worktrees()[0];
    if (main === undefined || ports.git.differing(commit, main.head, changed).length === 0)
      return { head: main?.head ?? head, conflicts: [] };
    if (!workspace.isUnchanged(workspace.main))
      throw new EngineError(
        'BAD_INPUT',
        `${workspace.main} has changes that are not committed`,
        'commit or drop them, then land again',
      );
    const { holder } = await readLease(ports, MAIN_LEASE);
    if (holder?.token !== taking.holder.token) throw foreign(MAIN_LEASE, holder ?? taking.holder);
    return workspace.squash(workspace.main, commit, `${task}\n\nVerified as ${commit}.`);
  } finally {
    await givenBack(ports, caller, layout.task, session);
  }
}

/** A lease that a person took away meanwhile need not be given back. */
async function givenBack(ports: Ports, caller: Caller, task: string, session: string): Promise<void> {
  const { holder } = await readLease(ports, MAIN_LEASE);
  if (holder?.session !== session) return;
  await tellLease(ports, caller, { stream: MAIN_LEASE, session, what: 'release', reason: `landed ${task}` });
}
