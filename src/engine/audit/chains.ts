import { breakBetween, type ChainHead, genesis } from '../../attestation/chain.ts';
import { logRoot } from '../../attestation/merkle.ts';
import type { StoredEvent } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { type AuditFinding, type AuditStatus, collectFindings, type Findings } from './findings.ts';
import { type LogReading, readLog } from './read-log.ts';

/** The log as its events tell it, built up in the order of positions. Kept: one head for each stream. */
export interface ChainCheck {
  add(event: StoredEvent): void;
  readonly heads: ReadonlyMap<string, ChainHead>;
  /** Merkle root over the heads as they stand, '' when a head has no form that could be hashed. */
  root(): string;
}

/** Position, version and link of every event. After a break the file's own value is the new starting point. */
export function checkChains(findings: Findings): ChainCheck {
  const heads = new Map<string, ChainHead>();
  let position = 0;
  return {
    heads,
    add(event) {
      const { stream, version, hash } = event;
      const head = heads.get(stream) ?? { version: 0, hash: genesis(stream) };
      if (event.position !== position + 1)
        findings.broken(
          placeOf(event),
          `stands at position ${event.position}, where ${position + 1} should be`,
        );
      const broken = breakBetween(stream, head, event);
      if (broken !== undefined) findings.broken(placeOf(event), broken);
      position = event.position;
      heads.set(stream, { version, hash });
    },
    root: () => rootOf(heads),
  };
}

export const placeOf = ({ stream, version }: Pick<StoredEvent, 'stream' | 'version'>) =>
  `${stream}@${version}`;

function rootOf(heads: ReadonlyMap<string, ChainHead>): string {
  try {
    return logRoot(Array.from(heads, ([stream, head]) => ({ stream, ...head })));
  } catch {
    return '';
  }
}

export interface ChainReport {
  readonly status: AuditStatus;
  readonly findings: readonly AuditFinding[];
  readonly events: number;
  readonly streams: number;
  readonly root: string;
  readonly seconds: number;
}

/** Only the chains: every event linked to the one before it, without gaps (docs/formats/chain.md). Throws StoreError. */
export async function verifyChains(ports: Pick<Ports, 'store' | 'clock'>): Promise<ChainReport> {
  const began = ports.clock().getTime();
  const findings = collectFindings();
  const chain = checkChains(findings);
  const reading: LogReading = { position: Number.MIN_SAFE_INTEGER, events: 0 };
  await readLog(ports, reading, chain.add);
  return {
    status: findings.status(),
    findings: findings.list(),
    events: reading.events,
    streams: chain.heads.size,
    root: chain.root(),
    seconds: (ports.clock().getTime() - began) / 1000,
  };
}
