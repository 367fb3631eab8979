import { shellWord } from '../../kernel/single-quoted.ts';
import { appending } from '../appending.ts';
import type { Caller } from '../caller.ts';
import { EngineError } from '../engine-error.ts';
import { type Handle, loadItem } from '../handle.ts';
import { NEW_ITEM } from '../new-item.ts';
import { openItems } from '../open.ts';
import { nowOf, type Ports } from '../ports.ts';
import { stillStands } from '../standing.ts';
import { assertCoordinates } from './coordinates.ts';
import { lastCheck } from './feasibility.ts';
import { tellLease } from './lease-hands.ts';
import { assertSession, foreign, readLease, taking, taskLease } from './leases.ts';
import { knownMain, landsOn, nameOf } from './main-branch.ts';
import { mainHead } from './main-head.ts';
import { type Choice, crashedQuestion } from './selection.ts';
import { clearAway } from './start-fresh.ts';
import { hasEnded, type TaskView, viewTask } from './task.ts';
import { givePorts } from './tree-ports.ts';
import { assertMerged, assertOwnNames, makeTaskWorktree } from './worktrees.ts';

export interface Started {
  readonly kind: 'started' | 'resumed';
  readonly handle: Handle;
  readonly view: TaskView;
}

export interface StartTask {
  readonly task: string;
  readonly session: string;
  readonly kind: string;
  readonly criteria: string;
  /** What a person chose about a worktree that nobody holds; undefined while nobody was asked. */
  readonly choice: Choice | undefined;
}

/**
 * Takes a task up: its lease and its item in one write, then its worktree (PROTO-02, PROTO-84 to PROTO-86). A task that
 * the session holds already goes on where it was (PROTO-47). Throws NO_CREDENTIAL where somebody else holds it, or
 * where a person has to decide; BAD_INPUT without a check on record.
 */
export async function startTask(ports: Ports, caller: Caller, asked: StartTask): Promise<Started> {
  assertSession(asked.session);
  assertCoordinates(caller, `take ${asked.task} up`);
  const view = await viewTask(ports, asked.task, asked.session);
  const started = await taken(ports, caller, asked, view);
  await givePorts(ports, view, ['']);
  return started;
}

async function taken(ports: Ports, caller: Caller, asked: StartTask, view: TaskView): Promise<Started> {
  const { selection, because } = view.selected;
  if (selection === 'RESUME')
    return { kind: 'resumed', handle: await loadItem(ports, view.lease.item), view };
  if (selection === 'SELECT_ALTERNATIVE' && view.lease.holder !== undefined)
    throw foreign(view.lease.stream, view.lease.holder);
  if (selection === 'ERROR') {
    if (view.lease.item !== '') return recovered(ports, view);
    throw new EngineError('NO_CREDENTIAL', because, putBack(asked.task));
  }
  if (selection === 'ASK_USER') return chosen(ports, caller, asked, view);
  await assertChecked(ports, asked, view);
  return begun(ports, caller, asked, view);
}

/** A session that died while its worktree was being made: what it holds has none yet, and gets it now. */
async function recovered(ports: Ports, view: TaskView): Promise<Started> {
  const handle = await loadItem(ports, view.lease.item);
  if (handle.item.state !== 'INIT')
    throw new EngineError('NO_CREDENTIAL', view.selected.because, putBack(view.layout.task));
  makeTaskWorktree(ports, view, String(handle.item.facts.head ?? 'HEAD'));
  return { kind: 'resumed', handle, view };
}

/** A person gives a task back whose tree is gone: whoever takes it up gets the tree made anew, on the branch as it is. */
const putBack = (task: string) =>
  `a person runs: countersign lease force ${task} --reason WHY; then countersign task check ${task} and countersign task start ${task} make the worktree again, where it was`;

async function chosen(ports: Ports, caller: Caller, asked: StartTask, view: TaskView): Promise<Started> {
  const { layout } = view;
  if (asked.choice === undefined || caller.proof === undefined)
    throw new EngineError(
      'NO_CREDENTIAL',
      crashedQuestion(asked.task, layout.code, layout.taskJson).join('\n'),
      `a person runs: countersign task start ${asked.task} --choose fresh|resume|other`,
    );
  await stillStands(ports, caller);
  if (asked.choice === 'other')
    throw new EngineError(
      'BAD_INPUT',
      `${asked.task} is left as it is`,
      'choose another task: countersign task list',
    );
  await assertChecked(ports, asked, view);
  if (asked.choice === 'fresh') {
    await clearAway(ports, caller, asked, view);
    return begun(ports, caller, asked, { ...view, hasWorktree: false });
  }
  return begun(ports, caller, asked, view);
}

