import type { Actor } from '../kernel/actor.ts';
import { allowanceOf } from '../kernel/timeouts.ts';
import { failuresIn } from './failures.ts';
import { type Handle, peekById } from './handle.ts';
import { hearersOf } from './hearers.ts';
import { isIntervention } from './interventions.ts';
import type { Message } from './message.ts';
import { nowOf, type Ports } from './ports.ts';

/** Most items of one question: what is told is read, not worked through. */
const MOST = 50;

/**
 * What has used up its time, for whoever is to hear of it (LIFE-80), and what waits for an intervention, for whoever gives
 * it. Nothing of it goes to a person (LIFE-116). Read-only; each is a range of an index.
 */
export async function alerts(ports: Ports, { roles }: Actor): Promise<readonly Message[]> {
  const now = nowOf(ports);
  const late = await ports.store.overdue(now, MOST);
  const asked = { list: undefined, states: [], assignee: undefined, after: 0, limit: MOST };
  const escalated = await ports.store.items({ ...asked, categories: ['ESCALATED'] });
  const told: Message[] = [];
  for (const { id } of late) told.push(lateOf(await peekById(ports, id), now));
  for (const { id } of escalated) told.push(...interventionOf(await peekById(ports, id)));
  return told.filter(({ to }) => roles.includes(to));
}

function lateOf({ display, protocol, item }: Handle, now: string): Message {
  const allowance = allowanceOf(protocol, item);
  const minutes = (Date.parse(now) - Date.parse(item.enteredAt)) / 60_000;
  const asks = minutes >= allowance * 1.5 ? '; consider an intervention' : '';
  const text = `${display} ${item.title}: ${Math.floor(minutes)} of ${allowance} minutes in ${item.state}${asks}`;
  return { to: hearersOf(protocol).recipient, item: display, text };
}

function interventionOf(handle: Handle): readonly Message[] {
  const { display, protocol, item } = handle;
  if (!isIntervention(protocol, item.state)) return [];
  const failure = failuresIn(handle).at(-1);
  const why =
    failure === undefined
      ? `escalated: ${item.steps.at(-1)?.reason ?? ''}`
      : `failed in ${item.previous}: ${failure.reason}`;
  const text = `${display} ${item.title}: waits for guidance, ${why}`;
  return [{ to: protocol.states[item.state]?.owner ?? '', item: display, text }];
}
