import type { Independence } from '../kernel/actor.ts';
import type { Evidence } from '../kernel/evidence.ts';
import type { Protocol } from '../kernel/protocol.ts';
import type { Step, WorkItem } from '../kernel/work-item.ts';
import { builtIn } from '../protocols/index.ts';
import { claimStep } from './gates.ts';
import type { Handle } from './handle.ts';

/** Who did and who confirmed, when, and on what evidence (2PC-87). '' where it has not happened. */
export interface Accountability {
  readonly item: string;
  readonly title: string;
  readonly state: string;
  readonly attempt: number;
  readonly implemented_by: string;
  /** Who said that it is done: for a goal its lead, who built none of it. */
  readonly claimed_by: string;
  readonly claimed_at: string;
  readonly commit: string;
  readonly verified_by: string;
  readonly requested_by: string;
  readonly verified_at: string;
  readonly independence: Independence | '';
  /** Strength grade of a verdict that passed, '' where there is none. */
  readonly strength: string;
  /** Checks that failed and that their owner let go, with who and why. */
  readonly waived: readonly string[];
  readonly evidence: string;
  readonly signed_evidence: string;
  readonly failures: readonly string[];
  readonly completed_by: string;
  readonly completed_at: string;
  readonly superseded_by: string;
  readonly legacy: boolean;
}

/** The role that confirms, under its name in the protocol; who asked for the verification is `requested_by`. */
export const verifierRole = (protocol: Protocol | undefined): string =>
  protocol?.gates[0]?.role || 'verifier';

export function accountability({ display, item }: Pick<Handle, 'display' | 'item'>): Accountability {
  const claim = claimStep(item, item.attempt);
  const protocol = builtIn(item.protocol.name);
  const verdict = verdictOf(item, item.attempt);
  const completed = item.steps.findLast(
    (s) => s.attempt === item.attempt && protocol?.states[s.to]?.success === true && s.to === item.state,
  );
  return {
    item: display,
    title: item.title,
    state: item.state,
    attempt: item.attempt,
    implemented_by: claim === undefined ? '' : buildersOf(item, claim.by),
    claimed_by: claim?.by ?? '',
    claimed_at: claim?.at ?? '',
    commit: String(claim?.facts.commit ?? ''),
    verified_by: verdict === undefined ? '' : verifierRole(protocol),
    requested_by: verdict?.requestedBy ?? '',
    verified_at: String(verdict?.facts.ended_at ?? ''),
    independence: verdict?.independence ?? '',
    strength: strengthOf(verdict),
    waived: waivedOf(verdict),
    evidence: String(verdict?.facts.proofpack ?? ''),
    signed_evidence: String(verdict?.facts.signed ?? ''),
    failures: failuresOf(verdict),
    completed_by: completed?.by ?? '',
    completed_at: completed?.at ?? '',
    superseded_by: item.links.find((l) => l.kind === 'superseded-by')?.to ?? '',
    legacy: item.legacy,
  };
}

/** Whoever claimed it, unless others built it: then those. */
function buildersOf({ marks }: WorkItem, claimer: string): string {
  const { builder = [] } = marks;
  return builder.length === 0 || builder.includes(claimer) ? claimer : builder.join(', ');
}

export function lastStep(item: WorkItem, command: string, attempt: number): Step | undefined {
  return item.steps.filter((s) => s.command === command && s.attempt === attempt).at(-1);
}

/** The verdict of one attempt, also when a later attempt has made it stale. */
export function verdictOf(item: WorkItem, attempt: number): Evidence | undefined {
  // Where an attempt goes on after a failure, a verdict on what was claimed before says nothing of what is claimed now.
  const facing = item.subjects.commit?.generation ?? 0;
  const counts = (e: Evidence) => attempt !== item.attempt || e.generation === facing;
  return item.evidence.filter((e) => e.kind === 'proof-pack' && e.attempt === attempt && counts(e)).at(-1);
}

export function failuresOf(verdict: Evidence | undefined): readonly string[] {
  const failures = verdict?.facts.failures;
  return Array.isArray(failures) ? failures.map(String) : [];
}

/** How much a verdict says: only of a pass, since what failed shows nothing, however good some of its checks were. */
export const strengthOf = (verdict: Pick<Evidence, 'outcome' | 'facts'> | undefined): string =>
  verdict?.outcome === 'PASSED' ? String(verdict.facts.strength ?? '') : '';

function waivedOf(verdict: Evidence | undefined): readonly string[] {
  const checks = verdict?.facts.checks;
  if (!Array.isArray(checks)) return [];
  return checks.flatMap((check) =>
    check?.waived_by === undefined ? [] : [`${check.id} by ${check.waived_by}: ${check.waiver_reason}`],
  );
}
