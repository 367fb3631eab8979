import { RUN_ROLES } from '../../identity/roster-decision.ts';
import type { AgentState } from '../agent-port.ts';
import type { Opened } from '../composition.ts';
import { type Handle, loadById } from '../handle.ts';
import { readRoster } from '../roster.ts';
import { isForOthers, placeElsewhere } from './elsewhere.ts';
import { retire } from './ended.ts';
import { taskGivenUp } from './given-up.ts';
import { endForGood, settleRun } from './health.ts';
import { lastLinked } from './links.ts';
import { isOpen } from './rounds.ts';
import { runName, runOf } from './run-name.ts';
import { runNamed } from './run-named.ts';
import { spawnFor } from './spawn.ts';
import { isWaiting, LIVE, WAITS } from './spawn-job.ts';

/** Something that was waiting, and what came of it. */
export interface Attended {
  readonly item: string;
  readonly what: string;
}

const MOST = 500;

/**
 * Brings runs and reviews on to what is true now: starts what waits for a process, records the end of what has ended, and
 * replaces reviewers who died (PHASE-93, PHASE-95, PHASE-112). Whoever comes by does it: nothing waits for a central process.
 */
export async function attend(opened: Opened): Promise<readonly Attended[]> {
  const seen: Attended[] = [];
  // A replacement that was just asked for is started in the next round.
  for (let round = 0; round < 4; round++) {
    let moved = 0;
    const live = await liveOnes(opened);
    const tasks = await Promise.all(live.map((handle) => endOfGivenUp(opened, handle)));
    for (const [n, handle] of live.entries()) {
      const what = await attendTo(opened, handle, tasks[n]);
      if (what === '') continue;
      seen.push({ item: handle.display, what });
      moved += 1;
    }
    if (moved === 0) break;
  }
  await retireEnded(opened);
  return seen;
}

/** Actors of processes that have ended, and whose watcher told nobody. */
async function retireEnded(opened: Opened): Promise<void> {
  const { ports } = opened;
  const { roster } = await readRoster(ports);
  const active = [...roster.members.values()].filter(
    ({ kind, retired, roles }) =>
      kind === 'agent' && !retired && roles.length === 1 && RUN_ROLES.includes(roles[0] ?? ''),
  );
  for (const { id } of active) {
    const state = await ports.agents.look(id);
    // What another machine started is put away there, where its tree is.
    if (state.startedAt === '' || state.elsewhere) continue;
    const ended =
      state.state === 'lost' ? await ports.agents.settle(id) : await endUnneeded(opened, id, state);
    if (ended.state === 'ended') await retire(opened, await runNamed(ports, id), id);
  }
}

/** How long a process may stay that has nothing more to say: it may still have to put its own things away. */
const PARTING_MS = 5 * 60_000;

/**
 * An agent or a reviewer may have said its last word and have its process still: it ends where its task was given up, and
 * after a while anyway.
 */
async function endUnneeded({ ports }: Opened, id: string, state: AgentState): Promise<AgentState> {
  if (state.state === 'ended') return state;
  const handle = await runNamed(ports, id);
  const task = await taskGivenUp(ports, handle);
  if (task !== '') return ports.agents.kill(id, 'engine', `${task} was given up`);
  const { item } = handle;
  // One that was killed, or given up, where its process was out of reach.
  if (item.state === 'killed') return ports.agents.kill(id, 'engine', 'it was killed');
  const isReplaced = runOf(handle) !== id && !(isWaiting(handle) && runName(handle) === id);
  const silentFor = ports.clock().getTime() - Date.parse(item.updatedAt);
  const isSpent = (isReplaced || !LIVE.includes(item.state)) && silentFor > PARTING_MS;
  return isSpent ? ports.agents.kill(id, 'engine', 'it had said its last word') : state;
}

/**
 * What was given up ends all at once: each process may take its time to go. What comes of it is recorded one by one. Answers
 * the task that was given up, '' for none.
 */
async function endOfGivenUp({ ports }: Opened, handle: Handle): Promise<string> {
  const task = await taskGivenUp(ports, handle);
  const isHere = !isWaiting(handle) && placeElsewhere(ports, handle) === '';
  if (task !== '' && isHere) await ports.agents.kill(runOf(handle), 'engine', `${task} was given up`);
  return task;
}

/** Why a reviewer that waits for a process needs none any more, '' where it does. */
async function reviewOver({ store }: Opened['ports'], handle: Handle): Promise<string> {
  if (handle.protocol.name !== 'reviewer') return '';
  const review = await loadById({ store }, lastLinked(handle, 'review'));
  return isOpen(review) ? '' : `${review.display} is ${review.item.state}`;
}

/** '' where nothing had to be done. `givenUp`: its task, where somebody has looked already whether it was given up. */
export async function attendTo(opened: Opened, handle: Handle, givenUp?: string): Promise<string> {
  const { ports } = opened;
  if (!isWaiting(handle) && placeElsewhere(ports, handle) !== '') return '';
  const task = givenUp ?? (await taskGivenUp(ports, handle));
  if (task !== '') return endForGood(opened, handle, `${task} was given up`);
  if (!isWaiting(handle)) return settleRun(opened, handle);
  const over = await reviewOver(ports, handle);
  if (over !== '') return endForGood(opened, handle, over);
  return (await isForOthers(ports, handle)) ? '' : spawnFor(opened, handle);
}

/** Everything that has, or waits for, a process. */
export async function liveOnes({ ports }: Opened): Promise<readonly Handle[]> {
  const rows = await ports.store.items({
    ...{ list: undefined, states: LIVE, categories: [], assignee: undefined, after: 0, limit: MOST },
  });
  const runs = rows.filter(({ protocol }) => WAITS.has(protocol));
  return Promise.all(runs.map(({ id }) => loadById(ports, id)));
}
