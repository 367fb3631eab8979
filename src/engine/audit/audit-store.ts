import type { TrustedKey } from '../../attestation/key.ts';
import { StoreError } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { checkChains } from './chains.ts';
import { checkCheckpoints, type PlacedNote, readCheckpoints, rootsFor } from './checkpoints.ts';
import { type ContentCheck, checkContent } from './content.ts';
import { type AuditFinding, type AuditStatus, collectFindings, type Findings } from './findings.ts';
import { auditItem } from './item.ts';
import { auditKeys } from './keys.ts';
import { type LogReading, readLog } from './read-log.ts';
import { compareViews } from './views.ts';

/** What an auditor brings from outside the store. */
export interface AuditQuestion {
  readonly trusted: readonly TrustedKey[];
  readonly checkpoints: readonly PlacedNote[];
}

/** What a look at the whole store found. Only 'clean' confirms anything. */
export interface AuditReport {
  readonly status: AuditStatus;
  readonly findings: readonly AuditFinding[];
  /** What the audit could not cover although nothing is wrong. */
  readonly remarks: readonly string[];
  readonly events: number;
  readonly streams: number;
  readonly items: number;
  /** Of the store, and from outside it (git ref, files); `covered` events lie before the newest. */
  readonly checkpoints: { readonly stored: number; readonly outside: number; readonly covered: number };
  readonly seconds: number;
}

type Auditing = Pick<Ports, 'store' | 'clock' | 'git' | 'evidence' | 'files' | 'signer'>;

export const NO_QUESTION: AuditQuestion = { trusted: [], checkpoints: [] };

/**
 * Judges the store from its log alone (docs/audit.md): chains, meaning, every past decision by the protocol it was
 * made under, the views, the evidence and proof packs, the checkpoints. Reads only. What the store itself cannot
 * read is a finding; what cannot be reached at all is thrown (StoreError UNAVAILABLE, BUSY).
 */
export async function auditStore(ports: Auditing, question = NO_QUESTION): Promise<AuditReport> {
  const began = ports.clock().getTime();
  const findings = collectFindings();
  const found = { events: 0, streams: 0, items: 0, stored: 0, outside: 0, covered: 0 };
  try {
    Object.assign(found, await auditAll(ports, question, findings));
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'DAMAGED') throw error;
    findings.broken('store', error.message);
  }
  const { events, streams, items, ...checkpoints } = found;
  return {
    status: findings.status(),
    findings: findings.list(),
    remarks: [
      ...remarksOn(events, checkpoints),
      ...findings.remarks().map(({ where, what }) => `${where}: ${what}`),
    ],
    events,
    streams,
    items,
    checkpoints,
    seconds: (ports.clock().getTime() - began) / 1000,
  };
}

async function auditAll(ports: Auditing, question: AuditQuestion, findings: Findings) {
  for (const what of await ports.store.integrity()) findings.broken('store', what);
  const checkpoints = await readCheckpoints(ports, question.checkpoints);
  const chain = checkChains(findings);
  const content = checkContent(ports.evidence, findings);
  const roots = rootsFor(checkpoints, chain);
  const reading: LogReading = { position: Number.MIN_SAFE_INTEGER, events: 0 };
  const readOn = () =>
    readLog(ports, reading, (event) => {
      chain.add(event);
      content.add(event);
      roots.passed(reading.events);
    });
  await compareWhenStill(ports, reading, readOn, () => compareViews(ports, chain, content), findings);
  content.end();
  const roster = content.world.roster();
  const repository = await ports.store.repositoryId();
  if (roster.repository !== repository)
    findings.broken(
      'meta',
      `the store is of ${repository || 'nobody'}, its roster of ${roster.repository || 'nobody'}`,
    );
  const keys = auditKeys(ports, roster, question.trusted, findings);
  await auditItems(ports, content, keys.runner, reading.position, findings);
  const { events } = reading;
  checkCheckpoints(
    { checkpoints, roots, events, repository, named: keys.checkpoint, pinned: keys.pinned },
    findings,
  );
  if (checkpoints.stored.length === 0)
    findings.doubt('checkpoints', 'there is none: a log cut off or written anew would look like this one');
  return {
    events,
    streams: chain.heads.size,
    items: content.known.items.size,
    stored: checkpoints.stored.length,
    outside: checkpoints.outside.length,
    covered: checkpoints.stored.at(-1)?.events ?? 0,
  };
}

const ROUNDS = 20;

/** Reads the log to its end and compares the views with it, again while writers move both. */
async function compareWhenStill(
  ports: Auditing,
  reading: LogReading,
  readOn: () => Promise<void>,
  compare: () => Promise<Findings>,
  findings: Findings,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const before = reading.events;
    await readOn();
    const views = await compare();
    const count = await ports.store.eventCount();
    if (count === reading.events) return findings.add(views.list());
    if (round > 0 && before === reading.events)
      return findings.broken('events', `the store counts ${count} events, ${reading.events} can be read`);
  }
  findings.doubt('views', 'other writers kept the store moving: views and log were not compared');
}

async function auditItems(
  ports: Auditing,
  { known, world }: ContentCheck,
  runners: readonly TrustedKey[],
  until: number,
  findings: Findings,
): Promise<void> {
  for (const { id, digest } of known.items.values())
    findings.add(await auditItem(ports, { id, protocol: known.protocol(digest), world, runners, until }));
}

function remarksOn(
  events: number,
  { stored, outside, covered }: AuditReport['checkpoints'],
): readonly string[] {
  const tail = events - covered;
  return [
    ...(stored > 0 && tail > 0
      ? [
          `the last ${tail} events lie after the last checkpoint: that they were not cut off or replaced is not shown`,
        ]
      : []),
    ...(outside === 0
      ? [
          'no checkpoint is kept outside the store (audit checkpoint --anchor): whoever holds its key can write it anew',
        ]
      : []),
  ];
}
