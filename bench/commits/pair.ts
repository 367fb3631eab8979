import { gatherAssignee } from '../../src/engine/dispatch.ts';
import { execute, plain } from '../../src/engine/execute.ts';
import { type Handle, itemStream, loadItem } from '../../src/engine/handle.ts';
import { bodyOf } from '../../src/engine/stored.ts';
import { rowOf } from '../../src/engine/transaction.ts';
import { readWorld } from '../../src/engine/world.ts';
import { type Command, type Gathered, NOTHING_GATHERED } from '../../src/kernel/command.ts';
import { decide } from '../../src/kernel/decide.ts';
import { evolve } from '../../src/kernel/evolve.ts';
import type { WorkItem } from '../../src/kernel/work-item.ts';
import type { Commit } from '../../src/store/store.ts';
import type { BenchSession } from '../scratch/repository.ts';
import type { Rows } from './floor.ts';

/** Out and back: each item of a block is dispatched, then released, so that streams stay as short as real ones. */
export const MOVES = [
  { name: 'dispatch', arguments: { to: 'owner' } },
  { name: 'release', arguments: {} },
] as const;
export type Move = (typeof MOVES)[number];

/** The whole walk of the engine: find, read, check the chain, fold, read the roster, decide, write, tell what is next. */
export async function transition({ ports, caller }: BenchSession, id: string, move: Move): Promise<void> {
  // What asks git where the default branch stands is left out: a process of git takes ten times as long as all of this.
  const gather = async ({ protocol, item }: Handle) =>
    move.name === 'dispatch'
      ? gatherAssignee((await readWorld(ports, protocol, item.list)).world, move.arguments.to)
      : NOTHING_GATHERED;
  const outcome = await execute(ports, caller, {
    ...plain,
    ...{ ref: id, name: move.name, arguments: move.arguments, gather },
  });
  if (outcome.kind !== 'done') throw new Error(`${move.name} was refused: ${outcome.because}`);
}

/** What a block of store commits begins with: the items as they are, and the world they are decided in. */
export async function readItems({ ports }: BenchSession, ids: readonly string[]) {
  const handles: Handle[] = [];
  for (const id of ids) handles.push(await loadItem(ports, id));
  const [first] = handles;
  if (first === undefined) throw new RangeError('no items');
  return { handles, ...(await readWorld(ports, first.protocol, first.item.list)) };
}

export type Block = Awaited<ReturnType<typeof readItems>>;

/** What the engine finds out for a dispatch; the store's share does not look again. */
const GATHERED: Gathered = {
  ...NOTHING_GATHERED,
  probes: { 'assignee-fits': { status: 'satisfied', because: 'the owner holds every role', fix: '' } },
};

/** Read the stream's head, judge with the kernel, append, update the view: the store's share of a transition. */
export async function commitMove(
  { ports, caller }: BenchSession,
  block: Block,
  n: number,
  move: Move,
): Promise<Rows> {
  const handle = block.handles[n];
  if (handle === undefined) throw new RangeError(`no item ${n}`);
  const stream = itemStream(handle.id);
  const { version } = await ports.store.head(stream);
  const at = ports.clock().toISOString();
  const command: Command = {
    id: ports.newId(),
    ...move,
    actor: caller.actor,
    at,
    reason: '',
    proof: undefined,
  };
  const decision = decide(handle.protocol, handle.item, command, block.world, GATHERED);
  if (decision.kind !== 'accepted') throw new Error(`${move.name} was refused: ${decision.because}`);
  const item = decision.events.reduce<WorkItem>((i, e) => evolve(handle.protocol, i, e), handle.item);
  const bodies = decision.events.map((event) => bodyOf(event, command.id));
  const row = rowOf({ ...handle, item });
  const commit: Commit = {
    commandId: command.id,
    appends: [{ stream, expected: version, bodies }],
    readSet: block.readSet,
    items: [row],
    links: [],
    jobs: [],
    fences: [],
  };
  const result = await ports.store.commit(commit);
  if (result.kind !== 'committed') throw new Error(`the commit was a ${result.kind}`);
  const from = {
    state: handle.item.state,
    category: handle.protocol.states[handle.item.state]?.category ?? '',
  };
  block.handles[n] = { ...handle, item };
  return { stream, version: item.version, body: bodies[0] ?? '', command: command.id, row, from };
}
