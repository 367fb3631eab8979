import { join } from 'node:path';
import { canonicalize } from '../../attestation/canonical.ts';
import { sha256Hex } from '../../attestation/digest.ts';
import type { Caller } from '../caller.ts';
import { EngineError } from '../engine-error.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { auditTrail } from './audit-trail.ts';
import { type BesideTask, besideTask } from './beside-task.ts';
import { assertCoordinates } from './coordinates.ts';
import { archiveFolder } from './layout.ts';
import { tellLease } from './lease-hands.ts';
import { itemsOf } from './leases.ts';
import { taskJson } from './projections.ts';
import { putBack } from './put-back.ts';
import { agentsOf, hasEnded, type TaskView, viewTask } from './task.ts';
import { taskItem } from './task-item.ts';
import { assertRecyclable } from './worktrees.ts';

export interface Cleaned {
  /** What was kept, as paths. */
  readonly archive: readonly string[];
  readonly removed: readonly string[];
  /** Branches with commits that landed nowhere: they stay. */
  readonly left: readonly string[];
}

/**
 * Tidies up after a task that ended: keeps its papers in the archive and compares the copy, removes the worktrees and
 * branches, and gives the lease back last (PROTO-12, PROTO-278, section 7.4 of the readings). Each step finds what an
 * interrupted run left, so it can be asked for again. Where something is only there, nothing is removed; what a merge or a landing left
 * that never came to its end is put back first.
 */
export async function cleanTask(
  ports: Ports,
  caller: Caller,
  { task, session }: { readonly task: string; readonly session: string },
): Promise<Cleaned> {
  assertCoordinates(caller, `tidy ${task}`);
  const handle = await taskItem(ports, task);
  const view = await viewTask(ports, task, session);
  if (!hasEnded(handle))
    throw new EngineError(
      'BAD_INPUT',
      `${task} is ${handle.item.state}: it has not ended`,
      `countersign task show ${task}`,
    );
  const { holder } = view.lease;
  if (
    holder !== undefined &&
    view.holding !== 'own' &&
    caller.proof === undefined &&
    caller.actor.kind !== 'human'
  )
    throw new EngineError(
      'NO_CREDENTIAL',
      `${task} is held by session ${holder.session}`,
      'ask whoever holds it',
    );
  putBack(ports, view.layout);
  const trees = treesOf(handle, view);
  assertRecyclable(
    ports,
    view,
    trees.map(({ path }) => path),
  );
  const into = join(
    archiveFolder(ports.workspace.main, view.settings),
    await archiveName(ports, handle, view),
  );
  const archive = keepPapers(ports, handle, view, { into, beside: await besideTask(ports, task, handle.id) });
  const { removed, left } = removeTrees(ports, handle, trees);
  ports.workspace.removeFile(view.layout.folder);
  if (holder !== undefined)
    await tellLease(ports, caller, {
      stream: view.lease.stream,
      session: holder.session,
      what: 'release',
      reason: 'cleaned up',
    });
  return { archive, removed, left };
}

/** One folder for each time that a task was begun: what was kept of an earlier one is not written over. */
async function archiveName(ports: Ports, handle: Handle, { layout, lease }: TaskView): Promise<string> {
  const [first = handle.id] = await itemsOf(ports, lease.stream);
  const name = `${layout.task}-${lastSession(handle)}`;
  return first === handle.id ? name : `${name}-${handle.display}`;
}

function keepPapers(
  ports: Ports,
  handle: Handle,
  view: TaskView,
  { into, beside }: { readonly into: string; readonly beside: BesideTask },
): readonly string[] {
  const { workspace } = ports;
  const { layout } = view;
  const texts = new Map<string, string | Uint8Array>([
    ['audit-trail.json', auditTrail(ports, handle, view, beside)],
    ['task.json', taskJson(handle, view)],
    [
      'approvals.json',
      `${canonicalize(handle.item.evidence.filter(({ kind }) => kind === 'plan-approval' || kind === 'checkpoint') as never)}\n`,
    ],
  ]);
  for (const name of papersIn(ports, view))
    texts.set(name, workspace.readFile(join(layout.folder, name)) ?? '');
  return [...texts].map(([name, text]) => {
    const path = join(into, name);
    // What an earlier run kept is not replaced by less.
    if (workspace.readFile(path) === undefined || text.length > 0) workspace.writeFile(path, text);
    if (sha256Hex(workspace.readFile(path) ?? '') !== sha256Hex(text))
      throw new EngineError('DAMAGED', `${path} is not what was written`, 'clean up again');
    return path;
  });
}

/** Whatever lies in the folder of a task, beside its trees and what the engine writes there anew each time. */
function papersIn({ workspace }: Ports, { layout }: TaskView): readonly string[] {
  const own = [layout.taskJson, layout.stateJson, layout.auditTrail, layout.planFlag, layout.treeEnv('')];
  const isTree = (path: string) => /^(?:agents\/[^/]+\/)?code(?:\.gone)?$/.test(path);
  return workspace
    .filesBelow(layout.folder, isTree)
    .filter(
      (path) =>
        !own.includes(join(layout.folder, path)) && !/^agents\/[^/]+\/(?:status\.json|tree\.env)$/.test(path),
    );
}

/** The session that took the last step; the same however often it is asked. */
const lastSession = ({ id, item }: Handle): string =>
  String(
    item.steps.findLast(({ facts }) => typeof facts.session === 'string' && facts.session !== '')?.facts
      .session ?? id,
  );

/** The trees of a task; also of an agent that was to come late, and whose coming was never written. */
const treesOf = (handle: Handle, { layout, settings, worktrees }: TaskView) => {
  const late = Object.keys(settings.agents).filter((agent) => worktrees.has(layout.agentCode(agent)));
  return [
    ...[...new Set([...agentsOf(handle), ...late])].map((agent) => ({
      path: layout.agentCode(agent),
      branch: layout.agentBranch(agent),
    })),
    { path: layout.code, branch: layout.branch },
  ];
};

function removeTrees(ports: Ports, handle: Handle, trees: ReturnType<typeof treesOf>) {
  const { workspace, git } = ports;
  const listed = new Set(workspace.worktrees().map(({ path }) => path));
  const removed: string[] = [];
  const left: string[] = [];
  const landed =
    handle.item.state === 'CLEANUP' ? handle.item.subjects.commit?.digest : handle.item.facts.head;
  // Looked at before any of them goes: the caller may stand in one, where git is asked for nothing afterwards.
  const looked = trees.map((tree) => {
    const head = workspace.commitOf(`refs/heads/${tree.branch}`);
    return { ...tree, head, isIn: head !== '' && git.isAncestor(head, String(landed ?? '')) };
  });
  for (const { path, branch, head, isIn } of looked) {
    // Also one whose folder is gone: its branch counts as checked out as long as git lists it.
    if (listed.has(path)) {
      workspace.removeWorktree(path);
      removed.push(path);
    }
    if (head === '') continue;
    if (isIn) {
      workspace.deleteBranch(branch);
      removed.push(branch);
    } else left.push(branch);
  }
  return { removed, left };
}
