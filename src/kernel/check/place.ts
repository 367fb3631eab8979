import { atLeast, demandedLevel, INDEPENDENCE, type Independence, independence, related } from '../actor.ts';
import { actorOf, type World } from '../context.ts';
import { isPassing } from '../engine-evidence.ts';
import type { ItemEvent, Moved, Recorded } from '../event.ts';
import { evolve } from '../evolve.ts';
import { freshEvidence, latestEvidence } from '../freshness.ts';
import { leavesOf } from '../leaves.ts';
import type { Protocol, Row } from '../protocol.ts';
import type { WorkItem } from '../work-item.ts';

/** Somebody's verdict that the work may pass, as the checker remembers it. */
export interface Pass {
  readonly by: string;
  /** The person's proof was there. */
  readonly proven: boolean;
  /** Level of the engine's evidence behind it; '' = none. */
  readonly backed: Independence | '';
  /** Mark under which the giver is known; a policy that carries the mark carries the pass. */
  readonly as: string;
  /** The values judged, by subject. */
  readonly on: { readonly [subject: string]: number };
}

/** An item with what the checker remembers beside it. */
export interface Place {
  readonly item: WorkItem;
  readonly passes: readonly Pass[];
  readonly overridden: boolean;
  /** Kinds of the engine's evidence that still look fresh, but were given before the work was handed in again. */
  readonly carried: readonly string[];
}

/** One event later. History is dropped: no guard reads it, and it would never repeat. */
export function step(protocol: Protocol, place: Place, event: ItemEvent): Place {
  const evolved = evolve(protocol, place.item, event);
  const item: WorkItem = {
    ...evolved,
    version: 0,
    steps: [],
    elapsed: [],
    evidence: evolved.evidence.filter((e) => e.generation === (evolved.subjects[e.on]?.generation ?? 0)),
  };
  if (event.type === 'moved') return moved(protocol, { ...place, item }, event);
  const passes = event.type === 'recorded' ? withRecorded(protocol, place.passes, item, event) : place.passes;
  const again = event.type === 'recorded' ? event.kind : '';
  const carried = place.carried.filter((kind) => kind !== again && freshEvidence(item, kind).length > 0);
  return { ...place, item, passes: standing(passes, item), carried };
}

/** The same verdict given twice is one. */
export function withPass(passes: readonly Pass[], pass: Pass): readonly Pass[] {
  const { by, proven, backed, as } = pass;
  const others = passes.filter(
    (p) => p.by !== by || p.proven !== proven || p.backed !== backed || p.as !== as,
  );
  return [...others, pass];
}

/** Passes on values that are no longer the present ones are void. */
function standing(passes: readonly Pass[], item: WorkItem): readonly Pass[] {
  return passes.filter((pass) =>
    Object.entries(pass.on).every(([name, generation]) => item.subjects[name]?.generation === generation),
  );
}

export function presentValues(item: WorkItem): Pass['on'] {
  return Object.fromEntries(Object.entries(item.subjects).map(([name, s]) => [name, s.generation]));
}

function moved(protocol: Protocol, place: Place, event: Moved): Place {
  const row = protocol.rows[event.row];
  if (row === undefined) return place;
  // Whoever hands in work again voids the verdicts on the work before, whether or not the subject moved.
  const kept =
    row.as === 'builder' ? [] : place.passes.filter((p) => p.as === '' || !row.forgets.includes(p.as));
  const pass: Pass = {
    by: event.by,
    proven: event.proof !== '',
    backed: backing(protocol, row, place.item),
    as: row.as,
    on: presentValues(place.item),
  };
  const passes = standing(row.verdict ? withPass(kept, pass) : kept, place.item);
  const found = place.item.evidence.map((e) => e.kind).filter((kind) => givenByEngineOnly(protocol, kind));
  const old = row.as === 'builder' ? found : place.carried;
  const carried = [...new Set(old)].filter((kind) => freshEvidence(place.item, kind).length > 0).sort();
  return { ...place, passes, carried, overridden: place.overridden || row.override };
}

/** The furthest engine's evidence of a pass that the row asked for. */
function backing(protocol: Protocol, row: Row, item: WorkItem): Independence | '' {
  const levels = leavesOf(row.requires)
    .flatMap((leaf) => (leaf.guard === 'evidence' ? [leaf] : []))
    .filter(({ kind, outcome }) => isPassing(kind, outcome))
    .filter(({ kind }) => givenByEngineOnly(protocol, kind))
    .map(({ kind, outcome }) => ({ latest: latestEvidence(item, kind), outcome }))
    .flatMap(({ latest, outcome }) => (latest?.outcome === outcome ? [latest.independence] : []));
  return levels.toSorted((a, b) => INDEPENDENCE.indexOf(b) - INDEPENDENCE.indexOf(a))[0] ?? '';
}

/** True for what the engine finds out, as opposed to what people and agents say. */
function givenByEngineOnly(protocol: Protocol, kind: string): boolean {
  const rows = protocol.evidence.filter((row) => row.kind === kind);
  return rows.length > 0 && rows.every((row) => row.by.length === 1 && row.by[0] === 'engine');
}

function withRecorded(
  protocol: Protocol,
  passes: readonly Pass[],
  item: WorkItem,
  event: Recorded,
): readonly Pass[] {
  const row = protocol.evidence[event.row];
  if (row === undefined || row.verdict === '' || row.verdict !== event.outcome) return passes;
  const on = { [row.on]: item.subjects[row.on]?.generation ?? 0 };
  const backed = row.by.includes('engine') && isPassing(row.kind, event.outcome) ? event.independence : '';
  return withPass(passes, { by: event.by, proven: event.proof !== '', backed, as: row.as, on });
}

/** The least level that a verdict on this item must have. */
export function minimumOf(protocol: Protocol, item: WorkItem): Independence {
  const demanded = protocol.settings.independence === undefined ? undefined : item.settings.independence;
  const level = demandedLevel(demanded);
  return atLeast(level, protocol.independence) ? level : protocol.independence;
}

/** True when some standing pass is independent enough of everybody who is marked as builder by now. */
export function judgedEnough(protocol: Protocol, { item, passes }: Place, world: World): boolean {
  const minimum = minimumOf(protocol, item);
  const builders = (item.marks.builder ?? []).map((id) => actorOf(world, id));
  return passes.some((pass) => {
    // Where nobody is known to have built it, the engine measured its distance from nobody.
    if (pass.backed !== '' && builders.length > 0 && atLeast(pass.backed, minimum)) return true;
    const giver = world.roster.find((a) => a.id === pass.by);
    if (giver === undefined) return false;
    if (giver.kind === 'human') return pass.proven;
    if (builders.length === 0 || builders.some((b) => related(b, giver))) return false;
    return atLeast(independence(giver, builders, pass.proven), minimum);
  });
}
