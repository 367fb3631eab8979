import { countOf, worstCount } from '../kernel/counters.ts';
import type { Facts } from '../kernel/event.ts';
import type { WorkItem } from '../kernel/work-item.ts';
import { claimFacts } from './claim-facts.ts';
import { type Failure, failuresEver, failuresIn } from './failures.ts';
import type { Handle } from './handle.ts';
import { overridesIn, ownerOf, type StateTransition, seedId } from './history.ts';
import { type Intervention, interventionsIn } from './interventions.ts';
import { later } from './later.ts';

/** An item as the seed of the lifecycle stores it (LIFE-55); every field is computed on read. */
export interface TaskState {
  readonly id: string;
  readonly title: string;
  readonly currentState: string;
  readonly previousState?: string;
  readonly assignedAgent?: string;
  /** Of the present state (CL-04). */
  readonly failureCount: number;
  readonly failures: { readonly [state: string]: number };
  /** Ever, by state: they stay when the counts are reset. */
  readonly failuresEver: { readonly [state: string]: number };
  readonly ctoAttempts: number;
  /** What was bypassed by authority, for ever: who, where, why (CL-09). */
  readonly overrides: readonly StateTransition[];
  readonly stateHistory: readonly StateTransition[];
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Minutes (CL-11). */
  readonly timeInState: number;
}

export function taskState(handle: Handle, history: readonly StateTransition[], now: string): TaskState {
  const { protocol, item } = handle;
  const agent = item.marks.assignee?.at(-1) ?? ownerOf(protocol, item.state);
  const last = history.at(-1);
  return {
    id: seedId(handle),
    title: item.title,
    currentState: item.state,
    ...(last === undefined || last.fromState === '' ? {} : { previousState: last.fromState }),
    ...(agent === '' ? {} : { assignedAgent: agent }),
    failureCount: countOf(protocol.counters, item.counters, 'failures', item.state),
    failures: failuresOf(item),
    failuresEver: failuresEver(handle),
    ctoAttempts: item.counters.interventions ?? 0,
    overrides: overridesIn(handle),
    stateHistory: history,
    createdAt: item.openedAt,
    updatedAt: item.updatedAt,
    timeInState: timeMetrics(handle, now).timeInState,
  };
}

const failuresOf = ({ counters }: WorkItem): { readonly [state: string]: number } =>
  Object.fromEntries(
    Object.entries(counters).flatMap(([key, n]) => (key.startsWith('failures@') ? [[key.slice(9), n]] : [])),
  );

/** How long an item has been where (LIFE-87, LIFE-88). Minutes. */
export interface TimeMetrics {
  readonly stateEnteredAt: string;
  readonly timeInState: number;
  readonly totalTaskTime: number;
  readonly timeByState: { readonly [state: string]: number };
}

/** `asked`: the present time; where the clock went back since, nothing is counted twice or below nothing. */
export function timeMetrics({ item }: Pick<Handle, 'item'>, asked: string): TimeMetrics {
  const now = later(asked, item.updatedAt);
  const byState: Record<string, number> = {};
  const add = (state: string, from: string, to: string) => {
    byState[state] = (byState[state] ?? 0) + (Date.parse(to) - Date.parse(from)) / 60_000;
  };
  let since = item.openedAt;
  for (const { from, to, at } of item.steps) {
    if (from === to) continue;
    add(from, since, at);
    since = at;
  }
  add(item.state, since, now);
  const total = Object.values(byState).reduce((sum, minutes) => sum + minutes, 0);
  return {
    stateEnteredAt: item.enteredAt,
    timeInState: (Date.parse(now) - Date.parse(item.enteredAt)) / 60_000,
    totalTaskTime: total,
    timeByState: byState,
  };
}

/** What whoever works on an item next has to know of what was tried before (LIFE-114, LIFE-115, GOAL-57, GOAL-60). */
export interface Briefing {
  readonly item: string;
  readonly title: string;
  readonly state: string;
  /** Where it comes from: under an intervention, the state that failed too often. */
  readonly previous: string;
  /** Every failure and rejection so far, also those whose count was reset (LIFE-110). */
  readonly failures: readonly Failure[];
  /** Guidance of interventions, with what came of it. */
  readonly guidance: readonly {
    by: string;
    at: string;
    text: string;
    attempt: number;
    outcome: Intervention['outcome'];
  }[];
  /** What was claimed last: commit, files, and the words of whoever submitted it. */
  readonly submitted: Facts;
  readonly worst: number;
}

export function briefing(handle: Handle): Briefing {
  const { display, item } = handle;
  const { commit = '', files = [] } = claimFacts(handle);
  const summary =
    item.steps.findLast((s) => typeof s.arguments.summary === 'string')?.arguments.summary ?? '';
  return {
    item: display,
    title: item.title,
    state: item.state,
    previous: item.previous,
    failures: failuresIn(handle),
    guidance: interventionsIn(handle)
      .filter(({ recovery }) => recovery !== '')
      .map(({ by, at, guidance: text, attempt, outcome }) => ({ by, at, text, attempt, outcome })),
    submitted: { commit, files, summary },
    worst: worstCount(item.counters),
  };
}
