import { canonicalize } from '../attestation/canonical.ts';
import type { Json } from '../kernel/event.ts';
import { expand } from '../kernel/protocol.ts';
import type { NewJob } from '../store/store.ts';
import { claimStep } from './gates.ts';
import type { Handle } from './handle.ts';

/** Topic under which verifications wait to be run. */
export const VERIFY = 'verify';

/**
 * The verification that a state waits for: one job per item, attempt and run, so that two scans dispatch once
 * (2PC-60). None where the engine has nothing to find out.
 */
export function verificationJob(handle: Handle, at: string): readonly NewJob[] {
  const { id, protocol, item } = handle;
  const awaits = protocol.evidence.some(
    (row) =>
      row.kind === 'proof-pack' && row.by.includes('engine') && expand(protocol, row.in).includes(item.state),
  );
  if (!awaits || (item.subjects.commit?.digest ?? '') === '') return [];
  return [
    { topic: VERIFY, key: jobKey(id, item), payload: canonicalize({ ...handOver(handle) }), availableAt: at },
  ];
}

/** What the verifier is handed: the item, the commit, the criteria that judge it, the evidence (2PC-61). */
export interface HandOver {
  readonly item: string;
  readonly commit: Json;
  /** Path, commit and digest; null where the base had none at the claim. */
  readonly criteria: Json;
  /** Path, type and digest of each file named at the claim. */
  readonly evidence: Json;
}

export function handOver({ display, item }: Pick<Handle, 'display' | 'item'>): HandOver {
  const { commit, criteria, evidence } = claimStep(item)?.facts ?? {};
  return { item: display, commit: commit ?? '', criteria: criteria ?? null, evidence: evidence ?? [] };
}

/** An inconclusive run closes its job; the next one has a key of its own. */
export function jobKey(id: string, item: Handle['item']): string {
  const runs = item.evidence.filter(
    (e) => e.kind === 'inconclusive' && e.generation === (item.subjects.commit?.generation ?? 0),
  ).length;
  return `${id}/${item.subjects.commit?.generation ?? 0}/${runs + 1}`;
}
