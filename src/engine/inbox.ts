import type { Actor } from '../kernel/actor.ts';
import type { ItemRow } from '../store/store.ts';
import { displayId } from './display.ts';
import { isEscalated } from './escalation.ts';
import { type Handle, peekById } from './handle.ts';
import type { Ports } from './ports.ts';

/** Something that an actor or a role has to be told, as the log shows it (GOAL-36, GOAL-60). */
export interface Message {
  /** An actor, or a role: whoever holds it is meant. */
  readonly to: string;
  readonly item: string;
  readonly text: string;
}

/** Ways back to the builder, in the words of whoever is told. */
const BACK: ReadonlyMap<string, string> = new Map([
  ['reject', 'rejected in review'],
  ['reject-verification', 'rejected by its verifier'],
  ['reopen', 'reopened'],
]);

/** What an item has to say to whom: what came back to its builder, and where that was once too often, to the lead. */
export function messagesOf({ display, item }: Handle): readonly Message[] {
  const messages: Message[] = [];
  const last = item.steps.findLast(({ from, to }) => from !== to);
  const builder = item.marks.assignee?.at(-1) ?? '';
  const back = BACK.get(last?.command ?? '');
  if (last !== undefined && back !== undefined) {
    const text = `${display} ${item.title}: ${back}, ${last.by}: ${last.reason}`;
    messages.push({ to: builder, item: display, text });
  }
  if (isEscalated(item)) {
    const by = item.steps.filter(({ command }) => command === 'reject-verification').map((s) => s.by);
    const often = by.length === 2 ? 'twice' : `${by.length} times`;
    const text = `${display} ${item.title}: verification rejected ${often}, by ${[...new Set(by)].join(' and ')}; escalation required: its builder cannot go on before your triage`;
    messages.push({ to: 'lead', item: display, text });
  }
  return messages;
}

/** A state in which an item of a goal waits for a role, and what for. */
interface Waits {
  readonly role: string;
  readonly state: string;
  readonly protocol: string;
  readonly what: string;
}

const WAITS: readonly Waits[] = [
  { role: 'reviewer', protocol: 'goal-task', state: 'review', what: 'waits for a review' },
  { role: 'verifier', protocol: 'goal-task', state: 'completed', what: 'waits to be verified' },
  { role: 'lead', protocol: 'goal-task', state: 'pending', what: 'has nobody yet' },
  { role: 'lead', protocol: 'goal', state: 'pending_verify', what: 'waits to be verified as a whole' },
];

/** Most rows of one question: an inbox is read, not worked through. */
const MOST = 50;

/**
 * What an actor has to be told, and what of goals and their tasks waits for the roles that they hold. Each is a range of
 * an index. Read-only.
 */
export async function inbox(ports: Ports, { id, roles }: Actor): Promise<readonly Message[]> {
  const ask = { list: undefined, categories: [], after: 0, limit: MOST };
  const mine = await ports.store.items({ ...ask, states: ['in_progress'], assignee: id });
  const escalated = roles.includes('lead')
    ? await ports.store.items({ ...ask, categories: ['ESCALATED'], states: [], assignee: undefined })
    : [];
  const told: Message[] = [];
  for (const row of mine) told.push(...(await messagesIn(ports, row)).filter(({ to }) => to === id));
  for (const row of escalated) told.push(...(await messagesIn(ports, row)).filter(({ to }) => to === 'lead'));
  for (const { role, state, protocol, what } of WAITS.filter((wait) => roles.includes(wait.role))) {
    const rows = await ports.store.items({ ...ask, states: [state], assignee: undefined });
    for (const row of rows.filter((r) => r.protocol === protocol)) {
      const item = displayId(row.number, row.protocol);
      told.push({ to: role, item, text: `${item} ${row.title}: ${what}` });
    }
  }
  return told;
}

const messagesIn = async (ports: Ports, row: ItemRow) => messagesOf(await peekById(ports, row.id));
