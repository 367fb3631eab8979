import type { Actor } from '../kernel/actor.ts';
import type { Option } from '../kernel/guidance.ts';
import type { ItemQuery, ItemRow } from '../store/store.ts';
import { alerts } from './alerts.ts';
import { isAsideOf } from './aside.ts';
import { numberOf } from './display.ts';
import { isEscalated } from './escalation.ts';
import { type Handle, peekById } from './handle.ts';
import type { Message } from './message.ts';
import { sentBack } from './more-work.ts';
import { toldElsewhere } from './phases/told-elsewhere.ts';
import type { Ports } from './ports.ts';
import { toldPerson } from './staged/told-person.ts';
import { type Step, stepsOn } from './steps.ts';
import { waysOn } from './ways.ts';
import { waysNow } from './ways-now.ts';
import { worldsOnce } from './world.ts';

/** Ways back to the builder, in the words of whoever is told. */
const BACK: ReadonlyMap<string, string> = new Map([
  ['reject', 'rejected in review'],
  ['reject-verification', 'rejected by its verifier'],
  ['reopen', 'reopened'],
]);

/** What an item has to say to whom: what came back, to those who go on with it, and where that was once too often, to the lead. */
export function messagesOf({ display, protocol, item }: Handle): readonly Message[] {
  const messages: Message[] = [];
  const last = item.steps.findLast(({ from, to }) => from !== to);
  const builder = item.marks.assignee?.at(-1) ?? '';
  const back = BACK.get(last?.command ?? '');
  if (last !== undefined && back !== undefined) {
    const text = `${display} ${item.title}: ${back}, ${last.by}: ${last.reason}`;
    messages.push({ to: builder, item: display, text });
  }
  const whole = sentBack({ protocol, item });
  if (whole !== undefined) {
    const text = `${display} ${item.title}: sent back by ${whole.by}: ${whole.reason}; add a task for what is wrong, or reopen the one that broke`;
    messages.push({ to: 'lead', item: display, text });
  }
  if (isEscalated(item)) {
    const by = item.steps.filter(({ command }) => command === 'reject-verification').map((s) => s.by);
    const often = by.length === 2 ? 'twice' : `${by.length} times`;
    const text = `${display} ${item.title}: verification rejected ${often}, by ${[...new Set(by)].join(' and ')}; escalation required: its builder cannot go on before your triage`;
    messages.push({ to: 'lead', item: display, text });
  }
  return messages;
}

/** A state in which an item waits for a role, and what for. */
interface Waits {
  readonly role: string;
  readonly state: string;
  readonly protocol: string;
  /** The step that is waited for. */
  readonly command: string;
  readonly what: string | ((handle: Handle) => string);
}

/** What was said of an approach that was turned down. */
const rejection = ({ item }: Handle): string => {
  const { by = '', reason = '' } = item.steps.findLast(({ command }) => command === 'fail') ?? {};
  return `its approach was rejected, ${by}: ${reason}; it waits for another one`;
};

// biome-ignore format: a table reads as a table
const WAITS: readonly Waits[] = [
  { role: 'reviewer', protocol: 'goal-task', state: 'review',         command: 'approve',   what: 'waits for a review' },
  { role: 'verifier', protocol: 'goal-task', state: 'completed',      command: 'verify',    what: 'waits to be verified' },
  { role: 'lead',     protocol: 'goal-task', state: 'pending',        command: 'assign',    what: 'has nobody yet' },
  { role: 'lead',     protocol: 'goal',      state: 'pending_verify', command: 'integrate', what: 'waits to be verified as a whole' },
  { role: 'fullstack-developer', protocol: 'lifecycle', state: 'planning', command: 'propose', what: rejection },
  { role: 'cto',      protocol: 'lifecycle', state: 'pending',        command: 'codebase-review', what: 'waits for your review of the code base' },
];

/** Most rows of one question: an inbox is read, not worked through. */
const MOST = 50;
/** Most rows that are looked at for them. */
const SCAN = 500;

/** A message with the steps that lead on from there, as whoever is told sees them. */
export interface Told extends Message {
  readonly steps: readonly Step[];
}

/**
 * What an actor has to be told, what has used up its time, and what of goals and their tasks waits for the roles that they
 * hold: nothing that they may not do, such as to verify what they built. Each is a range of an index. Read-only.
 */
export async function inbox(ports: Ports, actor: Actor): Promise<readonly Told[]> {
  const { id, roles } = actor;
  const mine = await rowsOf(ports, { states: ['in_progress'], assignee: id });
  const escalated = roles.includes('lead') ? await rowsOf(ports, { categories: ['ESCALATED'] }) : [];
  const sent = roles.includes('lead') ? await rowsOf(ports, { states: ['active'] }) : [];
  const told: Message[] = [];
  const worldOf = worldsOnce(ports);
  for (const row of mine) told.push(...(await messagesIn(ports, row)).filter(({ to }) => to === id));
  for (const row of [...escalated, ...sent])
    told.push(...(await messagesIn(ports, row)).filter(({ to }) => to === 'lead'));
  told.push(...(await alerts(ports, actor)), ...(await toldElsewhere(ports, actor)));
  for (const wait of WAITS)
    if (roles.includes(wait.role)) told.push(...(await waiting(ports, actor, worldOf, wait)));
  // Those name the one command that they wait for.
  const asked = (await toldPerson(ports, actor)).map((one) => ({ ...one, steps: [] }));
  return [...asked, ...(await withSteps(ports, actor, worldOf, told))];
}

const rowsOf = (ports: Ports, asked: Partial<ItemQuery>): Promise<readonly ItemRow[]> =>
  ports.store.items({ ...EVERY, ...asked });

const EVERY: ItemQuery = {
  ...{ list: undefined, states: [], categories: [], assignee: undefined, after: 0, limit: MOST },
};

const messagesIn = async (ports: Ports, row: ItemRow) => messagesOf(await peekById(ports, row.id));

async function waiting(
  ports: Ports,
  actor: Actor,
  worldOf: WorldOf,
  { role, state, protocol, command, what }: Waits,
): Promise<readonly Message[]> {
  const told: Message[] = [];
  for (let after = 0, seen = 0; seen < SCAN && told.length < MOST; seen += MOST) {
    const rows = await rowsOf(ports, { states: [state], after });
    for (const row of rows.filter((r) => r.protocol === protocol)) {
      const handle = await peekById(ports, row.id);
      const ways = waysOn(handle, actor, await worldOf(handle));
      if (!ways.some((way) => way.command === command && isOpen(handle, way))) continue;
      const text = typeof what === 'string' ? what : what(handle);
      told.push({ to: role, item: handle.display, text: `${handle.display} ${row.title}: ${text}` });
    }
    after = rows.at(-1)?.number ?? 0;
    if (rows.length < MOST) break;
  }
  return told;
}

const isOpen = (handle: Handle, way: Option) =>
  way.mine && way.missing.length === 0 && !isAsideOf(handle, way);

type WorldOf = ReturnType<typeof worldsOnce>;

async function withSteps(
  ports: Ports,
  actor: Actor,
  worldOf: WorldOf,
  messages: readonly Message[],
): Promise<readonly Told[]> {
  const told: Told[] = [];
  for (const message of messages) {
    const row = await ports.store.itemByNumber(numberOf(message.item) ?? 0);
    const handle = row === undefined ? undefined : await peekById(ports, row.id);
    const ways = handle === undefined ? [] : await waysNow(ports, handle, actor, await worldOf(handle));
    told.push({ ...message, steps: handle === undefined ? [] : stepsOn(handle, ways) });
  }
  return told;
}
