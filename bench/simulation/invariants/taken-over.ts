import { loadById } from '../../../src/engine/handle.ts';
import { takeJob } from '../../../src/engine/lease.ts';
import { attend } from '../../../src/engine/phases/attend.ts';
import { isWaiting } from '../../../src/engine/phases/spawn-job.ts';
import { verificationJob } from '../../../src/engine/work.ts';
import { type Chronicle, handleOf } from '../chronicle.ts';
import type { Invariant } from './invariant.ts';

const HOURS_MS = 3 * 60 * 60_000;

/**
 * Whatever a process left behind that died, stood still or was told wrongly by the store: a few hours later the next one
 * who comes takes it over. Nothing else is disturbed any more.
 */
export const whatWasLeftIsTakenOver: Invariant = async (chronicle) => {
  const { town } = chronicle;
  town.pass(HOURS_MS);
  town.agents.refuse(0);
  return [...(await heldRuns(chronicle)), ...(await unstarted(chronicle))];
};

async function heldRuns({ items, town }: Chronicle): Promise<readonly string[]> {
  const found: string[] = [];
  for (const told of items.values()) {
    const handle = handleOf(told);
    if (verificationJob(handle, '').length === 0) continue;
    const { kind } = await takeJob(town.ports, handle);
    if (kind === 'held') found.push(`nobody can verify ${handle.display}: its run is still held`);
  }
  return found;
}

/** What waits for a process of its own has one, or came to its end without. */
async function unstarted({ items, town }: Chronicle): Promise<readonly string[]> {
  const waiting = [...items.values()].filter((told) => isWaiting(handleOf(told)));
  if (waiting.length === 0) return [];
  try {
    for (let n = 0; n < 3; n++) await attend(town.open(town.ports));
  } catch (error) {
    return [`who attends to what runs fails: ${String(error)}`];
  }
  const now = await Promise.all(waiting.map(({ id }) => loadById(town.ports, id)));
  return now.filter(isWaiting).map(({ display }) => `${display} still waits for a process`);
}
