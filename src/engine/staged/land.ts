import { shellWord } from '../../kernel/single-quoted.ts';
import type { Caller } from '../caller.ts';
import { EngineError } from '../engine-error.ts';
import type { Handle } from '../handle.ts';
import { criteriaOf } from '../judged-by.ts';
import type { Ports } from '../ports.ts';
import { questionOf } from '../run-question.ts';
import { readWorld } from '../world.ts';
import { heldTask } from './held-task.ts';
import { holdsMerged, isSaidToLand, landingMessage } from './landed-commit.ts';
import { takeLease, tellLease } from './lease-hands.ts';
import { foreign, MAIN_LEASE, readLease, shown } from './leases.ts';
import { unfitToLand } from './left-out.ts';
import { noteOfTask, notesOfTask } from './looks.ts';
import { goneMain, landsOn, mainBranch } from './main-branch.ts';
import type { Merged } from './merge.ts';
import type { TaskView } from './task.ts';
import { taskItem } from './task-item.ts';
import { taskNameOf } from './task-name.ts';

export interface LandTask {
  readonly task: string;
  readonly session: string;
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
}

/**
 * Lands an approved task: takes the main worktree, makes one commit of the work with its entry in the list, has the
 * checks run on it where the main branch moved meanwhile, and moves the branch there. The main worktree is given back,
 * whatever happens (PROTO-65 to PROTO-82, PROTO-239, section 7.4 of the readings). Until the branch moves nothing is
 * changed; asked again after a crash it finds what is done, and puts back what had only come to the files.
 */
export async function landTask(ports: Ports, caller: Caller, asked: LandTask): Promise<Merged> {
  const { task, session } = asked;
  const view = await heldTask(ports, caller, { task, session, what: 'land' });
  const handle = await taskItem(ports, task);
  if (handle.item.state !== 'COMPLETE')
    throw new EngineError(
      'BAD_INPUT',
      `${task} is ${handle.item.state}: only what a person approved lands`,
      `countersign task show ${task}`,
    );
  const taking = await takeLease(ports, caller, { stream: MAIN_LEASE, session, operation: 'git-operation' });
  if (taking.kind === 'held') throw foreign(MAIN_LEASE, taking.holder);
  try {
    return await landed(ports, caller, { handle, view, asked }, [
      { stream: MAIN_LEASE, token: taking.holder.token },
      { stream: view.lease.stream, token: view.lease.holder?.token ?? 0 },
    ]);
  } finally {
    await givenBack(ports, caller, task, session);
  }
}

/** A taking of a lease under which something is done. */
interface Under {
  readonly stream: string;
  readonly token: number;
}

interface Landing {
  readonly handle: Handle;
  readonly view: TaskView;
  readonly asked: LandTask;
}

async function landed(
  ports: Ports,
  caller: Caller,
  { handle, view, asked }: Landing,
  under: readonly Under[],
): Promise<Merged> {
  const { workspace } = ports;
  const commit = handle.item.subjects.commit?.digest ?? '';
  workspace.settle(workspace.main);
  const { head } = await mainTree(ports, handle);
  const before = await landingOf(ports, handle, head);
  if (before !== '') {
    await assertGoesTogether(ports, caller, handle, asked, before);
    if (behindLanding(ports, before).length > 0) workspace.forward(workspace.main, before);
    return { head: before, conflicts: [], fix: '' };
  }
  if (!workspace.isUnchanged(workspace.main))
    throw new EngineError(
      'BAD_INPUT',
      `${workspace.main} has changes that are not committed`,
      'commit or drop them, then land again',
    );
  const { tree, conflicts } = workspace.merged(head, commit);
  if (conflicts.length > 0) return { head, conflicts, fix: wayBack(asked.task) };
  const found = await unfitToLand(ports, handle, view, { onto: head, commit });
  if (found !== undefined)
    throw new EngineError(
      'BAD_INPUT',
      found.because,
      `countersign task request-change ${asked.task} --reason WHY; then ${found.fix}`,
    );
  const made = workspace.commitTree(tree, head, landingMessage(asked.task, commit));
  await assertGoesTogether(ports, caller, handle, asked, made);
  await assertStillDue(ports, asked.task, commit, under);
  workspace.forward(workspace.main, made);
  return { head: made, conflicts: [], fix: '' };
}

