import type { Caller } from './caller.ts';
import { gateOf, isAtGate } from './gates.ts';
import { type Handle, loadById } from './handle.ts';
import { criteriaOf } from './judged-by.ts';
import type { Ports } from './ports.ts';
import { beyondToken } from './reach.ts';
import { type Verified, verify } from './verify.ts';
import { waysOn } from './ways.ts';
import { jobKey } from './work.ts';
import { readWorld } from './world.ts';

/** One verification that a worker ran, or was refused. */
export interface Worked {
  readonly item: string;
  readonly verified: Verified;
}

const PAGE = 100;
const WAITING = ['SUBMITTED', 'CHECKING', 'ACCEPTED'] as const;

/**
 * Runs the verifications that wait, one after the other: those that this actor may ask for, whose checks this machine has the
 * labels for. Each is leased, so that of several workers one runs it; the lease of a worker that died is taken over. What came
 * to nothing is not tried again by the same worker before it is claimed anew. Answers what it ran.
 */
export async function workOnce(
  ports: Ports,
  caller: Caller,
  tried: Set<string>,
  signal: AbortSignal,
  onProgress: (line: string) => void = () => {},
): Promise<readonly Worked[]> {
  const worked: Worked[] = [];
  for await (const handle of waiting(ports)) {
    if (signal.aborted) break;
    const key = claimOf(handle);
    if (tried.has(key) || !(await isForUs(ports, caller, handle))) continue;
    const away = awayCommit(ports, handle);
    if (away !== '') {
      if (!tried.has(`${key} away`)) onProgress(`${handle.display} is left to others: ${away}`);
      tried.add(`${key} away`);
      continue;
    }
    tried.add(key);
    const verified = await verify(ports, caller, { ref: handle.display, signal, onProgress });
    if (isOursStill(verified)) tried.delete(key);
    worked.push({ item: handle.display, verified });
  }
  return worked;
}

/** Somebody else runs it, who may die; or the token ended meanwhile: with another one it is tried again. */
const isOursStill = ({ outcome }: Verified): boolean =>
  outcome.kind === 'refused' && (outcome.code === 'conflict' || outcome.code === 'wrong-role');

/** A clone of another machine may lack what was claimed: a run here would come to nothing, and say so for all. */
function awayCommit({ git }: Ports, { item, display }: Handle): string {
  const commit = item.subjects.commit?.digest ?? '';
  if (commit === '' || git.isAncestor(commit, commit)) return '';
  return `the commit ${commit.slice(0, 12)} is not in this clone; bring it here with git fetch, or where it is nowhere any more: countersign verify ${display}`;
}

/** Each run that comes to nothing makes a job anew, and says nothing about the claim. */
const claimOf = ({ id, item }: Handle) => `${id}/${item.attempt}/${item.subjects.commit?.generation ?? 0}`;

async function* waiting(ports: Ports): AsyncGenerator<Handle> {
  for (let after = 0; ; ) {
    const query = {
      list: undefined,
      states: [],
      categories: WAITING,
      assignee: undefined,
      after,
      limit: PAGE,
    };
    const rows = await ports.store.items(query);
    for (const { id } of rows) {
      const handle = await loadById(ports, id);
      if (isAtGate(handle)) yield handle;
    }
    after = rows.at(-1)?.number ?? after;
    if (rows.length < PAGE) return;
  }
}

async function isForUs(ports: Ports, caller: Caller, handle: Handle): Promise<boolean> {
  // Asked for all the same it would be refused, and that put down, in each round.
  if (beyondToken(caller, handle) !== undefined) return false;
  const job = await ports.store.job('verify', jobKey(handle.id, handle.item));
  const held = job !== undefined && job.leaseUntil > ports.clock().toISOString();
  if (job?.finished === true || (held && ports.process.isAlive(job.owner))) return false;
  const { world } = await readWorld(ports, handle.protocol, handle.item.list);
  const pass = gateOf(handle)?.pass;
  const own = waysOn(handle, caller.actor, world).some(({ command, mine }) => command === pass && mine);
  if (!own) return false;
  const found = await criteriaOf(ports, handle);
  return found?.parsed.runsOn.every((label) => ports.runner.labels.includes(label)) ?? false;
}
