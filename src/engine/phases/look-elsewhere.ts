import { type Handle, peekById } from '../handle.ts';
import type { Message } from '../message.ts';
import type { Ports } from '../ports.ts';
import { awaitedElsewhere } from './elsewhere.ts';
import { LIVE, WAITS } from './spawn-job.ts';
import { phaseOf } from './task-phases.ts';

/** Most runs and reviewers that are looked at: what is told is read, not worked through. */
const MOST = 50;

/** What of tasks in phases goes on by nothing on this machine, for whoever coordinates them. */
export async function lookElsewhere(ports: Ports): Promise<readonly Message[]> {
  const asked = { list: undefined, categories: [], assignee: undefined, after: 0, limit: MOST };
  const rows = await ports.store.items({ ...asked, states: LIVE });
  const told: Message[] = [];
  for (const { id, protocol } of rows) {
    if (!WAITS.has(protocol)) continue;
    const handle = await peekById(ports, id);
    told.push(...(await messagesOf(ports, handle)));
  }
  return told;
}

async function messagesOf(ports: Ports, handle: Handle): Promise<readonly Message[]> {
  if ((await awaitedElsewhere(ports, '', [handle])).length === 0) return [];
  const { display, item } = await phaseOf(ports, handle);
  const told = await awaitedElsewhere(ports, display, [handle]);
  return told.map((text) => ({
    to: 'orchestrator',
    item: display,
    text: `${display} ${item.title}: ${text}`,
  }));
}
