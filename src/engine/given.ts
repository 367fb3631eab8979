import { type Actor, related } from '../kernel/actor.ts';
import { actorOf, type World } from '../kernel/context.ts';
import type { Evidence } from '../kernel/evidence.ts';
import { freshEvidence } from '../kernel/freshness.ts';
import type { WorkItem } from '../kernel/work-item.ts';
import type { Given } from './ports.ts';

const KINDS = ['sign-off', 'review', 'approval'] as const;

/**
 * What was said of the present claim, the latest word of each speaker. Where they stand is judged now, against
 * everybody who is marked as a builder by now.
 */
export function givenOn(item: WorkItem, world: World): readonly Given[] {
  return KINDS.flatMap((kind) =>
    latestOfEach(freshEvidence(item, kind)).map((e) => ({
      kind,
      by: e.by,
      role: String(e.facts.role ?? ''),
      human: isPerson(e),
      outside: standsOutside(e, item, world),
      outcome: e.outcome === 'approve' ? ('approve' as const) : ('reject' as const),
      digest: String(e.facts.digest ?? ''),
    })),
  );
}

/** The kernel gives this level to nobody but a person with a proof. */
const isPerson = (e: Evidence) => e.independence === 'human';

/** Whether who gave the evidence shares no lineage with a builder; a person counts only where they were proven. */
export function standsOutside(e: Evidence, item: WorkItem, world: World): boolean {
  if (isPerson(e)) return true;
  const actor = actorOf(world, e.by);
  return actor.kind === 'agent' && isOutside(actor, item, world);
}

/** Whether an actor shares no lineage with anybody who built the item. */
export const isOutside = (actor: Actor, { marks }: WorkItem, world: World): boolean =>
  !(marks.builder ?? []).some((id) => related(actor, actorOf(world, id)));

function latestOfEach(evidence: readonly Evidence[]): readonly Evidence[] {
  return [...new Map(evidence.map((e) => [e.by, e])).values()];
}
