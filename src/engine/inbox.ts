import type { Actor } from '../kernel/actor.ts';
import type { World } from '../kernel/context.ts';
import type { ItemQuery, ItemRow } from '../store/store.ts';
import { alerts } from './alerts.ts';
import { isEscalated } from './escalation.ts';
import { type Handle, peekById } from './handle.ts';
import type { Message } from './message.ts';
import type { Ports } from './ports.ts';
import { waysOn } from './ways.ts';
import { readWorld } from './world.ts';

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
  /** The step that is waited for. */
  readonly command: string;
  readonly what: string;
}

// biome-ignore format: a table reads as a table
const WAITS: readonly Waits[] = [
  { role: 'reviewer', protocol: 'goal-task', state: 'review',         command: 'approve',   what: 'waits for a review' },
  { role: 'verifier', protocol: 'goal-task', state: 'completed',      command: 'verify',    what: 'waits to be verified' },
  { role: 'lead',     protocol: 'goal-task', state: 'pending',        command: 'assign',    what: 'has nobody yet' },
  { role: 'lead',     protocol: 'goal',      state: 'pending_verify', command: 'integrate', what: 'waits to be verified as a whole' },
];

/** Most rows of one question: an inbox is read, not worked through. */
const MOST = 50;

/**
 * What an actor has to be told, what has used up its time, and what of goals and their tasks waits for the roles that they
 * hold: nothing that they may not do, such as to verify what they built. Each is a range of an index. Read-only.
 */
export async function inbox(ports: Ports, actor: Actor): Promise<readonly Message[]> {
  const { id, roles } = actor;
  const mine = await rowsOf(ports, { states: ['in_progress'], assignee: id });
  const escalated = roles.includes('lead') ? await rowsOf(ports, { categories: ['ESCALATED'] }) : [];
  const told: Message[] = [];
  for (const row of mine) told.push(...(await messagesIn(ports, row)).filter(({ to }) => to === id));
  for (const row of escalated) told.push(...(await messagesIn(ports, row)).filter(({ to }) => to === 'lead'));
  told.push(...(await alerts(ports, actor)));
  for (const wait of WAITS) if (roles.includes(wait.role)) told.push(...(await waiting(ports, actor, wait)));
  return told;
}

const rowsOf = (ports: Ports, asked: Partial<ItemQuery>): Promise<readonly ItemRow[]> =>
  ports.store.items({ ...EVERY, ...asked });

const EVERY: ItemQuery = {
  ...{ list: undefined, states: [], categories: [], assignee: undefined, after: 0, limit: MOST },
};

const messagesIn = async (ports: Ports, row: ItemRow) => messagesOf(await peekById(ports, row.id));

async function waiting(ports: Ports, actor: Actor, wait: Waits): Promise<readonly Message[]> {
  const { role, state, protocol, command, what } = wait;
  const told: Message[] = [];
  let world: World | undefined;
  for (const row of await rowsOf(ports, { states: [state] })) {
    if (row.protocol !== protocol) continue;
    const handle = await peekById(ports, row.id);
    // Neither protocol asks about its list: the roster is all there is to read.
    world ??= (await readWorld(ports, handle.protocol, row.list)).world;
    const ways = waysOn(handle, actor, world).filter((way) => way.command === command && way.mine);
    if (!ways.some(({ missing }) => missing.length === 0)) continue;
    told.push({ to: role, item: handle.display, text: `${handle.display} ${row.title}: ${what}` });
  }
  return told;
}
