import type { ItemEvent, Moved, Recorded } from '../../../src/kernel/event.ts';
import type { Chronicle, Told } from '../chronicle.ts';
import { isGood } from '../runner-in-memory.ts';
import type { Invariant } from './invariant.ts';
import { distanceOf, isRelated, makersOf } from './makers.ts';

const LEVELS = ['automated', 'sibling', 'other-lineage', 'human'];

interface Gate {
  /** States that are confirmed, or come after it. */
  readonly states: readonly string[];
  /** Commands that put another commit before whoever judges. */
  readonly claims: readonly string[];
}

/** Where a run of the checks is what confirms; said here a second time. */
const GATES: { readonly [protocol: string]: Gate } = {
  'two-phase': { states: ['verified', 'completed'], claims: ['claim'] },
  lifecycle: { states: ['approved', 'completed'], claims: ['ask-review'] },
  'goal-task': { states: ['verified'], claims: ['submit'] },
  goal: { states: ['verified'], claims: ['integrate'] },
};

/** Commands of the lifecycle by which a person or the CTO passes a gate by, with their reason. */
const PASSES_BY: ReadonlySet<string> = new Set(['skip', 'rollback', 'resolve', 'return', 'fail', 'commit']);

type Place = { readonly event: Moved; readonly at: number };

const entries = ({ events }: Told, states: readonly string[], from: number): readonly Place[] =>
  events.flatMap((event, at) =>
    at >= from && event.type === 'moved' && states.includes(event.to) && event.from !== event.to
      ? [{ event, at }]
      : [],
  );

/** Events of an item that are new since the last look begin here. */
const freshFrom = ({ fresh }: Chronicle, { id, events }: Told): number =>
  events.length - fresh.filter(({ stream }) => stream === `item/${id}`).length;

/**
 * Nothing is confirmed without a verdict on the very commit that was put forward last, from far enough away; and what
 * is confirmed by a run is good in truth.
 */
export const confirmedByVerdict: Invariant = (chronicle) =>
  chronicle.touched.flatMap((told) => {
    const gate = GATES[told.protocol.name];
    const from = freshFrom(chronicle, told);
    if (gate !== undefined)
      return entries(told, gate.states, from).flatMap((place) => unproved(chronicle, told, gate, place));
    if (told.protocol.name === 'staged')
      return entries(told, ['COMPLETE'], from).flatMap((place) => unapproved(chronicle, told, place));
    if (told.protocol.name === 'phase')
      return entries(told, ['APPROVED'], from).flatMap((place) => unreleased(chronicle, told, place));
    return [];
  });

function unproved(chronicle: Chronicle, told: Told, gate: Gate, { event, at }: Place): readonly string[] {
  const { protocol, events, item } = told;
  const name = `${protocol.name} ${item.number} is ${event.to}`;
  if (protocol.name === 'lifecycle' && PASSES_BY.has(event.command)) return [];
  const claimed = events
    .slice(0, at)
    .findLastIndex((e) => e.type === 'moved' && gate.claims.includes(e.command));
  const pack = events
    .slice(claimed + 1, at)
    .findLast((e): e is Recorded => e.type === 'recorded' && e.kind === 'proof-pack');
  if (claimed < 0) return [`${name}, and nothing was ever put forward`];
  if (pack?.outcome !== 'PASSED') return [`${name} without a run that passed since event ${claimed + 1}`];
  const commit = commitOf(events, claimed);
  const demanded = String(item.settings.independence ?? 'automated');
  const makers = makersOf(chronicle, told, at);
  const level = distanceOf(chronicle, pack.requestedBy, makers, pack.proof !== '' || event.proof !== '');
  return [
    ...(isGood(chronicle.town.repository, commit) ? [] : [`${name}, and ${commit.slice(0, 12)} is not good`]),
    ...(LEVELS.indexOf(level) >= LEVELS.indexOf(demanded)
      ? []
      : [`${name} by a verdict that is ${level}, and ${demanded} is demanded`]),
  ];
}

function commitOf(events: readonly ItemEvent[], claimed: number): string {
  const claim = events[claimed];
  return claim?.type === 'moved' ? (claim.subjects.commit ?? '') : '';
}

/** A task in stages: a unanimous review and the word of a person, both on the commit that was validated last. */
function unapproved({ people }: Chronicle, { events, item }: Told, { at }: Place): readonly string[] {
  const claimed = events.slice(0, at).findLastIndex((e) => e.type === 'moved' && e.command === 'validate');
  const since = events.slice(claimed + 1, at);
  const said = (kind: string) => since.filter((e): e is Recorded => e.type === 'recorded' && e.kind === kind);
  const word = said('checkpoint').at(-1);
  const agents = new Set(item.marks.agent);
  const approving = new Set(
    said('review')
      .filter(({ outcome }) => outcome === 'APPROVED')
      .map(({ by }) => by),
  );
  const name = `the task ${item.number} is COMPLETE`;
  return [
    ...(word !== undefined && people.has(word.by) && word.proof !== ''
      ? []
      : [`${name} without the word of a person on its commit`]),
    ...(word === undefined || word.facts.subject === commitOf(events, claimed)
      ? []
      : [`${name}, and a person approved another commit`]),
    ...([...agents].every((agent) => approving.has(agent))
      ? []
      : [`${name}, and its review was not unanimous`]),
  ];
}

/** A phase: more than half of its reviewers, none of them of those who built it; or a person by force. */
function unreleased(chronicle: Chronicle, told: Told, { event }: Place): readonly string[] {
  const name = `the phase ${told.item.number} is APPROVED`;
  if (event.command === 'force-approve')
    return chronicle.people.has(event.by) && event.proof !== ''
      ? []
      : [`${name} by force, and not by a person`];
  const linked = (of: Told | undefined, kind: string) =>
    (of?.events ?? []).flatMap((e) => (e.type === 'linked' && e.kind === kind ? [e.to] : []));
  const review = chronicle.items.get(linked(told, 'review').at(-1) ?? '');
  const reviewers = linked(review, 'reviewers').flatMap((id) => chronicle.items.get(id) ?? []);
  const verdicts = reviewers.map(({ events }) => events.findLast((e): e is Moved => e.type === 'moved'));
  const approving = verdicts.flatMap((last) => (last?.to === 'approve' ? [last.by] : []));
  const makers = makersOf(chronicle, told);
  const own = approving.filter((by) => [...makers].some((maker) => isRelated(chronicle, by, maker)));
  return [
    ...(approving.length * 2 > reviewers.length
      ? []
      : [`${name} by ${approving.length} of ${reviewers.length}`]),
    ...(own.length === 0 ? [] : [`${name} by ${own.join(', ')}, who built it`]),
  ];
}