/** Submodules of the main tree that could not follow a landing, or whose turn did not come: another try brings them. */
export const behindLanding = ({ workspace }: Pick<Ports, 'workspace'>, landing: string): readonly string[] =>
  workspace.behind(workspace.main, workspace.commitOf(`${landing}^`));

/** While the checks ran a lease may have been taken away, and a person may have said that nothing lands. Throws NO_CREDENTIAL, BAD_INPUT. */
async function assertStillDue(
  ports: Ports,
  task: string,
  commit: string,
  under: readonly Under[],
): Promise<void> {
  for (const { stream, token } of under) {
    const { holder } = await readLease(ports, stream);
    if (holder === undefined)
      throw new EngineError(
        'NO_CREDENTIAL',
        `${shown(stream)} was given back or taken away while the checks ran: nothing landed`,
        `countersign task land ${task}, or where nobody holds it any more: countersign task start ${task}`,
      );
    if (holder.token !== token) throw foreign(stream, holder);
  }
  const { item } = await taskItem(ports, task);
  if (item.state === 'COMPLETE' && item.subjects.commit?.digest === commit) return;
  throw new EngineError(
    'BAD_INPUT',
    `${task} is ${item.state} by now: nothing landed`,
    `countersign task show ${task}`,
  );
}

/** The main working tree, on the branch that things land on. Throws BAD_INPUT on another. */
async function mainTree(ports: Ports, handle: Handle): Promise<{ readonly head: string }> {
  const { workspace } = ports;
  const { here } = await mainBranch(ports, handle);
  const [main] = workspace.worktrees();
  if (main !== undefined && here === `refs/heads/${main.branch}`) return main;
  const name = here.replace(/^refs\/(heads|remotes\/[^/]+)\//, '');
  if (workspace.commitOf(here) === '') throw goneMain(name);
  throw new EngineError(
    'BAD_INPUT',
    `${workspace.main} is on ${main?.branch || 'no branch'}, and things land on ${name}`,
    `check that branch out there: git -C ${shellWord(workspace.main)} checkout ${name}`,
  );
}

/** How a task goes on that cannot land: it is built on, and a person approves it anew. */
const wayBack = (task: string): string =>
  `countersign task request-change ${task} --reason WHY, then countersign task merge ${task} main`;

/** How the tree of a landing was judged last; undefined where nobody had it judged. */
async function judgedTogether(
  ports: Pick<Ports, 'store'>,
  handle: Handle,
  tree: string,
): Promise<boolean | undefined> {
  const commit = handle.item.subjects.commit?.digest ?? '';
  const last = (await notesOfTask(ports, taskNameOf(handle))).findLast(
    (note) => note.type === 'landing-judged' && note.commit === commit && note.tree === tree,
  );
  return last?.type === 'landing-judged' ? last.passed : undefined;
}

/** Whether a landing holds nothing but what was approved, or was seen to pass as a whole. */
export async function isChecked(
  ports: Pick<Ports, 'store' | 'workspace'>,
  handle: Handle,
  landing: string,
): Promise<boolean> {
  const tree = ports.workspace.treeOf(landing);
  if (tree === ports.workspace.treeOf(handle.item.subjects.commit?.digest ?? '')) return true;
  return (await judgedTogether(ports, handle, tree)) === true;
}

/** What was approved and what was on the branch already are not yet known to go together: that they do is put on record. Throws BAD_INPUT. */
async function assertGoesTogether(
  ports: Ports,
  caller: Caller,
  handle: Handle,
  asked: LandTask,
  made: string,
): Promise<void> {
  const { workspace } = ports;
  if (await isChecked(ports, handle, made)) return;
  const tree = workspace.treeOf(made);
  const failed = await failuresOf(ports, handle, asked, { made, tree, base: workspace.commitOf(`${made}^`) });
  const commit = handle.item.subjects.commit?.digest ?? '';
  const { session, task } = asked;
  const judged = { session, commit, tree, passed: failed === undefined };
  await noteOfTask(ports, caller, task, { type: 'landing-judged', ...judged });
  if (failed === undefined) return;
  throw new EngineError(
    'BAD_INPUT',
    `together with what is on the main branch by now the checks do not pass: ${failed}`,
    `nothing landed: ${wayBack(task)}`,
  );
}

/** Whether a task is known not to land on the main branch as that is now. */
export async function isStuck(ports: Ports, handle: Handle, view: TaskView): Promise<boolean> {
  const onto = await landsOn(ports, handle);
  if (onto === '') return false;
  const commit = handle.item.subjects.commit?.digest ?? '';
  const { tree, conflicts } = ports.workspace.merged(onto, commit);
  if (conflicts.length > 0 || (await unfitToLand(ports, handle, view, { onto, commit })) !== undefined)
    return true;
  return (await judgedTogether(ports, handle, tree)) === false;
}

/** What the checks say of a commit on the main branch, undefined where all pass. */
async function failuresOf(
  ports: Ports,
  handle: Handle,
  { signal, onProgress }: LandTask,
  { made, tree, base }: { readonly made: string; readonly tree: string; readonly base: string },
): Promise<string | undefined> {
  const found = await criteriaOf(ports, handle);
  if (found === undefined)
    throw new EngineError('BAD_INPUT', 'the criteria of the task are gone', 'countersign criteria show');
  const { world } = await readWorld(ports, handle.protocol, handle.item.list);
  const { verdict, checks } = await ports.runner.run({
    ...(await questionOf(ports, handle, world, { criteria: found.text, criteriaPath: found.criteria.path })),
    ...{ commit: made, tree, base, signal, onProgress },
  });
  if (verdict === 'pass') return undefined;
  const failed = checks.filter(({ outcome }) => outcome !== 'pass');
  return failed.map(({ id, explanation }) => `${id}: ${explanation}`).join('; ') || verdict;
}

/**
 * The commit of the branch that holds exactly what was approved on top of what was there, '' for none, and where it was taken back.
 * What git makes of both may be something else by now, such as by attributes that landed with it: then it is known by how it was judged.
 */
export async function landingOf(
  ports: Pick<Ports, 'store' | 'workspace'>,
  handle: Handle,
  branch: string,
): Promise<string> {
  const { workspace } = ports;
  const { item } = handle;
  const commit = item.subjects.commit?.digest ?? '';
  if (workspace.commitOf(branch) === '') return '';
  // By its change, whatever else somebody did to the same files since.
  const isTakenBack = (sha: string) => {
    const from = workspace.commitOf(`${sha}^`);
    const { held, lacked } = workspace.becameOf(
      { from, to: sha, paths: workspace.changed(from, sha) },
      workspace.commitOf(branch),
    );
    return held.length === 0 && lacked.length > 0;
  };
  const made = workspace.commits(String(item.facts.head ?? ''), branch);
  for (const one of made.filter((each) => isSaidToLand(each, commit)).reverse()) {
    const isLanding =
      holdsMerged(ports, one, commit) ||
      (await judgedTogether(ports, handle, workspace.treeOf(one.sha))) === true;
    if (isLanding && !isTakenBack(one.sha)) return one.sha;
  }
  return '';
}

/** A lease that a person took away meanwhile need not be given back. */
async function givenBack(ports: Ports, caller: Caller, task: string, session: string): Promise<void> {
  const { holder } = await readLease(ports, MAIN_LEASE);
  if (holder?.session !== session) return;
  const released = { stream: MAIN_LEASE, session, what: 'release', reason: `landed ${task}` } as const;
  try {
    await tellLease(ports, caller, released);
  } catch (error) {
    // A session that lands a task twice at once gives it back twice: what has landed is not refused for that.
    if (!(error instanceof EngineError) || error.code !== 'NOT_FOUND') throw error;
  }
}
