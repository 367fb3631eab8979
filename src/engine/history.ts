import type { Facts, ItemEvent, Json, Moved } from '../kernel/event.ts';
import { evolve } from '../kernel/evolve.ts';
import type { Protocol } from '../kernel/protocol.ts';
import { THRESHOLDS } from '../kernel/timeouts.ts';
import { UNOPENED, type WorkItem } from '../kernel/work-item.ts';
import type { Handle } from './handle.ts';
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
    ...item.steps
      .filter((step) => counts(step))
      .map(({ from, to, at, by, reason, arguments: given, command }) => ({
        fromState: from,
        toState: to,
        timestamp: at,
        reason: reason || (given.guidance ?? '') || command,
        actor: by,
      })),
  ];
}

/** A row that stays where it is belongs to the history where something failed there. */
const counts = ({ command, from, to }: Pick<Moved, 'command' | 'from' | 'to'>): boolean =>
  from !== to || command === 'fail';

/** Everything that the seed wants logged of one item, in its format, derived from the log (LIFE-95 to LIFE-100). */
export async function lifecycleEvents(ports: Ports, ref: string): Promise<readonly LifecycleEvent[]> {
  const { handle, lines } = await timeline(ports, ref);
  let item = UNOPENED;
  const events: LifecycleEvent[] = [];
  for (const line of lines) {
    const before = item;
    if (line.event.type !== 'refused') item = evolve(handle.protocol, item, line.event as ItemEvent);
    events.push(...eventsOf(handle, line, before, item));
  }
  return events;
}

function eventsOf(handle: Handle, { event }: LogLine, before: WorkItem, after: WorkItem) {
  const base = {
    timestamp: event.at,
    taskId: seedId(handle),
    actor: event.by,
    from: before.state,
    to: after.state,
  };
  const told = (name: string, metadata: Facts, more: Partial<LifecycleEvent> = {}): LifecycleEvent => ({
    ...base,
    event: name,
    reason: '',
    ...more,
    metadata,
  });
  switch (event.type) {
    case 'opened':
      return [
        told('STATE_TRANSITION', {}, { from: '', reason: 'created' }),
        ...assigned(handle.protocol, told, '', after),
      ];
    case 'moved':
      return movedEvents(handle.protocol, told, event, before, after);
    case 'elapsed': {
      const name =
        NAMES[THRESHOLDS.indexOf(event.percent as (typeof THRESHOLDS)[number])] ?? 'TIMEOUT_WARNING';
      const minutes = (Date.parse(event.due || event.at) - Date.parse(before.enteredAt)) / 60_000;
      const metadata = { state: event.state, percent: event.percent, elapsed: minutes, due: event.due };
      return [told(name, { ...metadata, recipient: 'build-orchestrator', watchedBy: 'plan-manager' })];
    }
    case 'refused':
      return [
        told(
          'TRANSITION_REFUSED',
          { attempted: event.attempted, code: event.code },
          { reason: event.because },
        ),
      ];
    default:
      return [];
  }
}

/** The three grades, in the order of the thresholds (LIFE-83 to LIFE-85, LIFE-116). */
const NAMES = ['TIMEOUT_WARNING', 'TIMEOUT_ALERT', 'TIMEOUT_ESCALATION'];

type Tell = (name: string, metadata: Facts, more?: Partial<LifecycleEvent>) => LifecycleEvent;

function movedEvents(protocol: Protocol, told: Tell, event: Moved, before: WorkItem, after: WorkItem) {
  const events: LifecycleEvent[] = [];
  const reason = event.reason || (event.arguments.guidance ?? '') || event.command;
  if (event.command === 'fail') {
    const count = failuresAt(before, event.origin) + 1;
    events.push(told('FAILURE_RECORDED', { state: event.origin, count }, { reason }));
  }
  const pattern = patternOf(event);
  if (counts(event)) events.push(told('STATE_TRANSITION', pattern === '' ? {} : { pattern }, { reason }));
  if (event.to === 'cto_intervention' || before.state === 'cto_intervention') {
    const { interventions = 0 } = after.counters;
    const outcome = event.to === 'cto_intervention' ? 'called' : event.command;
    const guidance: Json = event.arguments.guidance ?? '';
    events.push(told('CTO_INTERVENTION', { attempt: interventions, guidance, outcome }, { reason }));
  }
  return [...events, ...assigned(protocol, told, before.state, after)];
}

/** Failures of a state before the one at hand; with an intervention the count of the third is kept. */
const failuresAt = (item: WorkItem, state: string) => item.counters[`failures@${state}`] ?? 0;

/** Which of the five patterns of recovery a move is, '' for none (LIFE-73 to LIFE-78). */
export function patternOf({ command, to }: Pick<Moved, 'command' | 'to'>): string {
  if (command === 'fail') return to === 'cto_intervention' || to === 'human_escalation' ? '' : 'simple-retry';
  return { return: 'guided-retry', rollback: 'rollback', skip: 'skip', abandon: 'abandon' }[command] ?? '';
}

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
