import { type Handle, loadItem } from '../engine/handle.ts';
import { type StateTransition, stateHistory } from '../engine/history.ts';
import { nowOf, type Ports } from '../engine/ports.ts';
import { briefing, type TaskState, type TimeMetrics, taskState, timeMetrics } from '../engine/task-state.ts';

/** Bytes that the transitions of an answer may take; all of them stand behind the resource. */
const MOST_BYTES = 5_000;
/** Characters of a reason or of guidance in a short answer. */
const MOST_TEXT = 500;

/** An item as the seed of the lifecycle tells it, with its times and what was tried (LIFE-55, LIFE-87, LIFE-105). */
export interface Told extends TaskState {
  readonly times: TimeMetrics;
  readonly briefing: ReturnType<typeof briefing>;
}

/** Everything of it. Throws NOT_FOUND. */
export async function wholeHistory(ports: Ports, ref: string): Promise<Told> {
  const handle = await loadItem(ports, ref);
  const transitions = await stateHistory(ports, ref);
  const now = nowOf(ports);
  const state = taskState(handle, transitions, now);
  return { ...state, times: timeMetrics(handle, now), briefing: briefing(handle) };
}

/** The same as an answer of a tool: the latest transitions that fit, and how many came before them. */
export async function shortHistory(ports: Ports, ref: string) {
  const { briefing: _, ...told } = await wholeHistory(ports, ref);
  const stateHistory = latest(told.stateHistory);
  const earlier = told.stateHistory.length - stateHistory.length;
  const lines = [
    ...(earlier > 0 ? [`${earlier} earlier transitions`] : []),
    ...stateHistory.map((t) => `${t.timestamp} ${t.actor} ${t.fromState || '-'} > ${t.toState}: ${t.reason}`),
    ...Object.entries(told.times.timeByState).map(([s, minutes]) => `${s}: ${Math.round(minutes)} min`),
  ];
  return { data: { ...told, stateHistory, earlier }, lines, earlier };
}

function latest(transitions: readonly StateTransition[]): readonly StateTransition[] {
  let bytes = 0;
  const from = transitions.findLastIndex((transition) => {
    bytes += Buffer.byteLength(JSON.stringify(transition));
    return bytes > MOST_BYTES;
  });
  return transitions.slice(from + 1);
}

const cut = (text: string): string => (text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT)} …`);

/** What whoever goes on with an item has to know: the latest of it, all of which stands behind the resource. */
export function shortBriefing(handle: Handle) {
  const { failures, guidance, submitted } = briefing(handle);
  const files = Array.isArray(submitted.files) ? submitted.files : [];
  return {
    failures: failures.slice(-5).map((failure) => ({ ...failure, reason: cut(failure.reason) })),
    guidance: guidance.slice(-3).map((given) => ({ ...given, text: cut(given.text) })),
    submitted: { commit: submitted.commit, summary: submitted.summary, files: files.slice(0, 50) },
  };
}
