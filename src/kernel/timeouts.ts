import type { Elapsed } from './event.ts';
import type { Protocol } from './protocol.ts';
import type { WorkItem } from './work-item.ts';

/** Shares of an allowance, in percent, that are told. */
export const THRESHOLDS = [80, 100, 150] as const;

const MINUTE = 60_000;

/** The allowance of the present state in minutes: the item's own, else the protocol's; 0 = none. What ended has none. */
export function allowanceOf(protocol: Protocol, item: WorkItem): number {
  if (protocol.states[item.state]?.final === true) return 0;
  if (item.links.some(({ kind }) => kind === 'superseded-by')) return 0;
  const own = item.settings[`allowance.${item.state}`];
  const minutes = typeof own === 'string' ? Number(own) : Number.NaN;
  return Number.isFinite(minutes) && minutes >= 0 ? minutes : (protocol.states[item.state]?.allowance ?? 0);
}

/** Time of the next threshold, ISO 8601 UTC; '' when nothing is left to tell. */
export function dueAt(protocol: Protocol, item: WorkItem): string {
  const allowance = allowanceOf(protocol, item);
  const next = THRESHOLDS.find((percent) => !item.elapsed.includes(percent));
  if (allowance === 0 || next === undefined || item.enteredAt === '') return '';
  return passedAt(item, allowance, next);
}

const passedAt = ({ enteredAt }: WorkItem, allowance: number, percent: number): string =>
  new Date(Date.parse(enteredAt) + (allowance * MINUTE * percent) / 100).toISOString();

/** Time at which the whole allowance of the present state is used up, ISO 8601 UTC; '' where there is none. */
export function overdueAt(protocol: Protocol, item: WorkItem): string {
  const allowance = allowanceOf(protocol, item);
  return allowance === 0 || item.enteredAt === '' ? '' : passedAt(item, allowance, 100);
}

/** The thresholds that have passed at `now` and were not told yet. They are events, never transitions. */
export function elapsedEvents(protocol: Protocol, item: WorkItem, now: string): readonly Elapsed[] {
  const allowance = allowanceOf(protocol, item);
  if (allowance === 0 || item.enteredAt === '') return [];
  const percent = ((Date.parse(now) - Date.parse(item.enteredAt)) / (allowance * MINUTE)) * 100;
  return THRESHOLDS.filter((t) => percent >= t && !item.elapsed.includes(t)).map((t) => ({
    type: 'elapsed',
    at: now,
    by: 'engine',
    state: item.state,
    percent: t,
    due: passedAt(item, allowance, t),
  }));
}
