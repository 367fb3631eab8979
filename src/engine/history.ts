import type { Elapsed, Facts, Moved } from '../kernel/event.ts';
import { evolve } from '../kernel/evolve.ts';
import type { Protocol } from '../kernel/protocol.ts';
import { THRESHOLDS } from '../kernel/timeouts.ts';
import { type Step, UNOPENED, type WorkItem } from '../kernel/work-item.ts';
import type { Handle } from './handle.ts';
import { hearersOf } from './hearers.ts';
import { type Intervention, interventionsIn, recoveryOf } from './interventions.ts';
import { later } from './later.ts';
import type { Ports } from './ports.ts';
import { type LogLine, timeline } from './query.ts';

/** One transition as the seed stores it (LIFE-56). */
export interface StateTransition {
  readonly fromState: string;
  readonly toState: string;
  /** ISO 8601 UTC. */
  readonly timestamp: string;
  readonly reason: string;
  readonly actor: string;
}

/** One event in the seed's format (LIFE-100, CL-14). */
export interface LifecycleEvent {
  readonly timestamp: string;
  readonly taskId: string;
  readonly event: string;
  readonly from: string;
  readonly to: string;
  readonly actor: string;
  readonly reason: string;
  readonly metadata: Facts;
}

/** The id of an item as the seed writes it: TASK-001. */
export const seedId = ({ item }: Pick<Handle, 'item'>): string =>
  `${item.protocol.name === 'goal' ? 'GOAL' : 'TASK'}-${String(item.number).padStart(3, '0')}`;

/** Every transition of an item in time order, the first of them into its first state (LIFE-27, LIFE-105). Throws NOT_FOUND. */
export async function stateHistory(ports: Ports, ref: string): Promise<readonly StateTransition[]> {
  const { handle } = await timeline(ports, ref);
  const { item } = handle;
  const first = { fromState: '', toState: item.steps[0]?.from ?? item.state, reason: 'created' };
  return [
    { ...first, timestamp: item.openedAt, actor: item.openedBy },
    ...item.steps.filter(counts).map(transitionOf),
  ];
}

const transitionOf = ({ from, to, at, by, reason, arguments: given, command }: Step): StateTransition => ({
  fromState: from,
  toState: to,
  timestamp: at,
  reason: reason || (given.guidance ?? '') || command,
  actor: by,
});

/** Every step that bypassed what its protocol proves, by authority and with a reason (CL-09, LIFE-90). */
export const overridesIn = ({ item }: Pick<Handle, 'item'>): readonly StateTransition[] =>
  item.steps.filter(({ override }) => override).map(transitionOf);

/** A row that stays where it is belongs to the history where something failed there. */
const counts = ({ command, from, to }: Pick<Moved, 'command' | 'from' | 'to'>): boolean =>
  from !== to || command === 'fail';

/**
 * Everything that the seed wants logged of one item, in its format, derived from the log (LIFE-95 to LIFE-100). An
 * intervention is one event, told where it was called, with what is known of its end by now.
 */
export async function lifecycleEvents(ports: Ports, ref: string): Promise<readonly LifecycleEvent[]> {
  const { handle, lines } = await timeline(ports, ref);
  const called = new Map(interventionsIn(handle).map((one) => [one.step, one]));
  let item = UNOPENED;
  let time = '';
  const events: LifecycleEvent[] = [];
  for (const [n, { event }] of lines.entries()) {
    const before = item;
    if (event.type !== 'refused') item = evolve(handle.protocol, item, event);
    time = later(time, event.at);
    const next = lines[n + 1]?.event;
    const told = tellerOf(handle, time, event.by, before, item);
    events.push(...eventsOf({ handle, told, called, before, after: item, next }, event));
  }
  return events;
}

type Tell = (name: string, metadata: Facts, more?: Partial<LifecycleEvent>) => LifecycleEvent;

const tellerOf =
  (handle: Handle, timestamp: string, actor: string, before: WorkItem, after: WorkItem): Tell =>
  (event, metadata, more = {}) => ({
    ...{ timestamp, taskId: seedId(handle), event, from: before.state, to: after.state, actor, reason: '' },
    ...more,
    metadata,
  });

