import { canonicalize } from '../../attestation/canonical.ts';
import type { TrustedKey } from '../../attestation/key.ts';
import type { Protocol } from '../../kernel/protocol.ts';
import type { ItemRow, StoredEvent } from '../../store/store.ts';
import { itemStream } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { rowOf } from '../transaction.ts';
import { VERIFY, verificationJob } from '../work.ts';
import { type AuditFinding, collectFindings, type Findings } from './findings.ts';
import { type Replayed, replay } from './replay.ts';
import type { WorldHistory } from './world-history.ts';

type Reading = Pick<Ports, 'store' | 'files'>;

/** What an item is judged with. */
export interface ItemQuestion {
  readonly id: string;
  readonly protocol: Protocol | undefined;
  readonly world: WorldHistory;
  readonly runners: readonly TrustedKey[];
  /** Events of the log that the audit has read; what came later is for the next audit. */
  readonly until: number;
}

const ROUNDS = 5;

/** Folds an item again, judges each of its decisions again, and compares its row, jobs and proof packs. */
export async function auditItem(ports: Reading, question: ItemQuestion): Promise<readonly AuditFinding[]> {
  const stream = itemStream(question.id);
  for (let round = 1; ; round++) {
    const stored = await ports.store.read(stream);
    const findings = collectFindings();
    try {
      await auditStream(ports, question, stored, findings);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      findings.broken(stream, `it cannot be judged: ${message}`);
    }
    if (findings.status() === 'clean') return findings.remarks();
    // A writer may have come between the reading of the stream and of its row.
    const { version } = await ports.store.head(stream);
    if (version === stored.length || round === ROUNDS) return [...findings.list(), ...findings.remarks()];
  }
}

async function auditStream(
  ports: Reading,
  { id, protocol, world, runners, until }: ItemQuestion,
  stored: readonly StoredEvent[],
  findings: Findings,
): Promise<void> {
  if (protocol === undefined) {
    findings.broken(`${itemStream(id)}@1`, 'the protocol under which it was opened is not in the log');
    return;
  }
  const question = { id, protocol, world, runners, files: ports.files };
  const read = stored.filter((event) => event.position <= until);
  const replayed = replay(question, read, findings);
  // The views show what was written since, too.
  if (read.length < stored.length) return;
  compareRow(await ports.store.itemById(id), rowOf({ ...question, item: replayed.item }), findings);
  await compareJobs(ports, { id, protocol }, replayed, findings);
}

function compareRow(row: ItemRow | undefined, expected: ItemRow, findings: Findings): void {
  if (row === undefined) {
    findings.broken(`items: T-${expected.number}`, 'the item has no row');
    return;
  }
  for (const name of Object.keys(expected) as (keyof ItemRow)[]) {
    if (row[name] === expected[name]) continue;
    const what = `the row says ${name} ${shown(row[name])}, the log says ${shown(expected[name])}`;
    findings.broken(`items: T-${expected.number}`, what);
  }
}

const shown = (value: unknown) => (value === '' ? '(nothing)' : String(value));

/** Every verification that the item ever waited for has its job; the one that it waits for now is open. */
async function compareJobs(
  { store }: Reading,
  named: { readonly id: string; readonly protocol: Protocol },
  { item, jobs }: Replayed,
  findings: Findings,
): Promise<void> {
  const [waiting] = verificationJob({ ...named, display: '', item }, '');
  for (const { key, where, payload, availableAt } of jobs) {
    const job = await store.job(VERIFY, key);
    if (job === undefined) findings.broken(where, `the verification job ${key} is missing`);
    else if (!sameJson(job.payload, payload) || job.availableAt !== availableAt)
      findings.broken(where, `the verification job ${key} was changed`);
    else if (key === waiting?.key && job.finished)
      findings.broken(where, `the verification job ${key} is closed while the item waits for it`);
  }
}

/** The order of members is not part of what a payload says. */
function sameJson(one: string, other: string): boolean {
  try {
    return canonicalize(JSON.parse(one)) === canonicalize(JSON.parse(other));
  } catch {
    return false;
  }
}