async function assertChecked(ports: Ports, { task, session }: StartTask, view: TaskView): Promise<void> {
  const check = await lastCheck(ports, task, session);
  const again = `countersign task check ${task}`;
  if (check === undefined)
    throw new EngineError('BAD_INPUT', `whether ${task} can be done was not checked by this session`, again);
  const failed = check.points.filter(({ passed, name }) => !passed && name !== 'availability');
  if (failed.length > 0)
    throw new EngineError(
      'BAD_INPUT',
      failed.map(({ because }) => because).join('; '),
      'choose another task: countersign task list',
    );
  if (check.entry !== (view.entry?.digest ?? ''))
    throw new EngineError('BAD_INPUT', `the entry of ${task} has changed since it was checked`, again);
}

/** The item and its lease in one write, or neither. What was begun before and never left INIT is taken up again. */
async function begun(ports: Ports, caller: Caller, asked: StartTask, view: TaskView): Promise<Started> {
  const handle = (await takenUp(ports, caller, asked, view)) ?? (await opened(ports, caller, asked, view));
  if (!view.hasWorktree) {
    try {
      makeTaskWorktree(ports, view, String(handle.item.facts.head ?? 'HEAD'));
    } catch (error) {
      await giveUp(ports, caller, asked.task, asked.session, 'its worktree could not be made');
      throw error;
    }
  }
  return { kind: 'started', handle, view };
}

async function opened(ports: Ports, caller: Caller, asked: StartTask, view: TaskView): Promise<Handle> {
  await assertMerged(ports, view);
  // Of what is there already a person has said what becomes of it.
  if (asked.choice === undefined) await assertOwnNames(ports, view);
  const { task, session, kind, criteria } = asked;
  // It lands on the main branch, and begins there: what the caller's working tree has beside it is none of the task's.
  const from = { head: await landsOn(ports), branch: await knownMain(ports) };
  if (nameOf(from.branch) === '')
    throw new EngineError(
      'BAD_INPUT',
      'nothing says on which branch the task is to land: none is checked out in the main working tree',
      `check it out there (git -C ${shellWord(ports.workspace.main)} checkout BRANCH), or name it as default_branch in .countersign/config.yaml`,
    );
  const facts = { task, entry: view.entry?.digest ?? '', main: await mainHead(ports) };
  const item = { ...NEW_ITEM, title: task, list: 'main', kind, criteria, protocol: 'staged', facts, from };
  const [handle] = await openItems(ports, caller, [item], async (write, [first]) => {
    const read = await readLease(ports, view.lease.stream);
    if (read.holder !== undefined) throw foreign(read.stream, read.holder);
    const given = { at: write.at, by: caller.actor.id, session, operation: '', item: first?.id ?? '' };
    write.documents.push(taking(read, given, write.commandId));
  });
  if (handle === undefined) throw new EngineError('BUSY', 'nothing was opened', 'try again');
  return handle;
}

async function takenUp(
  ports: Ports,
  { actor }: Caller,
  { session }: StartTask,
  { lease }: TaskView,
): Promise<Handle | undefined> {
  if (lease.item === '') return undefined;
  const handle = await loadItem(ports, lease.item);
  if (hasEnded(handle)) return undefined;
  const commandId = ports.newId();
  const given = { at: nowOf(ports), by: actor.id, session, operation: '', item: lease.item };
  const result = await ports.store.commit(appending(commandId, taking(lease, given, commandId)));
  if (result.kind === 'committed') return handle;
  throw new EngineError('BUSY', 'another session was faster', 'choose another task: countersign task list');
}

/** Gives a task back that came to nothing. */
export const giveUp = (ports: Ports, caller: Caller, task: string, session: string, reason: string) =>
  tellLease(ports, caller, { stream: taskLease(task), session, what: 'release', reason });