/** What an event of the log is told with. */
interface Around {
  readonly handle: Handle;
  readonly told: Tell;
  readonly called: ReadonlyMap<number, Intervention>;
  readonly before: WorkItem;
  readonly after: WorkItem;
  readonly next: LogLine['event'] | undefined;
}

function eventsOf(around: Around, event: LogLine['event']): readonly LifecycleEvent[] {
  const { handle, told, after } = around;
  switch (event.type) {
    case 'opened': {
      const created = told('STATE_TRANSITION', {}, { from: '', reason: 'created' });
      return [created, ...assigned(handle.protocol, told, '', after)];
    }
    case 'moved':
      return movedEvents(around, event);
    case 'elapsed':
      return [elapsedEvent(around, event)];
    case 'refused': {
      const { attempted, code, because } = event;
      return [told('TRANSITION_REFUSED', { attempted, code }, { reason: because })];
    }
    default:
      return [];
  }
}

/** The three grades, in the order of the thresholds (LIFE-83 to LIFE-85, LIFE-116). */
const NAMES = ['TIMEOUT_WARNING', 'TIMEOUT_ALERT', 'TIMEOUT_ESCALATION'];

function elapsedEvent(
  { handle, told, before }: Around,
  { state, percent, due, at }: Elapsed,
): LifecycleEvent {
  const name = NAMES[THRESHOLDS.indexOf(percent as (typeof THRESHOLDS)[number])] ?? 'TIMEOUT_WARNING';
  const elapsed = (Date.parse(due || at) - Date.parse(before.enteredAt)) / 60_000;
  const metadata = { state, percent, elapsed, due, ...hearersOf(handle.protocol) };
  const reason = `${percent} % of the time for ${state} has passed`;
  return told(name, metadata, { reason });
}

function movedEvents({ handle, told, called, before, after, next }: Around, event: Moved) {
  const events: LifecycleEvent[] = [];
  const reason = event.reason || (event.arguments.guidance ?? '') || event.command;
  // A failure that leads on over a hop is told before the hop, in which it happened.
  const behind = event.row === -1 && next?.type === 'moved' && next.origin === event.from ? next : undefined;
  const failed = behind ?? (event.from === event.origin ? event : undefined);
  if (failed?.command === 'fail') {
    const count = failuresAt(before, failed.origin) + 1;
    const recorded = { state: failed.origin, count };
    events.push(told('FAILURE_RECORDED', recorded, { to: failed.origin, reason: failed.reason }));
  }
  const pattern = recoveryOf(event);
  const override = after.steps.at(-1)?.override === true ? { override: true } : {};
  const recovery = pattern === '' ? {} : { pattern };
  if (counts(event)) events.push(told('STATE_TRANSITION', { ...recovery, ...override }, { reason }));
  const intervention = called.get(after.steps.length - 1);
  if (intervention !== undefined) {
    const { attempt, state, guidance, recovery: way, outcome, by } = intervention;
    const metadata = { attempt, state, guidance, recovery: way, outcome, guided_by: by };
    events.push(told('CTO_INTERVENTION', metadata, { reason }));
  }
  return [...events, ...assigned(handle.protocol, told, before.state, after)];
}

/** Failures of a state before the one at hand; with an intervention the count of the third is kept. */
const failuresAt = (item: WorkItem, state: string) => item.counters[`failures@${state}`] ?? 0;

function assigned(
  protocol: Protocol,
  told: Tell,
  before: string,
  after: WorkItem,
): readonly LifecycleEvent[] {
  const [old, now] = [ownerOf(protocol, before), ownerOf(protocol, after.state)];
  return old === now ? [] : [told('AGENT_ASSIGNED', { old, new: now })];
}

/** Who owns the work of a state, as the seed names agents; '' for nobody (LIFE-58). */
export function ownerOf(protocol: Protocol, state: string): string {
  const owner = protocol.states[state]?.owner ?? '';
  return owner === '' || owner === 'human' ? owner : `@agent-${owner}`;
}
