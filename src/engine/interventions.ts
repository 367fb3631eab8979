import type { Protocol } from '../kernel/protocol.ts';
import type { Step } from '../kernel/work-item.ts';
import { isFailure, originOf } from './failures.ts';
import type { Handle } from './handle.ts';

/** One intervention: why it was called, what was advised, and what came of it (LIFE-99, LIFE-115). */
export interface Intervention {
  /** The n-th of the item, from 1. */
  readonly attempt: number;
  /** Where it had failed too often. */
  readonly state: string;
  readonly called_at: string;
  /** Whoever ended it, '' while it lasts. */
  readonly by: string;
  readonly at: string;
  readonly guidance: string;
  readonly recovery: string;
  /** Solved: the state that failed was left by a step on, before the next intervention. */
  readonly outcome: 'open' | 'solved' | 'not solved';
  /** Its place among the steps of the item. */
  readonly step: number;
}

/** Every intervention of an item, in the order in which they were called. */
export function interventionsIn({
  protocol,
  item,
}: Pick<Handle, 'protocol' | 'item'>): readonly Intervention[] {
  const { steps } = item;
  const calls = steps.flatMap((step, n) => (isCall(protocol, step) ? [n] : []));
  return calls.map((call, n) => {
    const state = originOf(steps, call);
    const length = steps.slice(call + 1).findIndex(({ from }) => from === steps[call]?.to);
    const end = length < 0 ? undefined : steps[call + 1 + length];
    const after = end === undefined ? [] : steps.slice(call + 2 + length);
    return {
      ...{ attempt: n + 1, state, called_at: steps[call]?.at ?? '', step: call },
      ...{ by: end?.by ?? '', at: end?.at ?? '' },
      guidance: end === undefined ? '' : (end.arguments.guidance ?? end.reason),
      recovery: end === undefined ? '' : recoveryOf(end),
      outcome: end === undefined ? 'open' : outcomeOf(protocol, state, end, after),
    };
  });
}

/** Where an intervention takes place: escalated, and not yet a person's. */
export const isIntervention = ({ states }: Pick<Protocol, 'states'>, state: string): boolean =>
  states[state]?.category === 'ESCALATED' && states[state]?.owner !== 'human';

const isEscalated = ({ states }: Pick<Protocol, 'states'>, state: string): boolean =>
  states[state]?.category === 'ESCALATED';

/** The way to a person leads through the same state, and is no further attempt (CL-03). */
const isCall = (protocol: Protocol, { command, to }: Step): boolean =>
  command !== '' && isIntervention(protocol, to);

/** Which of the five patterns of recovery a step is, '' for none (LIFE-73 to LIFE-78). */
export function recoveryOf({ command, to }: Pick<Step, 'command' | 'to'>): string {
  if (command === 'fail') return to === 'cto_intervention' || to === 'human_escalation' ? '' : 'simple-retry';
  return RECOVERIES.get(command) ?? '';
}

const RECOVERIES: ReadonlyMap<string, string> = new Map([
  ['return', 'guided-retry'],
  ['rollback', 'rollback'],
  ['skip', 'skip'],
  ['abandon', 'abandon'],
]);

function outcomeOf(
  protocol: Protocol,
  state: string,
  end: Step,
  after: readonly Step[],
): Intervention['outcome'] {
  if (isEscalated(protocol, end.to)) return 'not solved';
  // What was skipped is never passed: the state behind it has to be.
  const watched = end.command === 'skip' ? end.to : state;
  for (const step of after) {
    if (isEscalated(protocol, step.to)) return 'not solved';
    if (step.from === watched && step.to !== watched && !isFailure(step)) return 'solved';
  }
  return 'open';
}
