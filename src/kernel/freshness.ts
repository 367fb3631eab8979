import type { Evidence } from './evidence.ts';
import type { WorkItem } from './work-item.ts';

/**
 * Evidence of a kind on the present value of its subject. A subject that went A, B, A has moved twice:
 * its evidence is stale although the digest is the same.
 */
export function freshEvidence(item: WorkItem, kind: string): readonly Evidence[] {
  return item.evidence.filter(
    (e) => e.kind === kind && e.generation === (item.subjects[e.on]?.generation ?? 0),
  );
}

/** The latest fresh evidence of a kind, or undefined. */
export function latestEvidence(item: WorkItem, kind: string): Evidence | undefined {
  return freshEvidence(item, kind).at(-1);
}
