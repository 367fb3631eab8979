import { expand } from '../kernel/protocol.ts';
import { type Draft, touch } from './draft.ts';
import { tieTo } from './goal-link.ts';
import { goalOf } from './goal-of.ts';
import { type Handle, loadById, loadItem } from './handle.ts';
import { successorTo } from './migration.ts';
import { noteOf } from './note-of.ts';
import type { Ports } from './ports.ts';
import { tellList } from './react.ts';

/** Ids of what an item depends on as things stand: what was replaced has handed that over to what took its place. */
export async function waitsFor(ports: Pick<Ports, 'store'>, { id }: Handle): Promise<readonly string[]> {
  const ids = new Set<string>();
  for (const link of await ports.store.linksFrom(id)) {
    if (link.kind !== 'depends-on') continue;
    let now = await loadById(ports, link.to);
    for (let later = successorTo(now.item); later !== undefined; later = successorTo(now.item))
      now = await loadItem(ports, later.item);
    ids.add(now.id);
  }
  return [...ids];
}

/** What still waits for an item: neither through with its work nor replaced. */
export async function waitingFor(ports: Pick<Ports, 'store'>, id: string): Promise<readonly string[]> {
  const waiting: string[] = [];
  for (const link of await ports.store.linksTo(id)) {
    if (link.kind !== 'depends-on') continue;
    const { display, protocol, item } = await loadById(ports, link.from);
    if (protocol.states[item.state]?.final !== true && successorTo(item) === undefined) waiting.push(display);
  }
  return waiting;
}

/** Whoever waited for the superseded item waits for the new one. */
export async function handOver(ports: Ports, write: Draft, old: Handle, created: Handle): Promise<void> {
  const gone = { group: 'dependencies', asked: '', marks: {}, moves: [] };
  const base = { type: 'noted' as const, at: write.at, by: 'engine' };
  for (const waiting of await ports.store.linksTo(old.id)) {
    if (waiting.kind !== 'depends-on') continue;
    const dependant = await loadItem(ports, waiting.from);
    const category = created.protocol.states[created.item.state]?.category ?? '';
    touch(write, dependant, [
      { ...base, ...gone, member: old.display, state: '', category: '' },
      { ...base, ...gone, member: created.display, state: created.item.state, category },
    ]);
    write.links.push({ from: dependant.id, kind: 'depends-on', to: created.id });
  }
}

/** Its list and its goal no longer count the superseded item; the goal counts the new one. Call after the link is written. */
export async function replaceIn(ports: Ports, write: Draft, old: Handle, created: Handle): Promise<void> {
  const gone = write.touched.get(old.id)?.handle ?? old;
  for (const policy of gone.protocol.policies.filter(({ tell }) => tell === 'list'))
    tellList(write, gone, noteOf(gone, { ...policy, moves: [] }, write.at));
  const goal = goalOf(gone);
  if (goal === '') return;
  swapIn(write, write.touched.get(goal)?.handle ?? (await loadById(ports, goal)), gone, created);
}

/** The same of its goal alone, and only where that still takes tasks (GOAL-42): one that has ended is left as it is. */
export async function replaceInGoal(ports: Ports, write: Draft, old: Handle, created: Handle): Promise<void> {
  const gone = write.touched.get(old.id)?.handle ?? old;
  const id = goalOf(gone);
  if (id === '' || !created.protocol.policies.some(({ tell }) => tell === 'goal')) return;
  const goal = write.touched.get(id)?.handle ?? (await loadById(ports, id));
  const { protocol, item } = goal;
  const takes = protocol.rows.some(
    ({ command, from }) => command === 'link' && expand(protocol, from).includes(item.state),
  );
  if (takes) swapIn(write, goal, gone, created);
}

function swapIn(write: Draft, goal: Handle, gone: Handle, created: Handle): void {
  let known = goal;
  for (const policy of gone.protocol.policies.filter(({ tell }) => tell === 'goal'))
    known = touch(write, known, [noteOf(gone, { ...policy, moves: [] }, write.at)]);
  tieTo(write, known, created, true);
}
