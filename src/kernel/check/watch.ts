import { related } from '../actor.ts';
import { actorOf } from '../context.ts';
import { countOf } from '../counters.ts';
import { mayTake } from '../decide.ts';
import type { ItemEvent, Moved } from '../event.ts';
import { readsOf } from '../leaves.ts';
import type { Protocol, Row, StateDefinition } from '../protocol.ts';
import { judgeStanding } from '../standing.ts';
import { opens } from '../verdict.ts';
import { judgedEnough, type Place, step } from './place.ts';
import type { Property } from './report.ts';
import type { Run } from './run.ts';

/** Told of everything worth a finding or a mark in the list of what was reached. */
export interface Watcher {
  readonly found: (property: Property, what: string) => void;
  /** A row, an evidence row or a state of a protocol was reached. */
  readonly reached: (protocol: Protocol, thing: string) => void;
}

/** One event later, with everything looked at that an event can break. */
export function observed(
  run: Run,
  protocol: Protocol,
  place: Place,
  event: ItemEvent,
  watch: Watcher,
): Place {
  if (event.type === 'moved') beforeMove(run, protocol, place, event, watch);
  if (event.type === 'recorded') {
    watch.reached(protocol, `evidence ${event.row}`);
    const row = protocol.evidence[event.row];
    if (row?.verdict === event.outcome && event.outcome !== '') {
      selfVerdict(run, protocol, place, event.by, row.by, `gives a ${event.kind}`, watch);
    }
  }
  const next = step(protocol, place, event);
  if (event.type !== 'moved') return next;
  watch.reached(protocol, `state ${event.to}`);
  if (event.row >= 0) watch.reached(protocol, `row ${event.row}`);
  const entered = event.to === event.from ? undefined : protocol.states[event.to];
  if (entered !== undefined && isWaitedFor(protocol, entered)) onVerdict(run, protocol, next, watch);
  if (entered?.success) onSuccess(run, protocol, next, watch);
  return next;
}

/** A success, and what others take for one: those who wait for an item go on where it is confirmed or closed. */
const isWaitedFor = ({ policies }: Protocol, { success, category }: StateDefinition): boolean =>
  success ||
  category === 'CONFIRMED' ||
  (category === 'CLOSED' && policies.some(({ tell }) => tell === 'dependants'));

function beforeMove(run: Run, protocol: Protocol, place: Place, event: Moved, watch: Watcher) {
  const row = protocol.rows[event.row];
  if (row === undefined) return;
  for (const name of row.counts.filter((rule) => rule.startsWith('+')).map((rule) => rule.slice(1))) {
    const limit = protocol.counters[name]?.limit ?? 0;
    if (countOf(protocol.counters, place.item.counters, name, event.origin) >= limit) {
      watch.found(
        'counter',
        `${name} would pass ${limit} when ${event.origin} takes ${event.command || 'a row by itself'}`,
      );
    }
  }
  carriedOver(protocol, place, event, row, watch);
  if (row.verdict) selfVerdict(run, protocol, place, event.by, row.by, `takes ${event.command}`, watch);
}

/** A verdict, or the step to a success, asks for a finding about the work as it was handed in before. */
function carriedOver(protocol: Protocol, place: Place, event: Moved, row: Row, watch: Watcher) {
  if (!row.verdict && !protocol.states[event.to]?.success) return;
  for (const kind of readsOf(row.requires).kinds) {
    if (!place.carried.includes(kind)) continue;
    const what = `${event.command || 'a row by itself'} leans on a ${kind} from before the work was handed in again`;
    watch.found('carried-over', what);
  }
}

/** A builder's kin passes the work although an agent outside holds the very role. */
function selfVerdict(
  run: Run,
  protocol: Protocol,
  { item }: Place,
  by: string,
  roles: readonly string[],
  does: string,
  watch: Watcher,
) {
  const builders = (item.marks.builder ?? []).map((id) => actorOf(run.world, id));
  const giver = run.world.roster.find((a) => a.id === by);
  if (giver === undefined || builders.length === 0) return;
  if (giver.kind === 'human' || !builders.some((b) => related(b, giver))) return;
  const outside = run.roster.actors.some(
    (a) =>
      a.kind === 'agent' &&
      mayTake(protocol, roles, item.state, { actor: a, proof: undefined }) &&
      !builders.some((b) => related(a, b)),
  );
  if (outside) watch.found('self-verdict', `in ${item.state} the builder's own lineage ${does}`);
}

/** Others wait for a success, and for what counts as confirmed. */
function onVerdict(run: Run, protocol: Protocol, place: Place, watch: Watcher) {
  if (place.overridden || judgedEnough(protocol, place, run.world)) return;
  watch.found(
    'verdict',
    `${protocol.name} reaches ${place.item.state} without an independent enough verdict on what it is now${unbuilt(place)}${closedFor(protocol, place)}`,
  );
}

/** Without a builder no verdict has anything to stand apart from. */
const unbuilt = ({ item }: Place): string =>
  (item.marks.builder ?? []).length > 0 ? '' : '; nobody is remembered as builder (as: builder)';

/** What was given up is none that others may go on from. */
function closedFor({ states }: Protocol, { item }: Place): string {
  const { success = false, category = '' } = states[item.state] ?? {};
  if (success || category !== 'CLOSED') return '';
  return '; others that wait for it go on where it is CLOSED: what was given up is FAILED';
}

function onSuccess(run: Run, protocol: Protocol, place: Place, watch: Watcher) {
  if (place.overridden) return;
  const { state } = place.item;
  for (const verdict of judgeStanding(protocol, protocol.promises, place.item, run.world)) {
    if (!opens(verdict)) watch.found('promise', `${protocol.name} reaches ${state}, but ${verdict.because}`);
  }
}
